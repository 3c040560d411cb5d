import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { inTransaction, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { newId } from "@/lib/ids";
import { openShop } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { addProvider, payByCard, readCharge, withMerchant } from "@/lib/testing/payments";
import { advance, buy, readPurchase, work } from "@/lib/testing/purchases";

const sql = systemSql();

/** As an acquirer does that did not know its own reference again: the same authorisation once more. */
const twice = (chargeId: string) => sql`
  insert into sandbox_transactions
  select (jsonb_populate_record(t, jsonb_build_object('id', ${newId()}::text, 'copy', 1))).*
    from sandbox_transactions t where t.charge_id = ${chargeId} and t.authorized > 0`;

const heldAtProvider = (chargeId: string) => sql<{ copy: number; state: string }[]>`
  select copy, state from sandbox_transactions where charge_id = ${chargeId} order by copy`;

const auditOf = (chargeId: string) => sql<{ action: string }[]>`
  select action from audit_log where object_id = ${chargeId} and action = 'charge.release_duplicate'`;

describe("a reference that the provider took twice", () => {
  test.for([
    [false, "pre_authorized", "held"],
    [true, "authorized", "captured"],
  ] as const)(
    "capture %s: the second is released under an attempt of its own, the charge stays as it is",
    async ([capture, status, state]) => {
      const shop = await openShop();
      const { id } = (await shop.pay(sandboxPan("timeout_authorised_at_provider"), { capture })).body;
      await twice(id);
      await shop.advance("PT20M");
      const charge = await shop.charge(id);
      expect(charge.status).toBe(status);
      expect(charge.transactionRequests.map((one) => `${one.requestType} ${one.requestStatus}`)).toContain(
        "void success",
      );
      expect(await heldAtProvider(id)).toEqual([
        { copy: 0, state },
        { copy: 1, state: "voided" },
      ]);
      expect(await auditOf(id)).toHaveLength(1);
      const events = await sql<
        { event: string }[]
      >`select event from events where entity_id = ${id} order by entity_version`;
      expect(events.at(-1)?.event).toBe("probe_void");
      const [left] = await sql`select count(*)::int as n from due_jobs where ref_id = ${id} and kind = 'orphan.watch'`;
      expect(left?.n).toBe(0);
    },
  );

  test("by the second provider, after the first one declined", async () => {
    const shop = await withMerchant(await openClient());
    await addProvider(shop, { priority: 2 });
    const { id } = (
      await payByCard(shop, {
        scenario: "provider=1;outcome=decline:generic",
        outcome: "timeout_authorised_at_provider",
      })
    ).body;
    await twice(id);
    await advance(shop.client, "PT20M");
    expect((await readCharge(shop.client, id)).status).toBe("pre_authorized");
    expect((await heldAtProvider(id)).map(({ state }) => state).sort()).toEqual(["declined", "held", "voided"]);
  });

  test("by the first provider, of which one was declined: released there, though the second is paid", async () => {
    const shop = await withMerchant(await openClient());
    const second = await addProvider(shop, { priority: 2 });
    const { id } = (await payByCard(shop, { scenario: "provider=1;outcome=decline:generic" })).body;
    await sql`
      insert into sandbox_transactions
      select (jsonb_populate_record(held, jsonb_build_object('id', ${newId()}::text, 'copy', 1,
               'reference', declined.reference, 'provider_id', declined.provider_id))).*
        from sandbox_transactions held join sandbox_transactions declined using (charge_id)
       where charge_id = ${id} and held.state = 'held' and declined.state = 'declined'`;
    const ctx = await shop.client.context();
    await inTransaction(ctx, (inside) => schedule(inside, "orphan.watch", id, now(inside)));
    await advance(shop.client, "PT20M");
    expect(await readCharge(shop.client, id)).toMatchObject({ status: "pre_authorized" });
    const held = await sql<{ provider_id: string; state: string }[]>`
      select provider_id, state from sandbox_transactions where charge_id = ${id} and state <> 'declined'`;
    expect(held.map(({ provider_id, state }) => [provider_id === second ? "second" : "first", state]).sort()).toEqual([
      ["first", "voided"],
      ["second", "held"],
    ]);
  });

  test("a card of a purchase: released when no operation runs, and the purchase is paid with the first", async () => {
    const shop = await withMerchant(await openClient());
    const { id } = (await buy(shop, { outcomes: ["timeout_authorised_at_provider", "approve"], capture: true })).body;
    await work(shop.client);
    const chargeId = (await readPurchase(shop.client, id)).payments[0]?.chargeId ?? "";
    await twice(chargeId);
    await advance(shop.client, "PT1H");
    expect(await readPurchase(shop.client, id)).toMatchObject({
      status: "paid",
      payments: [{ status: "authorized" }, { status: "authorized" }],
    });
    expect(await heldAtProvider(chargeId)).toEqual([
      { copy: 0, state: "captured" },
      { copy: 1, state: "voided" },
    ]);
    expect(await auditOf(chargeId)).toHaveLength(1);
  });
});
