import { expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { inTransaction, now, systemContext } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { newId } from "@/lib/ids";
import { checkAccount } from "@/lib/invariants/check";
import { providerFor } from "@/lib/providers/registry";
import { reconcileNow } from "@/lib/purchases/due";
import { openClient, type TestClient } from "@/lib/testing/api";
import { voidIt, withMerchant } from "@/lib/testing/payments";
import { advance, bought, changePurchase, type PurchaseReply, readPurchase, work } from "@/lib/testing/purchases";

const sql = systemSql();

const slotsOf = ({ payments }: PurchaseReply) => payments.map(({ status, refundedAmount }) => [status, refundedAmount]);

const operationsOf = async (id: string) =>
  (
    await sql<{ name: string }[]>`
      select type || ' ' || status || ' ' || requested_by as name
        from purchase_operations where purchase_id = ${id} order by id`
  ).map(({ name }) => name);

const contextOf = async ({ clientId }: TestClient) => systemContext(await loadAccount(clientId), newId());

/** As after a notification of the provider: the card is looked at when the clock next moves. */
async function lookSoon(client: TestClient, chargeId: string): Promise<void> {
  const ctx = await contextOf(client);
  await inTransaction(ctx, (inside) => schedule(inside, "charge.watch", chargeId, now(ctx)));
  await advance(client, "PT1M");
}

/** Somebody gives money back at the provider's own console: no reference of ours. */
const giveBackThere = (chargeId: string, amount: number) => sql`
  insert into sandbox_movements (id, client_id, transaction_id, kind, amount, at, requested_at, reference)
  select ${newId()}, client_id, id, 'refund', ${amount}, created_at, created_at, ${`bank:${newId()}`}
    from sandbox_transactions
   where charge_id = ${chargeId}`;

test("S22 after the end: what a dispute won brings back to a cancelled purchase goes back to the buyer", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const { id } = await bought(shop, { outcomes: ["approve", "chargeback_then_reversed"], capture: true });
  await advance(client, "P2D");
  await changePurchase(client, id, "void");
  await work(client);
  const cancelled = await readPurchase(client, id);
  expect([cancelled.status, ...slotsOf(cancelled)]).toEqual(["cancelled", ["voided", 5_000], ["charged_back", 0]]);
  await advance(client, "P14D");
  const after = await readPurchase(client, id);
  expect([after.status, ...slotsOf(after)]).toEqual(["cancelled", ["voided", 5_000], ["voided", 5_001]]);
  expect(await operationsOf(id)).toEqual([
    "authorize completed client",
    "capture completed system",
    "refund completed client",
    "rollback completed system",
  ]);
  const [net] = await sql<{ net: number }[]>`
    select (sum(captured_amount) - sum(refunded_amount) - sum(charged_back_amount))::int as net
      from charges where purchase_id = ${id}`;
  expect(net?.net, "M7: net zero").toBe(0);
  const [events] = await sql`select count(*)::int as n from events where entity_id = ${id} and event = 'cancelled'`;
  expect(events?.n).toBe(1);
});

test("a card of which the bank took a part is not given back: the purchase stays paid, and a dispute won stays won", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const purchase = await bought(shop, { capture: true });
  const [one = "", other = ""] = purchase.payments.map(({ chargeId }) => chargeId);
  await client.make("POST", `/v1/sandbox/charges/${other}/chargeback`, { body: { amount: 2_000 } });
  expect((await voidIt(client, one, { amount: 5_000 })).status).toBe(201);
  await work(client);
  const disputed = await readPurchase(client, purchase.id);
  expect([disputed.status, ...slotsOf(disputed)]).toEqual(["paid", ["voided", 5_000], ["charged_back", 0]]);
  await client.make("POST", `/v1/sandbox/charges/${other}/chargeback/reverse`, { body: {} });
  await work(client);
  const won = await readPurchase(client, purchase.id);
  expect([won.status, ...slotsOf(won)]).toEqual(["paid", ["voided", 5_000], ["authorized", 0]]);
});

