import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { openShop } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";

test("a hold that shows up after its payment was given up is released, and the charge stays failed", async () => {
  const shop = await openShop();
  const { id } = (await shop.pay(sandboxPan("timeout_not_found_at_provider"))).body;
  await shop.advance("PT10M");
  expect((await shop.charge(id)).status).toBe("failed");
  // As an acquirer books it long after its answer was due: another payment's record, under this one's reference.
  const other = (await shop.pay(sandboxPan("approve"), { capture: false })).body;
  const sql = systemSql();
  await sql`
    update sandbox_transactions set charge_id = ${id},
           reference = (select reference from transaction_requests where charge_id = ${id})
     where charge_id = ${other.id}`;
  await shop.advance("PT7H");
  const charge = await shop.charge(id);
  expect(charge.status).toBe("failed");
  expect(charge.transactionRequests.map((one) => `${one.requestType} ${one.requestStatus}`)).toEqual([
    "void success",
    "pre_authorization failed",
  ]);
  const [transaction] = await sql`select state from sandbox_transactions where charge_id = ${id}`;
  expect(transaction?.state).toBe("voided");
  const events = await sql<{ event: string }[]>`
    select event from events where entity_id = ${id} order by entity_version`;
  expect(events.map(({ event }) => event)).toEqual(["pending", "failed", "probe_void"]);
  const [left] = await sql`select count(*)::int as n from due_jobs where ref_id = ${id}`;
  expect(left?.n).toBe(0);
});
