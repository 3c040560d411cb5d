import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { TRIALS, type Trial } from "@/lib/testing/purchase-trials";
import {
  advance,
  bought,
  changePurchase,
  type NewPurchase,
  type PurchaseReply,
  readPurchase,
  work,
} from "@/lib/testing/purchases";

async function play({ acts = [], ...trial }: Trial) {
  const client = await openClient();
  const shop = await withMerchant(client);
  const { outcomes, capture, scenario } = trial;
  const given: NewPurchase = { outcomes, capture: capture ?? false, ...(scenario ? { scenario } : {}) };
  let purchase: PurchaseReply = await bought(shop, given);
  for (const act of acts) {
    if ("advance" in act) await advance(client, act.advance);
    else {
      const reply = await changePurchase(client, purchase.id, "capture" in act ? "capture" : "void");
      expect(reply.status, reply.text).toBe(202);
      await work(client);
    }
  }
  purchase = await readPurchase(client, purchase.id);
  return purchase;
}

describe("what becomes of a purchase", () => {
  test.for(TRIALS)("$story", async (trial) => {
    const purchase = await play(trial);
    const sql = systemSql();
    const operations = await sql<{ name: string }[]>`
      select type || ' ' || status as name from purchase_operations where purchase_id = ${purchase.id} order by id`;
    const events = await sql<{ event: string }[]>`
      select event from events where entity_id = ${purchase.id} order by entity_version`;
    expect({
      status: purchase.status,
      slots: purchase.payments.map(({ status }) => status),
      operations: operations.map(({ name }) => name),
      events: events.map(({ event }) => event),
      review: purchase.pendingReview?.reason,
    }).toEqual({
      status: trial.status,
      slots: trial.slots,
      operations: trial.operations,
      events: trial.events,
      review: trial.review,
    });
    expect(purchase.activeOperation).toBeUndefined();
    if (trial.declines) expect(purchase.payments.map(({ declineReason }) => declineReason)).toEqual(trial.declines);
    await agrees(purchase, trial);
  });
});

/** The ledger, the charges and the simulator's own record say the same of every card. */
async function agrees(purchase: PurchaseReply, { simulator }: Trial): Promise<void> {
  const sql = systemSql();
  for (const [index, slot] of purchase.payments.entries()) {
    const [row] = await sql<{ state: string; captured: number; refunded: number }[]>`
      select t.state, t.captured::int as captured,
             coalesce((select sum(m.amount) from sandbox_movements m where m.transaction_id = t.id and m.kind = 'refund'), 0)::int as refunded
        from sandbox_transactions t where t.charge_id = ${slot.chargeId ?? purchase.id}`;
    if (simulator) expect(row?.state ?? null).toBe(simulator[index]);
    if (!slot.chargeId) continue;
    const [books] = await sql<{ receivable: number; held: number; refunded: number }[]>`
      select coalesce(sum(p.amount) filter (where a.kind = 'provider_receivable' and j.event_type = 'capture'), 0)::int as receivable,
             coalesce(sum(p.amount) filter (where a.kind = 'memo:hold'), 0)::int as held,
             coalesce(-sum(p.amount) filter (where a.kind = 'provider_receivable' and j.event_type = 'refund'), 0)::int as refunded
        from journals j join postings p on p.journal_id = j.id join ledger_accounts a on a.id = p.account_id
       where j.charge_id = ${slot.chargeId}`;
    expect(books?.refunded, "refundedAmount is the ledger's").toBe(slot.refundedAmount);
    expect(books?.held, "what is held is in the memo accounts").toBe(
      slot.status === "pre_authorized" ? slot.amount : 0,
    );
    expect(books?.receivable, "captured as the provider says").toBe(row?.captured ?? 0);
    const [charge] = await sql<{ refunded: number; status: string }[]>`
      select refunded_amount::int as refunded, status from charges where id = ${slot.chargeId}`;
    expect(charge?.refunded).toBe(slot.refundedAmount);
    if (slot.status !== "undetermined") expect(charge?.status).toBe(slot.status);
  }
}
