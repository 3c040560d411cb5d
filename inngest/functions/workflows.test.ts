import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { drainDueJobsWorkflow } from "@/inngest/functions/drain-due-jobs";
import { deleteExpiredRows, recoverChargesWorkflow } from "@/inngest/functions/recover-charges";
import { cronEvent, DRIVERS } from "@/lib/engine/testing";
import { openClient } from "@/lib/testing/api";
import { testDatabaseUrl } from "@/lib/testing/database";
import { payByCard, readCharge, withMerchant } from "@/lib/testing/payments";

describe.each(DRIVERS)("the product's workflows through %s", (_, run) => {
  test("what is due is done: an unknown payment is asked about and settled", async () => {
    const shop = await withMerchant(await openClient());
    const { body } = await payByCard(shop, { outcome: "timeout_authorised_at_provider" });
    expect(body.status).toBe("pending");
    await systemSql()`update due_jobs set wake_at = now() - interval '1 second' where ref_id = ${body.id}`;
    const result = await run(drainDueJobsWorkflow, cronEvent(drainDueJobsWorkflow));
    expect(result.status).toBe("completed");
    expect((await readCharge(shop.client, body.id)).status).toBe("pre_authorized");
  });

  test("what a dead process left is finished: its attempt is asked about, never sent again", async () => {
    const shop = await withMerchant(await openClient());
    const { body } = await payByCard(shop);
    const sql = systemSql();
    const owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
    // As a process leaves it that dies after the provider answered and before that was written.
    await owner`alter table charges disable trigger charges_legal_transition`;
    await sql`
      update charges set status = 'pending', operation = 'authorize', operation_by = 'system', operation_from = 'pending',
             lease_until = now() - interval '1 second' where id = ${body.id}`;
    await owner`alter table charges enable trigger charges_legal_transition`;
    await owner.end();
    await sql`update transaction_requests set state = 'sent', transaction_id = null where charge_id = ${body.id}`;
    expect((await run(recoverChargesWorkflow, cronEvent(recoverChargesWorkflow))).status).toBe("completed");
    expect((await readCharge(shop.client, body.id)).status).toBe("pending");
    await sql`update due_jobs set wake_at = now() - interval '1 second' where ref_id = ${body.id}`;
    await run(drainDueJobsWorkflow, cronEvent(drainDueJobsWorkflow));
    expect((await readCharge(shop.client, body.id)).status).toBe("pre_authorized");
    const [calls] = await sql<{ n: number }[]>`
      select count(*)::int as n from sandbox_calls where charge_id = ${body.id} and operation = 'authorize'`;
    expect(calls?.n).toBe(1);
  });

  test("old rows are forgotten, younger ones stay", async () => {
    const client = await openClient();
    await client.make("POST", "/v1/auth", { body: { scope: "tokens" }, idempotencyKey: "old" });
    await client.make("POST", "/v1/auth", { body: { scope: "tokens" }, idempotencyKey: "young" });
    const sql = systemSql();
    await sql`update idempotency_keys set keep_until = now() - interval '1 second' where client_id = ${client.clientId} and key = 'old'`;
    expect((await run(deleteExpiredRows, cronEvent(deleteExpiredRows))).status).toBe("completed");
    const keys = await sql<{ key: string }[]>`select key from idempotency_keys where client_id = ${client.clientId}`;
    expect(keys.map((row) => row.key)).toEqual(["young"]);
  });
});
