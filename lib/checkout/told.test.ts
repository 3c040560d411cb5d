import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { loadPayment } from "@/lib/checkout/load";
import { newVisit } from "@/lib/checkout/visit";
import { inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { openLink, paymentOf, pressPay, reopen, seePayment, typedCard } from "@/lib/testing/checkout";
import { type ChargeReply, type Shop, withMerchant } from "@/lib/testing/payments";
import { work } from "@/lib/testing/purchases";
import { setProtection } from "@/lib/velocity/protection";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const declinedBy = (code: number) => sandboxPan(`decline:${CODES[code] ?? "generic"}`);
const CODES = ["insufficient_funds", "expired_card", "not_permitted", "lost_card"] as const;

/** The charges of a link, oldest first. */
const chargesOf = async (sessionId: string): Promise<string[]> =>
  (await systemSql()<{ id: string }[]>`select id from charges where session_id = ${sessionId} order by created_at`).map(
    ({ id }) => id,
  );

describe("from the third decline of a visit on", () => {
  test("the permanent page tells no reason either, whoever opens it, and the shop sees the true one", async () => {
    const opened = await openLink(shop);
    const visit = newVisit();
    for (const ended of [0, 1, 2]) {
      await pressPay(opened, visit, "card", typedCard(declinedBy(ended)), ended);
    }
    const ids = await chargesOf(opened.session.id);
    const refusals = await Promise.all(ids.map(async (id) => (await seePayment(opened, id)).refusal));
    expect(refusals).toEqual(["insufficient_funds", "expired_card", "neutral"]);
    expect((await seePayment(opened, ids[2] ?? "")).actions).toEqual(["pix", "card"]);
    const { transactionRequests } = await shop.client.make<ChargeReply>("GET", `/v1/charges/${ids[2]}`);
    expect(transactionRequests[0]?.providerError?.declinedCode).toBe("not_permitted");
  });

  test("another visit is told its own reason", async () => {
    const opened = await openLink(shop);
    for (const ended of [0, 1]) await pressPay(opened, newVisit(), "card", typedCard(declinedBy(ended)));
    const outcome = await pressPay(opened, newVisit(), "card", typedCard(declinedBy(2)));
    expect(outcome).toMatchObject({ notice: { kind: "declined", refusal: "not_permitted" } });
  });

  test("several cards tell no reason of the one that was declined", async () => {
    const opened = await openLink(shop);
    const visit = newVisit();
    for (const ended of [0, 1]) await pressPay(opened, visit, "card", typedCard(declinedBy(ended)), ended);
    const { amount } = opened.session;
    const half = String(Math.floor(amount / 2) / 100);
    const cards = [sandboxPan("approve"), declinedBy(2)].flatMap((number, index) =>
      Object.entries({ ...typedCard(number), amount: half }).map(
        ([name, value]) => [`${name}${index}`, value] as const,
      ),
    );
    const outcome = await pressPay(
      opened,
      visit,
      "cards",
      { ...Object.fromEntries(cards), count: "2", captcha: "sandbox-ok" },
      2,
    );
    await work(shop.client);
    expect((await seePayment(opened, outcome)).state).toBe("released");
    const view = await seePayment(opened, outcome);
    expect([view.refusal, view.cards[1]?.refusal]).toEqual(["neutral", "neutral"]);
    const purchase = await shop.client.make<Record<string, unknown>>("GET", `/v1/purchases/${paymentOf(outcome)}`);
    expect(JSON.stringify(purchase)).toContain("not_permitted");
  });
});

test("a card whose bank asks for a confirmation is told to pay alone, for no bank is asked about several", async () => {
  const opened = await openLink(shop);
  const half = String(Math.floor(opened.session.amount / 2) / 100);
  const numbers = [sandboxPan("approve"), sandboxPan("3ds_challenge_ok")];
  const cards = numbers.flatMap((number, index) =>
    Object.entries({ ...typedCard(number), amount: half }).map(([name, value]) => [`${name}${index}`, value] as const),
  );
  const fields = { ...Object.fromEntries(cards), count: "2", captcha: "sandbox-ok" };
  const outcome = await pressPay(opened, newVisit(), "cards", fields);
  await work(shop.client);
  const { state, refusal, declinedCard, actions } = await seePayment(opened, outcome);
  expect([state, refusal, declinedCard]).toEqual(["released", "authentication_alone", 1]);
  expect(actions).toContain("single");
  expect(actions).not.toContain("amounts");
});

describe("while the link is under step-up", () => {
  test("the first decline is neutral already", async () => {
    const guarded = await withMerchant(await openClient());
    const opened = await openLink(guarded);
    const { ctx, session } = opened;
    await inTransaction(ctx, (inside) => setProtection(inside, true));
    const first = await pressPay(opened, newVisit(), "card", typedCard(declinedBy(0)));
    expect(first).toMatchObject({ notice: { refusal: "insufficient_funds" } });
    await systemSql()`
      insert into card_alarms (id, client_id, scope, ref_id, kind, cause, tried, declined, raised_at, until)
      values (${newId()}, ${ctx.account.id}, 'link', ${session.id}, 'step_up', 'link_declines', 40, 30, now(), now() + interval '20 minutes')`;
    const [id = ""] = await chargesOf(session.id);
    expect((await seePayment(opened, id)).refusal).toBe("neutral");
    const next = await pressPay(opened, newVisit(), "card", typedCard(declinedBy(1)));
    expect(next).toMatchObject({ notice: { refusal: "neutral" } });
  });
});

describe("the address that e-mails go to", () => {
  test("is told, masked, to the browser that paid and to nobody else", async () => {
    const opened = await openLink(shop);
    const visit = newVisit();
    const outcome = await pressPay(opened, visit, "pix", { email: "ana.souza@example.com" });
    const id = paymentOf(outcome);
    const { ctx, session } = await reopen(opened.session.id);
    const emailFor = async (reader: string | undefined) =>
      (await loadPayment(ctx, session.id, id, reader ? { visit: reader } : {}))?.view.email;
    expect(await emailFor(visit)).toBe("an•••@example.com");
    expect(await emailFor(newVisit())).toBeNull();
    expect(await emailFor(undefined)).toBeNull();
  });
});
