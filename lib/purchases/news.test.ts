import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { inTransaction, now, systemContext } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { newId } from "@/lib/ids";
import { openClient, type TestClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { advance, bought, changePurchase, type PurchaseReply, readPurchase, work } from "@/lib/testing/purchases";

const sql = systemSql();

const slotsOf = ({ payments }: PurchaseReply) => payments.map(({ status, refundedAmount }) => [status, refundedAmount]);

const operationsOf = async (id: string) =>
  (
    await sql<{ name: string }[]>`
      select type || ' ' || status || ' ' || requested_by as name
        from purchase_operations where purchase_id = ${id} order by id`
  ).map(({ name }) => name);

/** As after a notification of the provider: the card is looked at when the clock next moves. */
async function lookSoon(client: TestClient, chargeId: string): Promise<void> {
  const ctx = systemContext(await loadAccount(client.clientId), newId());
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
