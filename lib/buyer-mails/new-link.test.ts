import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { answerLinkRequest } from "@/lib/buyer-mails/new-link";
import { requestLink, requestsWaiting } from "@/lib/checkout/new-link";
import { newVisit } from "@/lib/checkout/visit";
import { countVisit, linkFigures } from "@/lib/checkout/visits";
import { inTransaction, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { openClient, openMerchant } from "@/lib/testing/api";

async function asked(email: string | undefined) {
  const client = await openClient();
  const { id: merchantId } = await openMerchant(client);
  const session = await client.make("POST", "/v1/sessions", {
    body: {
      merchantId,
      createLink: true,
      items: [{ name: "A", unitPrice: 5_000, quantity: 1 }],
      paymentMethods: [{ paymentType: "pix", expiresIn: 600 }],
    },
  });
  const sessionId = String(session.id);
  const ctx = systemContext(await loadAccount(client.clientId), newId());
  await requestLink(ctx, { sessionId, visit: newVisit(), name: "Bia", email, locale: "en" });
  const [request] = await systemSql()<{ id: string }[]>`select id from link_requests where session_id = ${sessionId}`;
  return { client, ctx, sessionId, requestId: request?.id ?? "" };
}

describe("a request for a new link", () => {
  test("is answered by one link and one e-mail, however often it is pressed", async () => {
    const { client, ctx, sessionId, requestId } = await asked("bia@example.com");
    expect(await inTransaction(ctx, (inside) => requestsWaiting(inside, [sessionId]))).toEqual(
      new Map([[sessionId, 1]]),
    );
    const [first, second] = await Promise.all([
      answerLinkRequest(ctx, requestId, "Here you are"),
      answerLinkRequest(ctx, requestId, undefined),
    ]);
    expect(first).toBe(second);
    expect(await inTransaction(ctx, (inside) => requestsWaiting(inside, [sessionId]))).toEqual(new Map());
    expect(first).not.toBe(sessionId);
    const mails =
      await systemSql()`select recipient as "to", template, locale from emails where client_id = ${client.clientId}`;
    expect(mails).toEqual([{ to: "bia@example.com", template: "new-link", locale: "en" }]);
    const made = await client.make("GET", `/v1/sessions/${first}`, {});
    expect(made).toMatchObject({ status: "created", amount: 5_000 });
  });

  test("that left no address makes nothing", async () => {
    const { client, ctx, requestId } = await asked(undefined);
    expect(await answerLinkRequest(ctx, requestId, undefined)).toBeUndefined();
    const [row] = await systemSql()`select count(*)::int as links from sessions where client_id = ${client.clientId}`;
    expect(row?.links).toBe(1);
  });

  test("of another account does not exist", async () => {
    const [theirs, mine] = [await asked("a@example.com"), await asked("b@example.com")];
    await expect(answerLinkRequest(mine.ctx, theirs.requestId, undefined)).rejects.toMatchObject({ status: 404 });
  });
});

test("a link counts each browser once, and what was tried and paid", async () => {
  const { client, ctx, sessionId } = await asked(undefined);
  const visit = newVisit();
  await countVisit(ctx, sessionId, visit);
  await countVisit(ctx, sessionId, visit);
  await countVisit(ctx, sessionId, newVisit());
  const figures = await inTransaction(ctx, (inside) => linkFigures(inside, sessionId));
  expect(figures).toEqual({ visits: 2, attempts: 0, failed: 0, payments: 0 });
  const other = await openClient();
  expect(other.clientId).not.toBe(client.clientId);
});
