import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { attemptsOfOne } from "@/lib/payments/attempts";
import { evidenceOf } from "@/lib/payments/evidence";
import type { FoundTransaction, QueryResult } from "@/lib/providers/provider";
import { addProvider, providerFor } from "@/lib/providers/registry";
import { openShop, THREE_DS } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { MIRROR } from "@/lib/testing/mirror/adapter";
import { accountOf } from "@/lib/testing/mirror/evidence";
import { type MirrorServer, startMirror } from "@/lib/testing/mirror/server";
import { deliver, joinMirror, lowerOthers, registerMirror } from "@/lib/testing/mirror/shop";
import { capture, voidIt } from "@/lib/testing/payments";
import { newSeller, type SellerReply } from "@/lib/testing/sellers";
import * as time from "@/lib/time";
import { deleteCvv } from "@/lib/vault/cvv";

/** News and answers that come late, twice, or not at all. */
let mirror: MirrorServer;
beforeAll(async () => {
  mirror = await startMirror();
  registerMirror(mirror.url);
});
afterAll(() => mirror.close());
afterEach(() => {
  vi.restoreAllMocks();
});

const sql = systemSql();
const PAN = sandboxPan("approve");
const card = (cardHolderName: string) => ({
  paymentSource: {
    sourceType: "card",
    card: { cardHolderName, cardNumber: PAN, cardCvv: "120", cardExpirationDate: "12/2031" },
  },
});
async function mirrored(kind = MIRROR) {
  const shop = await openShop();
  const account = await joinMirror(shop, 1, undefined, kind);
  await lowerOthers(shop, kind);
  return { ...shop, account };
}

describe("at the end of a challenge that the provider finishes by itself", () => {
  const challenged = async () => {
    const shop = await openShop();
    const { body } = await shop.pay(sandboxPan("3ds_challenge_ok"), { capture: false, threeDSecure2: THREE_DS });
    expect(body.status).toBe("pending");
    return { shop, id: body.id };
  };
  const answering = (answer: QueryResult) => vi.spyOn(providerFor("SANDBOX"), "query").mockResolvedValue(answer);
  const pending: FoundTransaction = {
    kind: "found",
    providerTxId: "of-the-challenge",
    state: "pending",
    authorized: 0,
    captured: 0,
    refunded: 0,
    chargedBack: 0,
    currency: "BRL",
    reference: "any",
    duplicates: [],
    refunds: [],
    payments: [],
    raw: { headers: {}, body: null },
  };

  test("a provider that cannot be asked leaves the payment unknown, and its answer decides later", async () => {
    const { shop, id } = await challenged();
    answering({ kind: "unavailable" });
    await shop.advance("PT30M");
    expect((await shop.charge(id)).status).toBe("pending");
    vi.restoreAllMocks();
    await shop.advance("PT2H");
    expect((await shop.charge(id)).status).toBe("pre_authorized");
  });

  test("one that still waits is given up, and what the buyer authorizes after that is released", async () => {
    const { shop, id } = await challenged();
    answering(pending);
    await shop.advance("PT16M");
    expect((await shop.charge(id)).status).toBe("failed");
    vi.restoreAllMocks();
    await shop.advance("PT15M");
    expect((await shop.charge(id)).status).toBe("failed");
    const [held] = await sql`select state from sandbox_transactions where charge_id = ${id}`;
    expect(held?.state).toBe("voided");
  });
});