test("given back at the provider alone, in part and then whole: the card follows, and at last the purchase", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const purchase = await bought(shop, { capture: true });
  const [one = "", other = ""] = purchase.payments.map(({ chargeId }) => chargeId);
  await giveBackThere(one, 2_000);
  await lookSoon(client, one);
  let read = await readPurchase(client, purchase.id);
  expect([read.status, ...slotsOf(read)]).toEqual(["paid", ["authorized", 2_000], ["authorized", 0]]);
  await giveBackThere(one, 3_000);
  await giveBackThere(other, 5_001);
  await lookSoon(client, one);
  await lookSoon(client, other);
  read = await readPurchase(client, purchase.id);
  expect([read.status, ...slotsOf(read)]).toEqual(["cancelled", ["voided", 5_000], ["voided", 5_001]]);
  expect((await operationsOf(purchase.id)).at(-1)).toBe("refund completed system");
  const [books] = await sql<{ refunded: number }[]>`
    select -sum(p.amount)::int as refunded from postings p join journals j on j.id = p.journal_id
      join ledger_accounts a on a.id = p.account_id
     where j.event_type = 'refund' and a.kind = 'provider_receivable' and j.client_id = ${client.clientId}`;
  expect(books?.refunded).toBe(10_001);
});

/** What was given back there, and told as done, fails. */
const undoThere = (chargeId: string) => sql`
  with undone as (
    update sandbox_movements m set kind = 'refund_undone' from sandbox_transactions t
     where t.id = m.transaction_id and t.charge_id = ${chargeId} and m.kind = 'refund' returning t.id, m.amount)
  update sandbox_transactions t set refunded = t.refunded - u.amount
    from (select id, sum(amount)::bigint as amount from undone group by id) u where t.id = u.id`;

const brokenOf = async (client: TestClient) => {
  const { invariants } = await inTransaction(await client.context(), checkAccount);
  return invariants.filter(({ violations }) => violations > 0).map(({ id }) => id);
};

test("S25: refunds that failed after all are the merchant's again; once a purchase is over they are made anew, once", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const { id, payments } = await bought(shop, { capture: true });
  const [one = "", other = ""] = payments.map(({ chargeId }) => chargeId);
  const back = (amount?: number) =>
    client.make("POST", `/v1/charges/${one}/void`, { body: amount === undefined ? {} : { amount } });
  const fails = async (chargeId: string) => {
    await undoThere(chargeId);
    await lookSoon(client, chargeId);
    return readPurchase(client, id);
  };
  await back(2_000);
  let read = await fails(one);
  expect([read.status, ...slotsOf(read)]).toEqual(["paid", ["authorized", 0], ["authorized", 0]]);
  await back();
  expect(slotsOf(await readPurchase(client, id))).toEqual([
    ["voided", 5_000],
    ["authorized", 0],
  ]);
  read = await fails(one);
  expect([read.status, ...slotsOf(read)]).toEqual(["paid", ["authorized", 0], ["authorized", 0]]);
  await changePurchase(client, id, "void");
  await work(client);
  read = await fails(other);
  expect([read.status, ...slotsOf(read)]).toEqual(["cancelled", ["voided", 5_000], ["voided", 5_001]]);
  expect((await operationsOf(id)).at(-1)).toBe("rollback completed system");
  expect(await brokenOf(client)).toEqual([]);
  read = await fails(other);
  expect([read.status, ...slotsOf(read)]).toEqual(["cancelled", ["voided", 5_000], ["authorized", 0]]);
  expect(read.pendingReview).toMatchObject({ reason: "reconciliation_failed" });
  expect(await brokenOf(client)).toEqual([]);
});

test("S25 beside a part that somebody gave back there: a cancelled purchase gives back what is left", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const { id, payments } = await bought(shop, { capture: true });
  const other = payments[1]?.chargeId ?? "";
  await changePurchase(client, id, "void");
  await work(client);
  await undoThere(other);
  await giveBackThere(other, 2_000);
  await lookSoon(client, other);
  const read = await readPurchase(client, id);
  expect([read.status, ...slotsOf(read)]).toEqual(["cancelled", ["voided", 5_000], ["voided", 5_001]]);
  expect(await brokenOf(client)).toEqual([]);
});

/** While the next answer of the provider is on its way. */
function meanwhile(happens: () => Promise<unknown>) {
  const adapter = providerFor("SANDBOX");
  const ask = adapter.query.bind(adapter);
  return vi.spyOn(adapter, "query").mockImplementationOnce(async (call, input) => {
    const found = await ask(call, input);
    await happens();
    return found;
  });
}

