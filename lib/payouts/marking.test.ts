import { describe, expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import { nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { endMark, type Mark, markableOf, proposeMark } from "@/lib/payouts/marking";
import { workOnTransfers } from "@/lib/payouts/transfers";
import { SamePerson } from "@/lib/proposals/service";
import { transferBank } from "@/lib/providers/registry";
import { openClient, type TestClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { payByPix, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";
import { openSellers } from "@/lib/testing/sellers";

interface Batch {
  id: string;
  status: string;
  payoutDate: string | null;
  error: { reason: string } | null;
}

const to = (client: TestClient, day: string, time: string) =>
  client.make("POST", "/v1/sandbox/clock", { body: { to: `${day}T${time}-03:00` } });
const batchesOf = async (client: TestClient, sellerId: string) =>
  (await client.make<List<Batch>>("GET", `/v1/payouts/payment-batches?order=asc&sellerId=${sellerId}`)).items;
const available = async (client: TestClient, sellerId: string) =>
  (await client.make<{ available: number }>("GET", `/v1/payouts/balance?sellerId=${sellerId}`)).available;
const noticesOf = async (client: TestClient) =>
  (
    await systemSql()<{ kind: string }[]>`
      select kind from notices where client_id = ${client.clientId} and (path like '/dashboard/payouts/%'
        or path like '/dashboard/finance/%') order by created_at, id`
  ).map(({ kind }) => kind);
const broken = async (client: TestClient) =>
  (await client.make<{ invariants: { id: string; violations: number }[] }>("GET", "/v1/invariants")).invariants.filter(
    ({ violations }) => violations > 0,
  );

/** Each seller is owed 100.00; the merchant's day has just been cut. */
async function afterCut(rail: "sandbox" | "none", sellers: number, time = "12:00:00") {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  await client.make("PATCH", `/v1/merchants/${merchant.id}`, { body: { payoutRail: rail } });
  const transferPolicy = { transferInterval: "daily", transferDay: 0, transferEnabled: true };
  const ids = await openSellers(client, merchant.id, sellers, { transferPolicy });
  const splitRules = ids.map((sellerId) => ({ sellerId, amount: 10_000 }));
  const { body } = await payByPix(shop, { amount: 10_000 * sellers, changes: { splitRules } });
  await client.make("POST", `/v1/sandbox/pix/${body.id}/pay`, { body: {} });
  const { now } = await client.make<{ now: string }>("GET", "/v1/sandbox/clock");
  const day = nextBankDay(saoPauloDay(new Date(now)));
  await to(client, day, time);
  return { client, merchant, ids, day };
}

describe("how a transfer ended that no bank tells of", { timeout: 60_000 }, () => {
  test("is said by two people: paid, failed, returned; what cannot be is refused", async () => {
    const { client, ids, day } = await afterCut("none", 2);
    const [a = "", b = ""] = ids;
    const [ofA] = await batchesOf(client, a);
    const [ofB] = await batchesOf(client, b);
    expect([ofA?.status, ofB?.status]).toEqual(["pending", "pending"]);
    const [first, second] = [await person(client, "owner"), await person(client, "finance")];
    const paid: Mark = { how: "paid", bankReference: "E123", paidOn: day };
    const propose = (mark: Mark, id = ofA?.id ?? "") => proposeMark(first, id, mark, "as the bank's page says");
    await expect(propose({ ...paid, paidOn: nextBankDay(day) })).rejects.toMatchObject({ status: 400 });
    await expect(propose({ ...paid, paidOn: "2020-01-02" })).rejects.toMatchObject({ status: 400 });
    await expect(propose({ how: "returned", error: "unknown" })).rejects.toMatchObject({ status: 400 });
    await expect(propose(paid, b)).rejects.toMatchObject({ status: 404 });
    expect(await propose({ how: "failed", error: "unknown" })).toBe("proposed");
    expect(await propose(paid)).toBe("proposed");
    const { marks, waiting } = await markableOf(second, ofA?.id ?? "");
    expect([marks, waiting?.kind]).toEqual([["paid", "failed"], "payout_paid"]);
    await expect(endMark(first, waiting?.id ?? "", "approved")).rejects.toBeInstanceOf(SamePerson);
    await Promise.allSettled([1, 2, 3].map(() => endMark(second, waiting?.id ?? "", "approved")));
    expect(await batchesOf(client, a)).toMatchObject([{ status: "paid", payoutDate: day }]);
    await expect(propose(paid)).rejects.toMatchObject({ status: 400 });

    await propose({ how: "failed", error: "account_closed" }, ofB?.id);
    const asked = (await markableOf(second, ofB?.id ?? "")).waiting?.id ?? "";
    await endMark(second, asked, "refused");
    expect(await batchesOf(client, b)).toMatchObject([{ status: "pending" }]);
    await propose({ how: "failed", error: "account_closed" }, ofB?.id);
    await endMark(second, (await markableOf(second, ofB?.id ?? "")).waiting?.id ?? "", "approved");
    expect(await batchesOf(client, b)).toMatchObject([{ status: "failed", error: { reason: "account_closed" } }]);
    expect(await available(client, b)).toBe(10_000);

    await propose({ how: "returned", error: "holder_mismatch" });
    await endMark(second, (await markableOf(second, ofA?.id ?? "")).waiting?.id ?? "", "approved");
    expect(await available(client, a)).toBe(9_633);
    expect((await noticesOf(client)).sort()).toEqual(
      ["batch_failed", "payout_returned", ...Array<string>(5).fill("payout_waiting")].sort(),
    );
    const log = await systemSql()`
      select action from audit_log where client_id = ${client.clientId} and object = 'payment_batch'
         and second_actor is not null order by id`;
    expect(log.map(({ action }) => action)).toEqual(["payout.mark_paid", "payout.mark_failed", "payout.mark_returned"]);
    const books = await systemSql()`
      select event_type as type, count(*)::int as n from journals where client_id = ${client.clientId}
         and event_type in ('payout_paid', 'payout_failed', 'payout_returned') group by 1 order by 1`;
    expect(books.map(({ type, n }) => [type, n])).toEqual([
      ["payout_failed", 1],
      ["payout_paid", 1],
      ["payout_returned", 1],
    ]);
    expect(await broken(client)).toEqual([]);
  });

  test("is asked about for three bank days, then a discrepancy; it is never sent again, and one person alone may end it", async () => {
    const { client, merchant, ids, day } = await afterCut("sandbox", 1, "06:29:59");
    const [id = ""] = ids;
    const send = vi.spyOn(transferBank(), "send").mockResolvedValue({ kind: "unknown" });
    await to(client, day, "06:30:00");
    let third = day;
    for (const _ of [1, 2, 3]) third = nextBankDay(third);
    const breaks = () => systemSql()`
      select kind, expected::int, found::int, closed_by from settlement_breaks where merchant_id = ${merchant.id}`;
    await to(client, third, "16:59:59");
    expect(await breaks()).toHaveLength(0);
    await to(client, third, "18:00:00");
    expect(await breaks()).toMatchObject([{ kind: "transfer_unknown", expected: 9_633, found: 0, closed_by: null }]);
    await to(client, nextBankDay(third), "12:00:00");
    await workOnTransfers(await client.context(), merchant.id);
    expect(await batchesOf(client, id)).toMatchObject([{ status: "pending" }]);
    expect(send.mock.calls.filter(([{ providerId }]) => providerId === merchant.id)).toHaveLength(1);
    send.mockRestore();
    const owner = await person(client, "owner");
    const [batch] = await batchesOf(client, id);
    expect(
      await proposeMark(owner, batch?.id ?? "", { how: "failed", error: "bank_unavailable" }, "never arrived"),
    ).toBe("done");
    expect(await breaks()).toMatchObject([{ closed_by: "agreement" }]);
    expect(await available(client, id)).toBe(10_000);
    expect(await noticesOf(client)).toEqual(["discrepancy_opened", "batch_failed"]);
    expect(await broken(client)).toEqual([]);
  });
});