test.each(["void", "refund"] as const)(
  "a %s at a kind that answers at once and can be asked nothing is done by its replay, not asked for ever",
  async (change) => {
    let calls = 0;
    const { capabilities, ...base } = providerFor(MIRROR);
    const done = (amount: number, providerTxId: string) =>
      ({
        kind: "approved",
        at: "2026-11-24T15:00:00.000Z",
        amount,
        providerTxId,
        raw: { headers: {}, body: null },
      }) as const;
    const once = <T>(outcome: T): T => {
      calls += 1;
      if (calls > 5) throw new Error("asked for ever");
      return outcome;
    };
    addProvider({
      ...base,
      kind: "AT_ONCE",
      capabilities: { ...capabilities, modifications: "sync", webhook: { auth: "none", containsState: false } },
      void: async (_, { amount, providerTxId }) => once({ ...done(amount, providerTxId), data: { voided: amount } }),
      refund: async (_, { amount, providerTxId }) =>
        once({ ...done(amount, providerTxId), data: { refundId: "r", refunded: amount, status: "done" as const } }),
    });
    const shop = await mirrored("AT_ONCE");
    const { id } = (await shop.pay(PAN, { capture: change === "refund", ...card("approve") })).body;
    expect((await voidIt(shop, id)).body).toMatchObject({ status: "voided" });
    expect(calls).toBe(2);
  },
);

test("a chargeback that is told while a capture is unknown is seen once the capture is settled", async () => {
  const shop = await mirrored();
  const { id } = (await shop.pay(PAN, { capture: false, ...card("approve") })).body;
  mirror.plan("lost_after", "captures");
  await capture(shop, id);
  mirror.dispute(id, undefined, time.realNow());
  await deliver(mirror, shop.account);
  await shop.advance("PT1M");
  expect((await shop.charge(id)).status).toBe("charged_back");
});

test("what was told by the provider's id alone, before that id was known here, is evidence", async () => {
  const shop = await mirrored();
  mirror.plan("lost_before", "create");
  const { id } = (await shop.pay(PAN, { capture: false, ...card("approve") })).body;
  mirror.announce({
    account: accountOf(shop.account.apiKey),
    transactionId: "mir_early",
    reference: "OF-ANOTHER-CALL",
  });
  await deliver(mirror, shop.account);
  const ctx = await shop.context();
  const [attempt] = await inTransaction(ctx, (inside) => attemptsOfOne(inside, id));
  if (!attempt) throw new Error("no attempt");
  expect(await evidenceOf(ctx, attempt)).toEqual([]);
  const known = { ...attempt, transactionId: "mir_early" };
  expect(await evidenceOf(ctx, known)).toMatchObject([{ providerTxId: "mir_early" }]);
});

test("installments are due as the provider that took them cuts them", async () => {
  const shop = await mirrored();
  const paymentMethod = { paymentType: "credit", installments: 3 };
  const { id } = (await shop.pay(PAN, { ...card("approve"), paymentMethod })).body;
  await deliver(mirror, shop.account);
  await shop.advance("PT1M");
  expect((await shop.charge(id)).status).toBe("authorized");
  const due = await sql`select gross::int from receivables where charge_id = ${id} order by installment`;
  expect(due.map(({ gross }) => gross)).toEqual([3_333, 3_333, 3_334]);
});

test("a card payment refunded in the provider's console is a refund, of every client by the same id", async () => {
  const adapter = providerFor("SANDBOX");
  const ask = adapter.query.bind(adapter);
  const query = vi.spyOn(adapter, "query");
  for (const client of ["first", "second"]) {
    const shop = await openShop();
    const { id } = (await shop.pay(PAN)).body;
    query.mockImplementation(async (call, input) => {
      const found = await ask(call, input);
      const refund = { refundId: "console-1", amount: 4_000, status: "done", at: "2026-11-24T15:00:00.000Z" } as const;
      return found.kind === "found" ? { ...found, refunded: 4_000, refunds: [refund] } : found;
    });
    await inTransaction(await shop.context(), (inside) => schedule(inside, "charge.watch", id, time.realNow()));
    await shop.advance("PT1S");
    query.mockImplementation(ask);
    expect(await shop.charge(id), client).toMatchObject({ refundedAmount: 4_000, amount: 6_000 });
    const rows = await sql`
      select type, sum(gross)::int as gross from receivables where charge_id = ${id} group by type order by type`;
    expect(rows, client).toEqual([
      { type: "credit", gross: 10_000 },
      { type: "refund", gross: -4_000 },
    ]);
  }
});

