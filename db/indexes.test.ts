import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";

/**
 * An index of a table that every payment writes is paid for by every payment, again with each change of a row. Each
 * stands here with the file that asks by it, and what it says there; an index nobody asks by any more goes.
 */
const READERS: Readonly<Record<string, Readonly<Record<string, readonly [file: string, asks: string]>>>> = {
  charges: {
    charges_listed: ["lib/charges/queries.ts", "charges.createdAt"],
    charges_client_id_status_created_at_id_index: ["lib/charges/queries.ts", "charges.status"],
    charges_declined: ["lib/charges/search.ts", "declineCode"],
    charges_connection: ["lib/search/payments.ts", "charges.providerId"],
    charges_split: ["lib/charges/search.ts", "charges.hasSplit"],
    charges_metadata: ["lib/search/metadata.ts", "metadata"],
    charges_merchant_id_created_at_id_index: ["lib/charges/queries.ts", "charges.merchantId"],
    charges_customer: ["lib/charges/queries.ts", "c.customer_id ="],
    charges_source_customer: ["lib/charges/queries.ts", "c.source_customer_id ="],
    charges_order: ["lib/search/everything.ts", "order_id"],
    charges_session: ["lib/charges/queries.ts", "charges.sessionId"],
    charges_purchase: ["lib/charges/queries.ts", "charges.purchaseId"],
    charges_of_purchases: ["lib/search/purchases.ts", "charges.providerType"],
    charges_subscription: ["lib/charges/queries.ts", "charges.subscriptionId"],
    charges_created_by_key: ["lib/charges/queries.ts", "charges.createdByKey"],
    charges_leased: ["lib/scheduler/recover.ts", "lease_until < now()"],
    charges_card: ["lib/search/brands.ts", "c.card_id = k.id"],
    charges_original_amount: ["lib/charges/queries.ts", "charges.originalAmount"],
    charges_refunded: ["lib/charges/list-states.ts", "isRefunded(t)"],
    charges_disputed: ["lib/prepayments/free.ts", "c.is_dispute"],
    charges_in_review: ["lib/insights/waiting.ts", "review_since"],
  },
  transaction_requests: {
    transaction_requests_charge_id_index: ["lib/payments/attempts.ts", "{ chargeId }"],
    transaction_requests_measured: ["lib/payments/routing/measures.ts", "provider_id"],
    transaction_requests_card: ["lib/cards/queries.ts", "transactionRequests.cardId"],
    transaction_requests_transaction: ["lib/charges/search.ts", "a.transaction_id ="],
    transaction_requests_nsu: ["lib/charges/search.ts", "a.authorization_nsu ="],
    transaction_requests_code: ["lib/charges/search.ts", "a.authorization_code ="],
    transaction_requests_on_top: ["lib/insights/not-returned.ts", "t.details ? 'surplus'"],
    transaction_requests_late: ["lib/insights/kept-apart.ts", "'paid_after_cancellation'"],
    transaction_requests_disputes: ["lib/disputes/queries.ts", "'charge_back'"],
  },
  routing_decisions: {
    routing_decisions_flow: ["lib/flows/tally.ts", "flow_id"],
    routing_decisions_replayed: ["lib/flows/replays/reading.ts", "routing_decisions"],
  },
  idempotency_keys: {
    idempotency_keys_created: ["lib/request-logs/keys.ts", "desc(createdAt)"],
    idempotency_keys_expired: ["lib/scheduler/recover.ts", "keep_until < now()"],
    idempotency_keys_resource: ["lib/charges/answer.ts", "resourceId: chargeId"],
  },
  events: {
    events_client_id_created_at_id_index: ["lib/scheduler/recover.ts", '"events"'],
    events_waiting: ["lib/webhooks/fan-out.ts", "fanned_out_at is null"],
  },
  journals: { journals_charge: ["lib/invariants/catalogue.ts", "j.charge_id = c.id"] },
  transfers: {
    transfers_debits: ["lib/ledger/checkpoints.ts", "debit_account"],
    transfers_credits: ["lib/ledger/checkpoints.ts", "credit_account"],
  },
  cards: {
    cards_client_id_created_at_id_index: ["lib/cards/queries.ts", "cards.createdAt"],
    cards_customer: ["lib/customers/operator-queries.ts", "cards.customerId"],
    cards_client_id_fingerprint_index: ["lib/cards/queries.ts", "cards.fingerprint"],
    cards_brand: ["lib/search/brands.ts", "brand"],
    cards_holder: ["lib/search/holders.ts", "foldedSql(sql`k.card_holder_name`)"],
    cards_last_four: ["lib/charges/search.ts", "k.last4digits ="],
  },
  card_tokens: { card_tokens_expiry: ["lib/tokens/sweep.ts", "cardTokens.expiresAt"] },
  request_logs: {
    request_logs_client_id_created_at_id_index: ["lib/request-logs/queries.ts", "requestLogs.createdAt"],
    request_logs_created: ["lib/scheduler/recover.ts", '"requestLogs"'],
    request_logs_key: ["lib/request-logs/keys.ts", "requestLogs.idempotencyKey"],
  },
};

/** What keeps a promise by being unique needs no reader. */
const indexesOf = async (table: string): Promise<string[]> =>
  (
    await systemSql()<{ name: string }[]>`
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = ${table}::regclass and not i.indisunique order by 1`
  ).map(({ name }) => name);

describe("the indexes that every payment writes", () => {
  test.each(Object.entries(READERS))("of %s: each has its reader", async (table, readers) => {
    expect(await indexesOf(table)).toEqual(Object.keys(readers).sort());
    const unread = Object.entries(readers).filter(([, [file, asks]]) => !readFileSync(file, "utf8").includes(asks));
    expect(unread).toEqual([]);
  });
});

/** However small a table is here: the planner takes the index where it may not read and sort everything. */
test("payment orders are listed by an index that holds them in their order", async () => {
  const plan = await systemSql().begin(async (sql) => {
    await sql`set local enable_seqscan = off`;
    await sql`set local enable_sort = off`;
    return sql`
      explain select * from receivables where client_id = '00000000-0000-7000-8000-000000000001' and available_at is not null
        order by created_at desc, id desc limit 10`;
  });
  expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(/Index Scan Backward using receivables_orders/);
});