test("an answer that is older than what was booked while it was on its way is not believed", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const { id, payments } = await bought(shop, { capture: true });
  const other = payments[1]?.chargeId ?? "";
  await client.make("POST", `/v1/charges/${other}/void`, { body: { amount: 2_000 } });
  meanwhile(async () => {
    await undoThere(other);
    await reconcileNow(await contextOf(client), other);
  });
  await reconcileNow(await contextOf(client), other);
  vi.restoreAllMocks();
  expect(slotsOf(await readPurchase(client, id))).toEqual([
    ["authorized", 0],
    ["authorized", 0],
  ]);
  expect(await brokenOf(client)).toEqual([]);
});

test("news that come while an answer is on its way are looked at after it", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const { id, payments } = await bought(shop, { capture: true });
  const one = payments[0]?.chargeId ?? "";
  await client.make("POST", `/v1/charges/${one}/void`, { body: { amount: 2_000 } });
  meanwhile(async () => {
    await undoThere(one);
    const ctx = await contextOf(client);
    await inTransaction(ctx, (inside) => schedule(inside, "charge.watch", one, now(ctx)));
  });
  await lookSoon(client, one);
  vi.restoreAllMocks();
  expect(slotsOf(await readPurchase(client, id))[0]).toEqual(["authorized", 0]);
});

test("a capture of one card that is told as lost takes the card out; its refund that fails then moves nothing", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const { id, payments } = await bought(shop, { capture: true });
  const [one = ""] = payments.map(({ chargeId }) => chargeId);
  await client.make("POST", `/v1/charges/${one}/void`, { body: { amount: 2_000 } });
  const adapter = providerFor("SANDBOX");
  const ask = adapter.query.bind(adapter);
  const query = vi.spyOn(adapter, "query").mockImplementation(async (call, input) => {
    const found = await ask(call, input);
    const captureFailed = { captureId: "capture-1", reason: "undone" };
    return found.kind === "found" ? { ...found, captured: 0, captureFailed } : found;
  });
  await lookSoon(client, one);
  const lost = await readPurchase(client, id);
  expect([lost.status, ...slotsOf(lost)]).toEqual(["paid", ["voided", 5_000], ["authorized", 0]]);
  await undoThere(one);
  await lookSoon(client, one);
  query.mockRestore();
  expect(await readPurchase(client, id)).toEqual(lost);
  const [refund] = await sql`
    select state, request_status as status, request_status_reason as reason from transaction_requests
     where charge_id = ${one} and kind in ('refund', 'void')`;
  expect(refund).toEqual({ state: "approved", status: "failed", reason: "failed_at_provider" });
  expect(await brokenOf(client)).toEqual([]);
});

test("a card given up as not found is watched: a hold that shows up late is released, also when that answer is lost", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const { id } = await bought(shop, { outcomes: ["approve", "timeout_not_found_at_provider"] });
  await advance(client, "PT30M");
  const failed = await readPurchase(client, id);
  expect(failed.status).toBe("failed");
  const chargeId = failed.payments[1]?.chargeId ?? "";
  const late = await bought(shop);
  const other = late.payments[0]?.chargeId ?? "";
  // As an acquirer books it long after its answer was due: another payment's record, under this one's reference.
  await sql`
    update sandbox_transactions set charge_id = ${chargeId}, scenario = null,
           reference = (select reference from transaction_requests where charge_id = ${chargeId} and kind = 'authorize')
     where charge_id = ${other}`;
  await sql`update charges set scenario = 'fault=drop_response;step=void;times=1' where id = ${chargeId}`;
  await advance(client, "PT8H");
  const [at] = await sql`select state from sandbox_transactions where charge_id = ${chargeId}`;
  expect(at?.state).toBe("voided");
  const attempts = await sql<{ kind: string; state: string }[]>`
    select kind, state from transaction_requests where charge_id = ${chargeId} order by created_at`;
  expect(attempts.map(({ kind, state }) => `${kind} ${state}`)).toEqual(["authorize absent", "void approved"]);
  expect(await readPurchase(client, id)).toMatchObject({
    status: "failed",
    payments: [{ status: "voided" }, { status: "failed" }],
  });
  const [open] = await sql`
    select count(*)::int as n from due_jobs where ref_id = ${chargeId} and kind in ('orphan.watch', 'attempt.query')`;
  expect(open?.n).toBe(0);
});
