import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { systemDb, systemSql } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import { closeAccount, closedBy, closurePlan, REOPEN_DAYS, reopenAccount } from "@/lib/accounts/closure";
import { disableAccount, enableAccount, loadAccount } from "@/lib/accounts/service";
import { type Context, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import { findOperatorSession } from "@/lib/operators/sessions";
import { createOperator, signIn } from "@/lib/sign-in/service";
import { openClient, type TestClient } from "@/lib/testing/api";
import { PERSON, pathOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { payByCard, payByPix, withMerchant } from "@/lib/testing/payments";
import { openSession, PIX } from "@/lib/testing/sessions";
import { realNow } from "@/lib/time";

const PASSWORD = "correct horse battery staple";

interface Person {
  ctx: Context;
  email: string;
  id: string;
}

async function person(client: TestClient, role: "owner" | "support" = "owner", name = "Ana Prado"): Promise<Person> {
  const email = `${role}-${newId()}@equipe.example`;
  const { clientId } = client;
  const { id } = await createOperator(systemDb(), { email, name, password: PASSWORD, clientId, role });
  const context = systemContext(await loadAccount(clientId), newId());
  return { id, email, ctx: { ...context, principal: { kind: "operator", operatorId: id }, ip: "203.0.113.7" } };
}

async function seenBy({ email }: Person) {
  const outcome = await signIn(systemDb(), { email, password: PASSWORD, address: null, userAgent: null }, realNow());
  if (outcome.kind !== "signed_in") throw new Error(outcome.kind);
  return (await findOperatorSession(systemDb(), outcome.sessionId, realNow()))?.account;
}

const statusOf = async ({ clientId }: TestClient): Promise<unknown> =>
  (await systemSql()`select status from clients where id = ${clientId}`)[0]?.status;

const actsOf = ({ clientId }: TestClient, action: string) =>
  systemDb()
    .select({ actor: auditLog.actor, second: auditLog.secondActor })
    .from(auditLog)
    .where(and(eq(auditLog.clientId, clientId), eq(auditLog.action, action)));

describe("closing an account", () => {
  test("its keys are 401, its links say that they are off, its owner only looks, and nobody else sees it", async () => {
    const client = await openClient();
    const [owner, support] = [await person(client), await person(client, "support")];
    const shop = await withMerchant(client);
    await payByCard(shop, { capture: true });
    const link = await openSession(shop, { paymentMethods: [PIX] });
    const publicKey = await client.publicKey("tokens");
    const buyer = await newBuyer({ language: "en" });
    const page = await buyer.open(pathOf(link));
    expect(await closurePlan(owner.ctx)).toEqual({
      reasons: [],
      stops: { links: 1, secretKeys: 1, publicKeys: 1, webhooks: 0, members: 1 },
      needsTwo: false,
      proposedBy: null,
      isOwnProposal: false,
    });

    expect(await closeAccount(owner.ctx)).toEqual({ kind: "closed" });
    const call = await client.call("GET", "/v1/merchants");
    expect([call.status, call.error?.message]).toEqual([401, "unauthorized"]);
    expect((await client.call("POST", "/v1/tokens", { key: publicKey, body: {} })).status).toBe(401);
    expect((await buyer.open(pathOf(link))).state).toBe("off");
    expect((await buyer.send(page, "pix", PERSON)).state).toBe("off");
    expect(await systemSql()`select 1 from charges where session_id = ${link.id}`).toHaveLength(0);

    const seen = await seenBy(owner);
    expect(seen).toMatchObject({ id: client.clientId, role: { closed: "owner" } });
    const asked = ["payments.see", "audit.all", "team.manage", "payments.refund", "keys.manage", "links.edit"] as const;
    expect(asked.filter((right) => seen && may(seen.role, right))).toEqual([
      "payments.see",
      "audit.all",
      "team.manage",
    ]);
    expect(await seenBy(support)).toBeUndefined();
    expect(await closedBy(owner.ctx)).toBe("Ana Prado");

    expect(await reopenAccount(owner.ctx)).toBe("open");
    expect((await client.call("GET", "/v1/merchants")).status).toBe(200);
    expect((await buyer.open(pathOf(link))).state).toBe("open");
    expect(await seenBy(support)).toMatchObject({ id: client.clientId, role: "support" });
    expect([await actsOf(client, "account.close"), await actsOf(client, "account.reopen")]).toEqual([
      [{ actor: `operator:${owner.id}`, second: null }],
      [{ actor: `operator:${owner.id}`, second: null }],
    ]);
  });

  test("what a buyer paid is still shown to them", async () => {
    const client = await openClient();
    const owner = await person(client);
    const shop = await withMerchant(client);
    const link = await openSession(shop, { paymentMethods: [PIX] });
    const buyer = await newBuyer({ language: "en" });
    const pix = await buyer.send(await buyer.open(pathOf(link)), "pix", PERSON);
    const [charge] = await systemSql()<{ id: string }[]>`select id from charges where session_id = ${link.id}`;
    await client.make("POST", `/v1/sandbox/pix/${charge?.id}/pay`, { body: {} });
    expect(await closeAccount(owner.ctx)).toEqual({ kind: "closed" });
    expect((await buyer.open(pix.path)).state).toBe("paid");
  });

  test("is refused while money is on its way, and says by what", async () => {
    const client = await openClient();
    const owner = await person(client);
    const shop = await withMerchant(client);
    await payByPix(shop);
    await payByCard(shop);
    const reasons = [
      { kind: "payments", count: 1 },
      { kind: "holds", count: 1 },
    ];
    expect((await closurePlan(owner.ctx)).reasons).toEqual(reasons);
    expect(await closeAccount(owner.ctx)).toEqual({ kind: "refused", reasons });
    expect(await statusOf(client)).toBe("active");
    expect(await actsOf(client, "account.close")).toEqual([]);
  });

  test("takes two where there are two owners, and an agreement counts once", async () => {
    const client = await openClient();
    const [first, second] = [await person(client), await person(client, "owner", "Bia Reis")];
    expect(await closeAccount(first.ctx)).toEqual({ kind: "proposed" });
    expect(await closeAccount(first.ctx)).toEqual({ kind: "proposed" });
    expect(await actsOf(client, "account.close.propose")).toHaveLength(1);
    expect(await closurePlan(second.ctx)).toMatchObject({
      needsTwo: true,
      proposedBy: { id: first.id, name: "Ana Prado" },
      isOwnProposal: false,
    });
    expect(await closurePlan(first.ctx)).toMatchObject({ proposedBy: null, isOwnProposal: true });
    expect(await closeAccount(second.ctx)).toEqual({ kind: "closed" });
    expect(await actsOf(client, "account.close")).toEqual([
      { actor: `operator:${second.id}`, second: `operator:${first.id}` },
    ]);
    expect(await reopenAccount(first.ctx)).toBe("open");
    expect(await closeAccount(second.ctx)).toEqual({ kind: "proposed" });
    expect(await statusOf(client)).toBe("active");
  });

  test("happens once, however many press at the same time", async () => {
    const client = await openClient();
    const owner = await person(client);
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => closeAccount(owner.ctx)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await actsOf(client, "account.close")).toHaveLength(1);
  });

  test("is taken back for thirty days and no longer, and by the owners alone", async () => {
    const client = await openClient();
    const owner = await person(client);
    await closeAccount(owner.ctx);
    await expect(enableAccount(client.clientId)).rejects.toMatchObject({ status: 409 });
    await expect(disableAccount(client.clientId)).rejects.toMatchObject({ status: 409 });
    await systemSql()`update clients set closed_at = now() - make_interval(days => ${REOPEN_DAYS}, mins => 1)
                       where id = ${client.clientId}`;
    expect(await reopenAccount(owner.ctx)).toBe("too_late");
    await systemSql()`update clients set closed_at = now() - make_interval(days => ${REOPEN_DAYS - 1})
                       where id = ${client.clientId}`;
    expect(await reopenAccount(owner.ctx)).toBe("open");
    await expect(reopenAccount(owner.ctx)).rejects.toMatchObject({ status: 409 });
  });

  test("has no way round: the database refuses a status the table does not lead to", async () => {
    const client = await openClient();
    await disableAccount(client.clientId);
    await expect(
      systemSql()`update clients set status = 'closed', closed_at = now() where id = ${client.clientId}`,
    ).rejects.toThrow("may not go from disabled to closed");
  });
});