test("a provider that knows nothing of a payment is not believed while the payment may still appear", async () => {
  const shop = await mirrored();
  const query = vi.spyOn(providerFor(MIRROR), "query").mockResolvedValue({ kind: "not_found_definitive" });
  mirror.plan("lost_before", "create");
  const { id } = (await shop.pay(PAN, { capture: false, ...card("approve") })).body;
  const { token_id: tokenId } = (await sql`select cvv_token_id as token_id from charges where id = ${id}`)[0] ?? {};
  await deleteCvv(shop.clientId, String(tokenId));
  await shop.advance("PT50S");
  expect(query).toHaveBeenCalled();
  const absent = () => sql`select absent_since from transaction_requests where charge_id = ${id}`;
  expect(await absent()).toEqual([{ absent_since: null }]);
  await shop.advance("PT5M");
  expect(await absent()).not.toEqual([{ absent_since: null }]);
});

describe("when the time of a request is over", () => {
  /** The clock that measures it jumps ahead once the adapter is asked for the n-th reference. */
  const jumpingAt = (nth: number) => {
    let offsetMs = 0;
    let asked = 0;
    const real = time.monotonicMs;
    vi.spyOn(time, "monotonicMs").mockImplementation(() => real() + offsetMs);
    const adapter = providerFor("SANDBOX");
    const authorize = adapter.authorize.bind(adapter);
    vi.spyOn(adapter, "authorize").mockImplementation(async (call, input) => {
      const answer = await authorize(call, input);
      asked += 1;
      if (asked === nth) offsetMs = 19_200;
      return answer;
    });
  };

  test("no other provider is tried: the decline is the answer, and nothing is unknown", async () => {
    const shop = await openShop();
    await joinMirror(shop, 2);
    jumpingAt(1);
    const { body } = await shop.pay(sandboxPan("decline:insufficient_funds"), { capture: false });
    expect(body).toMatchObject({ status: "failed", error: { type: "card_declined" } });
    expect(await sql`select state from transaction_requests where charge_id = ${body.id}`).toEqual([
      { state: "declined" },
    ]);
  });

  test("a call that was not begun is no unknown one: a worker sends it", async () => {
    const shop = await openShop();
    let offsetMs = 0;
    const real = time.monotonicMs;
    vi.spyOn(time, "monotonicMs").mockImplementation(() => real() + offsetMs);
    const adapter = providerFor("SANDBOX");
    const authorize = adapter.authorize.bind(adapter);
    vi.spyOn(adapter, "authorize").mockImplementationOnce(async (call, input) => {
      const answer = await authorize(call, input);
      offsetMs = 19_200;
      return answer;
    });
    // The capture that follows has no time left.
    const { id, status } = (await shop.pay(PAN)).body;
    expect(status).toBe("pending");
    const states = () =>
      sql`select kind, state from transaction_requests where charge_id = ${id} order by created_at, kind`;
    expect(await states()).toContainEqual({ kind: "capture", state: "not_sent" });
    offsetMs = 0;
    await shop.advance("PT1M");
    expect((await shop.charge(id)).status).toBe("authorized");
    const captures = await sql`select from sandbox_calls where charge_id = ${id} and operation = 'capture'`;
    expect(captures).toHaveLength(1);
  });
});

test("what a provider says of a seller is asked about at once", async () => {
  const { account, ...shop } = await mirrored();
  const { id } = await shop.make("POST", "/v1/sellers", { body: newSeller(shop.merchantId) });
  const [place] = await sql<{ id: string; external: string }[]>`
    select id, external_id as external from seller_registrations
     where seller_id = ${id} and provider_id = ${account.providerId}`;
  await sql`update due_jobs set due_at = due_at + interval '9 days', wake_at = wake_at + interval '9 days'
             where ref_id = ${place?.id ?? ""} and kind = 'registration.query'`;
  await shop.advance("PT1M");
  const statusThere = async () =>
    (await shop.make<SellerReply>("GET", `/v1/sellers/${id}`)).providers.find(
      ({ providerType }) => providerType === MIRROR,
    )?.status;
  expect(await statusThere()).toBe("pending");
  mirror.tellOfSeller(accountOf(account.apiKey), place?.external ?? "");
  await deliver(mirror, account, { copies: 2 });
  await shop.advance("PT1S");
  expect(await statusThere()).toBe("active");
});

