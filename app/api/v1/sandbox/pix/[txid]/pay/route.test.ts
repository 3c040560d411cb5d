import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { type ChargeReply, openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { aKey, openClient } from "@/lib/testing/api";
import { addSeconds } from "@/lib/time";

const pay = (shop: Pick<Shop, "call">, id: string, body: Record<string, unknown> = {}, key?: string) =>
  shop.call<ChargeReply>("POST", `/v1/sandbox/pix/${id}/pay`, { body, ...(key ? { idempotencyKey: key } : {}) });

const requestsOf = ({ transactionRequests }: ChargeReply) =>
  transactionRequests.map((one) => `${one.requestType} ${one.requestStatus} ${one.amount}`);

const ledgerOf = async (id: string) => {
  const rows = await systemSql()<{ event_type: string; amount: number }[]>`
    select j.event_type, sum(p.amount) filter (where p.amount > 0)::int as amount
      from journals j join postings p on p.journal_id = j.id where j.charge_id = ${id} group by 1 order by 1`;
  return Object.fromEntries(rows.map((row) => [row.event_type, row.amount]));
};

describe("POST /v1/sandbox/pix/{txid}/pay", () => {
  test("200: paid in full by the charge's id; the same by its txid", async () => {
    const shop = await openShop();
    const { id } = await shop.pix(4_990);
    const reply = await pay(shop, id);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ status: "authorized", amount: 4_990, capturedAmount: 4_990, expiresAt: null });
    expect(requestsOf(reply.body)).toEqual(["authorization success 4990", "pending success 4990"]);
    expect(await ledgerOf(id)).toEqual({ capture: 4_990 });
    const other = await shop.pix();
    const byTxid = await pay(shop, other.transactionRequests[0]?.pix?.txid ?? "");
    expect(byTxid.status === 200 ? byTxid.body.status : byTxid.text).toBe("authorized");
  });

  test("200: another amount is taken as paid; what was asked stays", async () => {
    const shop = await openShop();
    const { id } = await shop.pix(4_990);
    const { body } = await pay(shop, id, { amount: 5_010 });
    expect(body).toMatchObject({ status: "authorized", amount: 5_010, originalAmount: 4_990, capturedAmount: 5_010 });
    expect(await ledgerOf(id)).toEqual({ capture: 5_010 });
  });

  test("200: the second of two payments goes back in full", async () => {
    const shop = await openShop();
    const { id } = await shop.pix(4_990);
    const { body } = await pay(shop, id, { times: 2 });
    expect(body).toMatchObject({ status: "authorized", capturedAmount: 4_990, refundedAmount: 0 });
    const [sums] = await systemSql()`
      select count(*) filter (where kind = 'payment')::int as paid, count(*) filter (where kind = 'refund')::int as sent_back
        from sandbox_movements m join sandbox_transactions t on t.id = m.transaction_id where t.charge_id = ${id}`;
    expect(sums).toEqual({ paid: 2, sent_back: 1 });
    expect(requestsOf(await shop.charge(id))).toEqual([
      "void success 4990",
      "authorization success 4990",
      "authorization success 4990",
      "pending success 4990",
    ]);
    const [suspense] = await systemSql()`
      select coalesce(sum(p.amount), 0)::int as left, count(*)::int as lines from postings p
        join ledger_accounts a on a.id = p.account_id join journals j on j.id = p.journal_id
       where j.charge_id = ${id} and a.kind = 'suspense'`;
    expect(suspense).toEqual({ left: 0, lines: 2 });
    // The sale itself is untouched: all of it can still be refunded.
    const whole = await shop.make<ChargeReply>("POST", `/v1/charges/${id}/void`, { body: {} });
    expect(whole).toMatchObject({ status: "voided", refundedAmount: 4_990 });
    await shop.advance("P1D");
    const [again] = await systemSql()`
      select count(*)::int as n from sandbox_movements m join sandbox_transactions t on t.id = m.transaction_id
       where t.charge_id = ${id} and m.kind = 'refund'`;
    expect(again?.n).toBe(2);
  });

  test("200: a return that is never answered is found, and made once", async () => {
    const shop = await openShop();
    const { id } = await shop.pix(4_990);
    const scenario = "fault=drop_response;step=refund";
    await systemSql()`update sandbox_transactions set scenario = ${scenario} where charge_id = ${id}`;
    const { body } = await pay(shop, id, { times: 2 });
    expect(body).toMatchObject({ status: "authorized", capturedAmount: 4_990, refundedAmount: 0 });
    expect(requestsOf(body)[0]).toBe("void timeout 4990");
    const busy = await shop.call("POST", `/v1/charges/${id}/void`, { body: {} });
    expect([busy.status, busy.error?.businessCode]).toEqual([409, "charge_operation_in_progress"]);
    await shop.advance("PT5M");
    const charge = await shop.charge(id);
    expect(charge).toMatchObject({ status: "authorized", refundedAmount: 0 });
    expect(requestsOf(charge)[0]).toBe("void success 4990");
    const [row] = await systemSql()`
      select count(*)::int as n from sandbox_movements m join sandbox_transactions t on t.id = m.transaction_id
       where t.charge_id = ${id} and m.kind = 'refund'`;
    expect(row?.n).toBe(1);
  });

  test("200: paid after expiry, the charge is canceled and the money goes back", async () => {
    const shop = await openShop();
    const { id } = await shop.pix();
    const scheduled = await pay(shop, id, { after: "expiry" });
    expect(scheduled.body.status).toBe("pending");
    await shop.advance("PT2H");
    expect(await shop.charge(id)).toMatchObject({ status: "canceled", capturedAmount: 0 });
    const [row] = await systemSql()`
      select count(*)::int as n from sandbox_movements m join sandbox_transactions t on t.id = m.transaction_id
       where t.charge_id = ${id} and m.kind = 'refund'`;
    expect(row?.n).toBe(1);
  });

  test("200: at a later instant of the test clock", async () => {
    const shop = await openShop();
    const { id, createdAt } = await shop.pix();
    const at = addSeconds(new Date(String(createdAt)), 600).toISOString();
    expect((await pay(shop, id, { at })).body.status).toBe("pending");
    await shop.advance("PT9M");
    expect((await shop.charge(id)).status).toBe("pending");
    await shop.advance("PT2M");
    expect((await shop.charge(id)).status).toBe("authorized");
  });

  test("200: a repeated request with its key is one payment and the same bytes", async () => {
    const shop = await openShop();
    const { id } = await shop.pix();
    const key = aKey();
    const first = await pay(shop, id, {}, key);
    const again = await pay(shop, id, {}, key);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });

  test("200: five at once are one payment", async () => {
    const shop = await openShop();
    const { id } = await shop.pix();
    const replies = await Promise.all(Array.from({ length: 5 }, () => pay(shop, id)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await ledgerOf(id)).toEqual({ capture: 4_990 });
  });

  test("200: paid already, the provider is asked and the charge answered as it is; nothing is paid again", async () => {
    const shop = await openShop();
    const { id } = await shop.pix();
    const first = await pay(shop, id);
    const again = await pay(shop, id);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    await shop.make("POST", `/v1/charges/${id}/void`, { body: {} });
    const returned = await pay(shop, id);
    expect(returned.status === 200 ? returned.body.status : returned.text).toBe("voided");
    expect(await ledgerOf(id)).toEqual({ capture: 4_990, refund: 4_990 });
  });

  test("200: paid a second time after the first, the second goes back in full", async () => {
    const shop = await openShop();
    const { id } = await shop.pix();
    await pay(shop, id);
    const { body } = await pay(shop, id, { times: 2 });
    expect(body).toMatchObject({ status: "authorized", capturedAmount: 4_990, refundedAmount: 0 });
    await pay(shop, id, { times: 2 });
    const [sums] = await systemSql()`
      select count(*) filter (where kind = 'payment')::int as paid, count(*) filter (where kind = 'refund')::int as sent_back
        from sandbox_movements m join sandbox_transactions t on t.id = m.transaction_id where t.charge_id = ${id}`;
    expect(sums).toEqual({ paid: 2, sent_back: 1 });
  });

  test("400: no Pix at all, or a code that is over", async () => {
    const shop = await openShop();
    const { id } = await shop.pix();
    await shop.make("POST", `/v1/charges/${id}/void`, { body: {} });
    expect((await pay(shop, id)).error?.businessCode).toBe("invalid_status_transition");
    const card = (await shop.pay(sandboxPan("approve"))).body;
    expect((await pay(shop, card.id)).error?.businessCode).toBe("invalid_status_transition");
    for (const body of [{ amount: 0 }, { times: 3 }, { after: "lunch" }, { at: "soon" }]) {
      expect((await pay(shop, id, body)).error?.type).toBe("bad_request");
    }
  });

  test("404: unknown, another account's, or a live account", async () => {
    const [shop, other] = await Promise.all([openShop(), openShop()]);
    const { id } = await shop.pix();
    for (const missing of [await pay(other, id), await pay(shop, "0".repeat(32)), await pay(shop, aKey())]) {
      expect([missing.status, missing.error?.type]).toEqual([404, "entity_not_found"]);
    }
    const live = await openClient({ mode: "live" });
    expect((await pay({ call: live.call } as Shop, id)).status).toBe(404);
  });
});
