import { describe, expect, test, vi } from "vitest";
import { GET } from "@/app/files/payment-batches/[id]/route";
import { systemSql } from "@/db/client";
import { nextBankDay } from "@/lib/brazil/bank-calendar";
import { batchOverview } from "@/lib/finance/batch";
import { listBatchesForOperator } from "@/lib/finance/batches";
import { waitingDecisions } from "@/lib/finance/waiting";
import { SamePerson } from "@/lib/operators/second-person";
import { endAdjustment, proposeAdjustment } from "@/lib/payouts/adjustments";
import { holdPayouts, holdsOf, resumePayouts } from "@/lib/payouts/holds";
import { endMark, markableOf, proposeMark, type TransferMark } from "@/lib/payouts/marking";
import { workOnTransfers } from "@/lib/payouts/transfers";
import { openProposals } from "@/lib/proposals/service";
import { transferBank } from "@/lib/providers/registry";
import type { TestClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";
import { available, broken, onPayday, to } from "@/lib/testing/payouts";
import { person } from "@/lib/testing/people";

interface Batch {
  id: string;
  status: string;
  payoutDate: string | null;
  reportUrl: string;
  error: { reason: string } | null;
}

const batchesOf = async (client: TestClient, sellerId: string) =>
  (await client.make<List<Batch>>("GET", `/v1/payouts/payment-batches?order=asc&sellerId=${sellerId}`)).items;
const csvAt = async (url: string): Promise<string | null> => {
  const id = new URL(url).pathname.split("/").at(-1) ?? "";
  const answer = await GET(new Request(url), { params: Promise.resolve({ id }) });
  return answer.status === 200 ? answer.text() : null;
};
const noticesOf = async (client: TestClient) =>
  (
    await systemSql()<{ kind: string }[]>`
      select kind from notices where client_id = ${client.clientId} and (path like '/dashboard/payouts/%'
        or path like '/dashboard/finance/%') order by created_at, id`
  ).map(({ kind }) => kind);
describe("how a transfer ended that no bank tells of", { timeout: 60_000 }, () => {
  test("is said by two people: paid, failed, returned; what cannot be is refused", async () => {
    const { client, ids, day } = await onPayday("none", 2);
    const [a = "", b = ""] = ids;
    const [ofA] = await batchesOf(client, a);
    const [ofB] = await batchesOf(client, b);
    expect([ofA?.status, ofB?.status]).toEqual(["pending", "pending"]);
    const [first, second] = [await person(client, "owner"), await person(client, "finance")];
    const paid: TransferMark = { how: "paid", bankReference: "E123", paidOn: day };
    const propose = (mark: TransferMark, id = ofA?.id ?? "") => proposeMark(first, id, mark, "as the bank's page says");
    await expect(propose({ ...paid, paidOn: nextBankDay(day) })).rejects.toMatchObject({ status: 400 });
    await expect(propose({ ...paid, paidOn: "2020-01-02" })).rejects.toMatchObject({ status: 400 });
    await expect(propose({ how: "returned", error: "unknown" })).rejects.toMatchObject({ status: 400 });
    await expect(propose(paid, b)).rejects.toMatchObject({ status: 404 });
    expect(await propose({ how: "failed", error: "unknown" })).toBe("proposed");
    expect(await propose(paid)).toBe("proposed");
    const { marks, waiting } = await markableOf(second, ofA?.id ?? "");
    expect([marks, waiting?.kind]).toEqual([["paid", "failed"], "payout_paid"]);
    const batch = ofA?.id ?? "";
    await expect(endMark(first, batch, waiting?.id ?? "", "approved")).rejects.toBeInstanceOf(SamePerson);
    await expect(endMark(second, ofB?.id ?? "", waiting?.id ?? "", "approved")).rejects.toMatchObject({ status: 404 });
    await Promise.allSettled([1, 2, 3].map(() => endMark(second, batch, waiting?.id ?? "", "approved")));
    const [done] = await batchesOf(client, a);
    expect(done).toMatchObject({ status: "paid", payoutDate: day });
    expect(await csvAt(done?.reportUrl ?? "")).toMatch(/^type,amount,(?:.*\r\n)+total,96\.33\r\n$/);
    expect(await csvAt(`${done?.reportUrl}x`)).toBeNull();
    await expect(propose(paid)).rejects.toMatchObject({ status: 400 });

    await propose({ how: "failed", error: "account_closed" }, ofB?.id);
    const asked = (await markableOf(second, ofB?.id ?? "")).waiting?.id ?? "";
    await endMark(second, ofB?.id ?? "", asked, "refused");
    expect(await batchesOf(client, b)).toMatchObject([{ status: "pending" }]);
    await propose({ how: "failed", error: "account_closed" }, ofB?.id);
    await endMark(second, ofB?.id ?? "", (await markableOf(second, ofB?.id ?? "")).waiting?.id ?? "", "approved");
    expect(await batchesOf(client, b)).toMatchObject([{ status: "failed", error: { reason: "account_closed" } }]);
    expect(await available(client, b)).toBe(10_000);
    const { total } = await listBatchesForOperator(second, "finance", { whose: "sellers" });
    expect(total).toEqual({ count: 2, amount: 9_633, isMore: false });

    await propose({ how: "returned", error: "limit_exceeded" });
    await endMark(second, batch, (await markableOf(second, batch)).waiting?.id ?? "", "approved");
    expect(await available(client, a)).toBe(9_633);
    const { items } = await listBatchesForOperator(second, "finance", { whose: "sellers" });
    expect(items.map(({ row, transfer }) => [row.sellerId, row.status, transfer]).sort()).toEqual(
      [
        [a, "paid", "returned"],
        [b, "failed", "failed"],
      ].sort(),
    );
    const isHeld = async (id: string) => (await batchOverview(second, "finance", id, {})).isHeld;
    // Its account is closed; the other one's bank gave a reason that passes.
    expect([await isHeld(ofB?.id ?? ""), await isHeld(batch)]).toEqual([true, false]);
    // What a bank gave back, and what people corrected, say where they come from in the next batch.
    await proposeAdjustment(first, a, { kind: "credit", amount: 500 }, "A late delivery");
    const [credit] = await waitingDecisions(second, "finance", ["adjustment"]);
    expect(credit).toMatchObject({ subjectId: a, amount: 500, about: "Ana Souza", isOwn: false });
    await endAdjustment(second, a, credit?.id ?? "", "approved");
    await to(client, nextBankDay(day), "12:00:00");
    const [, next] = await batchesOf(client, a);
    const { lines } = await batchOverview(second, "finance", next?.id ?? "", {});
    expect(lines.items.flatMap(({ row, adjustment }) => (adjustment ? [[row.amount, adjustment]] : []))).toEqual(
      expect.arrayContaining([
        [9_633, { kind: "returned", reason: "limit_exceeded", batchId: batch }],
        [500, { kind: "credit", reason: "A late delivery", batchId: null }],
      ]),
    );
    expect((await noticesOf(client)).sort()).toEqual(
      ["batch_failed", "payout_returned", ...Array<string>(5).fill("payout_waiting")].sort(),
    );
    const log = await systemSql()`
      select action from audit_log where client_id = ${client.clientId} and object = 'payment_batch'
         and second_actor is not null order by id`;
    expect(log.map(({ action }) => action)).toEqual(["payout.mark_paid", "payout.mark_failed", "payout.mark_returned"]);
    const letters = await systemSql()`
      select data ->> 'kind' as kind, recipient from emails where client_id = ${client.clientId} and template = 'payout'
       order by id`;
    expect(letters.map(({ kind, recipient }) => [kind, recipient])).toEqual([
      ["paid", "ana@example.com"],
      ["failed", "ana@example.com"],
      ["returned", "ana@example.com"],
    ]);
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
    const { client, merchant, ids, day } = await onPayday("sandbox", 1, { time: "06:10:00" });
    const [id = ""] = ids;
    const send = vi.spyOn(transferBank(), "send").mockResolvedValue({ kind: "unknown" });
    await to(client, day, "06:30:00");
    let third = day;
    for (const _ of [1, 2, 3]) third = nextBankDay(third);
    const breaks = () => systemSql()`
      select kind, expected::int, found::int, closed_by from settlement_breaks where merchant_id = ${merchant.id}`;
    await to(client, third, "16:00:00");
    // Its bank may still pay it: whoever calls it failed by now would pay the seller twice.
    const [sent] = await batchesOf(client, id);
    expect((await markableOf(await client.context(), sent?.id ?? "")).marks).toEqual([]);
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
    // It is asked about all the same: paid after all, the seller would be paid twice, and somebody has to know.
    const [{ reference = "" } = {}] = await systemSql()<{ reference: string }[]>`
      select reference from payout_transfers where merchant_id = ${merchant.id}`;
    const states = new Map([[reference, { status: "settled" as const }]]);
    const ask = vi.spyOn(transferBank(), "ask").mockResolvedValue({ kind: "found", states });
    for (const _ of [1, 2]) await workOnTransfers(await client.context(), merchant.id);
    ask.mockRestore();
    expect((await breaks())[1]).toMatchObject({
      kind: "transfer_contradicted",
      expected: 0,
      found: 9_633,
      closed_by: null,
    });
    expect(await batchesOf(client, id)).toMatchObject([{ status: "failed" }]);
  });
});

describe("what people decide of a seller's money", { timeout: 60_000 }, () => {
  test("holds keep what is available where it is; credits, corrections and written-off debts are booked once", async () => {
    const { client, ids, day } = await onPayday("none", 1, { time: "05:30:00" });
    const [id = ""] = ids;
    const [first, second] = [await person(client, "owner"), await person(client, "finance")];
    await holdPayouts(first, id, "asked by the bank");
    await expect(holdPayouts(first, id, "again")).rejects.toMatchObject({ status: 400 });
    await to(client, day, "12:00:00");
    expect([await batchesOf(client, id), await available(client, id)]).toEqual([[], 10_000]);
    await resumePayouts(first, id);
    await expect(resumePayouts(first, id)).rejects.toMatchObject({ status: 400 });
    expect((await holdsOf(first, id)).map(({ cause, liftedAt }) => [cause, liftedAt !== null])).toEqual([
      ["operator", true],
    ]);

    const adjust = async (kind: "credit" | "correction" | "write_off", amount: number) => {
      await proposeAdjustment(first, id, { kind, amount }, "as agreed");
      const [waiting] = await openProposals(second, { subjectId: id });
      const end = () => endAdjustment(second, id, waiting?.id ?? "", "approved");
      await expect(endAdjustment(first, id, waiting?.id ?? "", "approved")).rejects.toBeInstanceOf(SamePerson);
      return (await Promise.allSettled([end(), end()])).filter(({ status }) => status === "fulfilled").length;
    };
    expect(await adjust("credit", 500)).toBe(1);
    expect(await adjust("correction", -12_500)).toBe(1);
    expect(await available(client, id)).toBe(-2_000);
    await expect(proposeAdjustment(first, id, { kind: "write_off", amount: 2_001 }, "gone")).rejects.toMatchObject({
      status: 400,
    });
    expect(await adjust("write_off", 1_500)).toBe(1);
    expect(await available(client, id)).toBe(-500);
    await to(client, nextBankDay(day), "12:00:00");
    const path = `/v1/payouts/payment-batches?sellerId=${id}&order=asc`;
    const fields = { creditAmount: 500, creditAdjustmentAmount: 1_500, debitAdjustmentAmount: 12_500 };
    const { items } = await client.make<List<Record<string, unknown>>>("GET", path);
    expect(items.map(({ status }) => status)).toEqual(["offset", "offset"]);
    expect(items[0]).toMatchObject({ ...fields, finalBalance: -10_500 });
    expect(items[1]).toMatchObject({ balanceAmount: -10_500, finalBalance: -500 });
    expect(await broken(client)).toEqual([]);
  });
});