describe("what was done and failed after all", () => {
  const booksOf = (id: string) => sql`
    select a.kind, a.seller_id, sum(p.amount)::int as amount from journals j join postings p on p.journal_id = j.id
      join ledger_accounts a on a.id = p.account_id where j.charge_id = ${id} group by 1, 2 having sum(p.amount) <> 0
     order by 1, 2 nulls first`;
  const eventsOf = async (id: string) =>
    (await sql`select event from events where entity_id = ${id} order by entity_version`).map(({ event }) => event);
  const noticesOf = (clientId: string) =>
    sql`select kind, amount::int, path from notices where client_id = ${clientId} and kind in ('refund_failed', 'capture_failed')`;

  test("a refund in part: the amount is the merchant's again, once, and can be refunded anew", async () => {
    const shop = await openShop();
    const { id } = (await shop.pay(PAN, { capture: true })).body;
    const before = await booksOf(id);
    await shop.make("POST", `/v1/charges/${id}/void`, { body: { amount: 993 } });
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", amount: 9_007, refundedAmount: 993 });
    await shop.advance("P2D");
    const after = await shop.charge(id);
    expect(after).toMatchObject({ status: "authorized", amount: 10_000, refundedAmount: 0 });
    expect(after.transactionRequests[0]).toMatchObject({ requestType: "revert_void", requestStatus: "failed" });
    expect(await booksOf(id)).toEqual(before);
    expect(await eventsOf(id)).toEqual(["authorized", "partially_voided", "revert_void"]);
    expect(await noticesOf(shop.clientId)).toEqual([
      { kind: "refund_failed", amount: 993, path: `/dashboard/payments/${id}` },
    ]);
    const [reversal] = await sql`select j.reverses = r.id as names, j.event_id = r.id::text as evidence
      from journals j join journals r on r.charge_id = j.charge_id and r.event_type = 'refund'
     where j.charge_id = ${id} and j.event_type = 'reversal'`;
    expect(reversal).toEqual({ names: true, evidence: true });
    expect((await voidIt(shop, id)).body).toMatchObject({ status: "voided", refundedAmount: 10_000 });
  });

  test("a refund in part that fails during a dispute: won, all of it is the merchant's", async () => {
    const shop = await openShop();
    const { id } = (await shop.pay(PAN, { capture: true })).body;
    await shop.make("POST", `/v1/charges/${id}/void`, { body: { amount: 993 } });
    await shop.make("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: {} });
    await shop.advance("P2D");
    expect(await shop.charge(id)).toMatchObject({ status: "charged_back", refundedAmount: 0 });
    await shop.make("POST", `/v1/sandbox/charges/${id}/chargeback/reverse`, { body: {} });
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", amount: 10_000, refundedAmount: 0 });
  });

  test("a refund of all: what was voided is authorized again, and released money comes back as available", async () => {
    const shop = await openShop();
    const { id } = (await shop.pay(PAN, { capture: true, amount: 993, paymentMethod: { paymentType: "debit" } })).body;
    await shop.advance("P3D");
    expect((await voidIt(shop, id)).body.status).toBe("voided");
    await shop.advance("P2D");
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", amount: 993, refundedAmount: 0 });
    const [back] =
      await sql`select gross::int, reduces from receivables where charge_id = ${id} and type = 'refund_reversal'`;
    expect(back).toEqual({ gross: 993, reduces: null });
  });

  test("a refund of a sale with sellers: everybody has again what was theirs", async () => {
    const shop = await openShop();
    const sellers = await Promise.all(
      [1, 2].map(() => shop.make<{ id: string }>("POST", "/v1/sellers", { body: newSeller(shop.merchantId) })),
    );
    await shop.advance("PT1M");
    const splitRules = sellers.map((seller, index) => ({
      sellerId: seller.id,
      percentage: 30 + index,
      liable: true,
      processingFee: index === 0,
    }));
    const { id } = (await shop.pay(PAN, { capture: true, splitRules })).body;
    await shop.make("POST", `/v1/charges/${id}/void`, { body: { amount: 1_500 } });
    const before = await booksOf(id);
    await shop.make("POST", `/v1/charges/${id}/void`, { body: { amount: 993 } });
    await shop.advance("P2D");
    expect(await booksOf(id)).toEqual(before);
    const shares = await sql`
      select sum(refunded_share)::int as refunded, max(refunded_parts::text) as parts from split_rules where charge_id = ${id}`;
    expect(shares[0]?.refunded).toBe(450 + 465);
    expect((await voidIt(shop, id)).body).toMatchObject({ status: "voided", refundedAmount: 10_000 });
  });

  test("a capture whose refund fails as well: lost once, and nothing comes back", async () => {
    const shop = await mirrored();
    const { id } = (await shop.pay(PAN, { capture: true, ...card("approve") })).body;
    const settle = async () => {
      await deliver(mirror, shop.account);
      await shop.advance("PT1M");
    };
    await settle();
    await shop.make("POST", `/v1/charges/${id}/void`, { body: { amount: 4_000 } });
    await settle();
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", refundedAmount: 4_000 });
    mirror.undo(id, "CAPTURE", time.realNow());
    await settle();
    mirror.undo(id, "REFUND", time.realNow());
    await settle();
    expect(await shop.charge(id)).toMatchObject({ status: "voided", refundedAmount: 10_000 });
    expect(await eventsOf(id)).not.toContain("revert_void");
    const owed = (await booksOf(id)).filter(({ kind }) => kind === "provider_receivable");
    expect(owed).toEqual([]);
    expect(await noticesOf(shop.clientId)).toMatchObject([{ kind: "capture_failed", amount: 6_000 }]);
  });

  test("money that was sent back and did not arrive is kept apart again, for people to arrange", async () => {
    const shop = await openShop();
    const { id } = await shop.pix(4_990);
    await shop.make("POST", `/v1/sandbox/pix/${id}/pay`, { body: { times: 2 } });
    await sql`
      update sandbox_movements m set kind = 'refund_undone' from sandbox_transactions t
       where t.id = m.transaction_id and t.charge_id = ${id} and m.kind = 'refund'`;
    await inTransaction(await shop.context(), (inside) => schedule(inside, "charge.watch", id, time.realNow()));
    await shop.advance("PT5M");
    const kept = (await booksOf(id)).filter(({ kind }) => kind === "suspense");
    expect(kept).toMatchObject([{ amount: -4_990 }]);
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", capturedAmount: 4_990, refundedAmount: 0 });
    expect((await shop.charge(id)).transactionRequests[0]).toMatchObject({ requestStatus: "failed" });
    expect(await noticesOf(shop.clientId)).toMatchObject([{ kind: "refund_failed", amount: 4_990 }]);
    const sent = await sql`select from transaction_requests where charge_id = ${id} and kind = 'refund'`;
    expect(sent).toHaveLength(1);
  });

  test.each(["REFUND", "CAPTURE"] as const)("a %s told by notifications, in twice the copies", async (what) => {
    const shop = await mirrored();
    const { id } = (await shop.pay(PAN, { capture: true, ...card("approve") })).body;
    await deliver(mirror, shop.account);
    await shop.advance("PT1M");
    if (what === "REFUND") {
      await voidIt(shop, id);
      await deliver(mirror, shop.account);
      await shop.advance("PT1M");
      expect((await shop.charge(id)).status).toBe("voided");
    }
    mirror.undo(id, what, time.realNow());
    await deliver(mirror, shop.account, { copies: 2 });
    await shop.advance("PT5M");
    const isRefund = what === "REFUND";
    expect(await shop.charge(id)).toMatchObject({
      status: isRefund ? "authorized" : "voided",
      refundedAmount: isRefund ? 0 : 10_000,
    });
    expect((await eventsOf(id)).at(-1)).toBe(isRefund ? "revert_void" : "voided");
    expect(await noticesOf(shop.clientId)).toMatchObject([{ kind: isRefund ? "refund_failed" : "capture_failed" }]);
  });
});
