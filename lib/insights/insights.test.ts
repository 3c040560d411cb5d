import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { BRAND_NAMES } from "@/lib/brazil/card-brand";
import { inSnapshot } from "@/lib/context";
import { listBatchesForOperator } from "@/lib/finance/batches";
import { newId } from "@/lib/ids";
import { approvalNow } from "@/lib/insights/approval-now";
import { attentionOf } from "@/lib/insights/attention";
import { type PaymentFigures, paidSince, paymentFiguresOf, type Span } from "@/lib/insights/figures";
import { overdueUntil } from "@/lib/insights/left-behind";
import { providersNow } from "@/lib/insights/providers-now";
import { rollUpCharges } from "@/lib/insights/roll-up";
import { countedIn } from "@/lib/insights/rolled-up";
import { listWaiting } from "@/lib/insights/waiting";
import { holdPayouts } from "@/lib/payouts/holds";
import { SANDBOX_OUTCOMES } from "@/lib/reference/sandbox-pans";
import { listPayments } from "@/lib/search/payments";
import { openClient } from "@/lib/testing/api";
import { uncount } from "@/lib/testing/count-again";
import { cardData, openToken, payByCard, payByPix, type Shop, withMerchant } from "@/lib/testing/payments";
import { onPayday, to } from "@/lib/testing/payouts";
import { person } from "@/lib/testing/people";
import { bought } from "@/lib/testing/purchases";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

let shop: Shop;

const HOUR_MS = 3_600_000;
const lately = (merchantId?: string): Span => {
  // Whole hours, so that two readings of the clock cut alike.
  const until = new Date((Math.floor(realNow().getTime() / HOUR_MS) + 1) * HOUR_MS);
  const from = addSeconds(until, -DAY_SECONDS);
  return { from, until, before: addSeconds(from, -DAY_SECONDS), beforeUntil: from, merchantId, step: "hour" };
};
const figures = async (span: Span = lately()) => paymentFiguresOf(await shop.client.context(), "owner", span);
const hasChanges = async () =>
  (await systemSql()`select 1 from charge_changes where client_id = ${shop.client.clientId}`).length > 0;

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  await payByCard(shop, { amount: 10_000, capture: true });
  await payByCard(shop, { amount: 5_000, capture: true });
  await payByCard(shop, { amount: 7_000, capture: true, outcome: "decline:insufficient_funds" });
  await payByPix(shop, { amount: 1_000 });
});

describe("the figures of the home page", () => {
  test("count a payment the moment it is made, before any roll-up", async () => {
    expect(await hasChanges()).toBe(true);
    const { now, before, declines, methods, brands } = await figures();
    expect(now).toMatchObject({ payments: 4, approved: 2, declined: 1, volume: 15_000, captured: 15_000, refunded: 0 });
    expect(before).toMatchObject({ payments: 0, volume: 0 });
    expect(declines).toEqual([{ code: "insufficient_funds", count: 1, before: 0 }]);
    expect(methods.find(({ name }) => name === "credit")).toMatchObject({ approved: 2, declined: 1 });
    expect(brands).toEqual([{ name: "Visa", approved: 2, declined: 1, volume: 15_000 }]);
  });

  test("tell the reasons that are not among the most frequent together", async () => {
    const many = await withMerchant(await openClient());
    const [seldom, ...often] = SANDBOX_OUTCOMES.filter((outcome) => outcome.startsWith("decline:")).slice(0, 7);
    for (const outcome of [seldom, ...often, ...often]) await payByCard(many, { outcome });
    const { now, declines, otherDeclines } = await paymentFiguresOf(await many.client.context(), "owner", lately());
    expect(declines.map(({ count }) => count)).toEqual([2, 2, 2, 2, 2, 2]);
    expect([now.declined, otherDeclines]).toEqual([13, 1]);
  });

  test("are the same after the roll-up, and after another one", async () => {
    const live = await figures();
    expect(await rollUpCharges()).toBeGreaterThan(0);
    expect(await hasChanges()).toBe(false);
    expect(await figures()).toEqual(live);
    await rollUpCharges();
    expect(await figures()).toEqual(live);
  });

  test("follow a change of a charge that was already rolled up", async () => {
    const { id } = (await payByCard(shop, { amount: 2_000, capture: true })).body;
    await rollUpCharges();
    const before = (await figures()).now;
    await shop.client.make("POST", `/v1/charges/${id}/void`, { body: { amount: 500 } });
    expect((await figures()).now.refunded).toBe(before.refunded + 500);
    await rollUpCharges();
    expect((await figures()).now.refunded).toBe(before.refunded + 500);
  });

  test("agree with the charges themselves, hour by hour, whatever was rolled up when", async () => {
    const own = await withMerchant(await openClient());
    const ctx = await own.client.context();
    const agrees = async () => {
      const counted = await inSnapshot(ctx, ({ db }) =>
        db.execute(sql`
          with ${countedIn(ctx, { stretches: [{ from: addSeconds(realNow(), -DAY_SECONDS), until: addSeconds(realNow(), DAY_SECONDS) }], isByHour: true })}
          select hour::text, provider, method, brand, status, decline_code, sum(charges)::int as charges,
                 sum(amount)::int as amount, sum(captured)::int as captured, sum(refunded)::int as refunded
            from counted group by 1, 2, 3, 4, 5, 6 having sum(charges) <> 0 order by 1, 2, 3, 4, 5, 6`),
      );
      const there = await systemSql()`
        select date_trunc('hour', c.created_at, 'UTC')::text as hour, coalesce(provider_type, '') as provider,
               payment_type as method, coalesce(k.brand, '') as brand, c.status, coalesce(decline_code, '') as decline_code,
               count(*)::int as charges, sum(original_amount)::int as amount, sum(captured_amount)::int as captured,
               sum(refunded_amount)::int as refunded
          from charges c left join cards k on k.id = c.card_id where c.client_id = ${own.client.clientId}
         group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`;
      expect([...counted]).toEqual([...there]);
      const { meta } = await own.client.make<{ meta: { totalItems: number } }>("GET", "/v1/charges?status=authorized");
      const authorized = there.filter(({ status }) => status === "authorized");
      expect(meta.totalItems).toBe(authorized.reduce((sum, { charges }) => sum + charges, 0));
    };
    const { id } = (await payByCard(own, { amount: 9_000, capture: true })).body;
    await payByCard(own, { amount: 3_000, outcome: "decline:insufficient_funds" });
    await payByPix(own, { amount: 1_000 });
    await agrees();
    await rollUpCharges();
    await agrees();
    await own.client.make("POST", `/v1/charges/${id}/void`, { body: { amount: 500 } });
    await payByCard(own, { amount: 4_000, capture: false });
    await agrees();
    await rollUpCharges();
    await agrees();
    await own.client.make("POST", `/v1/charges/${id}/void`, { body: { amount: 8_500 } });
    await Promise.all([rollUpCharges(), rollUpCharges(), agrees()]);
    await agrees();
  });

  test("are of one merchant when one is chosen, and of no other account", async () => {
    expect((await figures(lately("00000000-0000-7000-8000-000000000000"))).now.payments).toBe(0);
    expect((await figures(lately(shop.merchant.id))).now.payments).toBeGreaterThan(0);
    const other = await openClient();
    expect((await paymentFiguresOf(await other.context(), "owner", lately())).now.payments).toBe(0);
  });
});

describe("the figures of many days", () => {
  const DAYS = 30;
  const span = (at: Date): Span => {
    const midnight = new Date(`${saoPauloDay(at)}T00:00:00-03:00`);
    const from = addSeconds(midnight, (1 - DAYS) * DAY_SECONDS);
    const back = (moment: Date) => addSeconds(moment, -DAYS * DAY_SECONDS);
    return {
      from,
      until: addSeconds(at, 1),
      before: back(from),
      beforeUntil: back(at),
      merchantId: undefined,
      step: "day",
    };
  };
  const days = ({ buckets }: PaymentFigures) => buckets.flatMap(({ volume }, at) => (volume > 0 ? [[at, volume]] : []));

  test("are counted from days, from the hours of a day that is cut, and live where something changed", async () => {
    const own = await withMerchant(await openClient());
    const ctx = await own.client.context();
    // Noon of yesterday, whatever the time is.
    const now = new Date(new Date(`${saoPauloDay(realNow())}T00:00:00-03:00`).getTime() - 12 * HOUR_MS);
    const { from, beforeUntil } = span(now);
    const made = async (amount: number, at: Date): Promise<string> => {
      const { id } = (await payByCard(own, { amount, capture: true })).body;
      await systemSql()`update charges set created_at = ${at} where id = ${id}`;
      await uncount(systemSql(), own.client.clientId);
      return id;
    };
    await made(1_000, now);
    const old = await made(2_000, addSeconds(from, 3 * DAY_SECONDS));
    await made(3_000, addSeconds(from, 4 * DAY_SECONDS - 1));
    await made(4_000, from);
    await made(5_000, addSeconds(from, -1));
    await made(6_000, addSeconds(beforeUntil, -2 * DAY_SECONDS));
    // The second half of that day is not compared.
    await made(7_000, addSeconds(beforeUntil, 3_600));
    const expectRight = async () => {
      const found = await paymentFiguresOf(ctx, "owner", span(now));
      expect(days(found)).toEqual([
        [0, 4_000],
        [3, 5_000],
        [DAYS - 1, 1_000],
      ]);
      expect(found.now.payments).toBe(4);
      expect(found.before.volume).toBe(6_000);
      expect(await paidSince(ctx, addSeconds(from, 1))).toBe(3);
      return found;
    };
    const live = await expectRight();
    await rollUpCharges();
    expect(await expectRight()).toEqual(live);
    const daily = await systemSql()`select day, sum(charges)::int as charges from payment_stats_daily
      where client_id = ${own.client.clientId} group by 1 order by 1`;
    expect(daily.length).toBeGreaterThanOrEqual(5);
    expect(daily.find(({ day }) => day.getTime() === addSeconds(from, 3 * DAY_SECONDS).getTime())?.charges).toBe(2);
    await own.client.make("POST", `/v1/charges/${old}/void`, { body: { amount: 500 } });
    expect((await paymentFiguresOf(ctx, "owner", span(now))).now.refunded).toBe(500);
    await rollUpCharges();
    expect((await paymentFiguresOf(ctx, "owner", span(now))).now.refunded).toBe(500);
    await expectRight();
  });
});

describe("approval now", () => {
  test("is of the last hour and of the same hour a week ago, in all and by method, provider and brand", async () => {
    const own = await withMerchant(await openClient());
    await payByCard(own, { capture: true });
    await payByCard(own, { outcome: "decline:insufficient_funds" });
    const { id } = (await payByCard(own, { capture: true })).body;
    await systemSql()`update charges set created_at = created_at - interval '7 days' where id = ${id}`;
    // Not decided yet, and of another hour.
    await payByPix(own, {});
    const old = (await payByCard(own, { capture: true })).body.id;
    await systemSql()`update charges set created_at = created_at - interval '2 hours' where id = ${old}`;
    const ctx = await own.client.context();
    const now = { approved: 1, declined: 1 };
    const before = { approved: 1, declined: 0 };
    expect(await approvalNow(ctx, "viewer", undefined)).toEqual(
      [
        { by: "total", name: "" },
        { by: "method", name: "credit" },
        { by: "provider", name: "SANDBOX" },
        { by: "brand", name: "Visa" },
      ].map((row) => ({ ...row, now, before })),
    );
    const ofNobody = await approvalNow(ctx, "owner", "00000000-0000-7000-8000-000000000000");
    expect(ofNobody).toEqual([
      { by: "total", name: "", now: { approved: 0, declined: 0 }, before: { approved: 0, declined: 0 } },
    ]);
  });
});

describe("providers now", () => {
  test("are judged by their newest attempts: an outage shows at once", async () => {
    const down = await withMerchant(await openClient());
    const ctx = await down.client.context();
    for (let made = 0; made < 3; made++) await payByCard(down, { capture: true });
    expect(await providersNow(ctx, "owner", undefined)).toMatchObject([
      { provider: "SANDBOX", isOneOfSeveral: false, attempts: 3, newestTroubled: 0, lastSuccess: expect.any(Date) },
    ]);
    await systemSql()`update transaction_requests set state = 'undetermined'
       where kind = 'authorize' and client_id = ${down.client.clientId}`;
    expect(await providersNow(ctx, "owner", undefined)).toMatchObject([{ newest: 3, newestTroubled: 3 }]);
    expect(await providersNow(await (await openClient()).context(), "owner", undefined)).toEqual([]);
  });

  test("a code that was issued says nothing of how many cards are approved", async () => {
    const both = await withMerchant(await openClient());
    await payByCard(both, { capture: true });
    await payByCard(both, { outcome: "decline:insufficient_funds" });
    await payByPix(both, { amount: 1_000 });
    expect(await providersNow(await both.client.context(), "owner", undefined)).toMatchObject([
      { attempts: 3, approved: 1, declined: 1 },
    ]);
  });

  test("are told apart by their connection: one that works hides none of its kind that fails", async () => {
    const works = await withMerchant(await openClient());
    const fails = await withMerchant(works.client);
    const ctx = await works.client.context();
    for (let made = 0; made < 4; made++) await payByCard(works, { capture: true });
    expect(await providersNow(ctx, "owner", undefined)).toMatchObject([{ attempts: 4, isOneOfSeveral: true }]);
    for (let made = 0; made < 3; made++) await payByCard(fails, { capture: true });
    await systemSql()`update transaction_requests a set state = 'undetermined' from charges c
       where c.id = a.charge_id and a.kind = 'authorize' and c.merchant_id = ${fails.merchant.id}`;
    const ofMerchant = async ({ merchant }: Shop) =>
      (
        await systemSql()<
          { id: string; name: string }[]
        >`select id, name from providers where merchant_id = ${merchant.id}`
      )[0];
    expect(await providersNow(ctx, "owner", undefined)).toMatchObject([
      { ...(await ofMerchant(works)), provider: "SANDBOX", newest: 4, newestTroubled: 0, isOneOfSeveral: true },
      { ...(await ofMerchant(fails)), provider: "SANDBOX", newest: 3, newestTroubled: 3, isOneOfSeveral: true },
    ]);
  });
});

describe("what needs a person", () => {
  test("is nothing while everything mends itself", async () => {
    expect(await attentionOf(await shop.client.context(), "owner")).toEqual([]);
  });

  test("is a payment in review, with the money at stake", async () => {
    const { id } = (await payByCard(shop, { amount: 3_300, capture: true })).body;
    await systemSql()`update charges set review_reason = 'amount_mismatch', review_since = now() where id = ${id}`;
    expect(await attentionOf(await shop.client.context(), "owner")).toEqual([
      { kind: "charges_in_review", count: 1, amount: 3_300, since: expect.any(Date) },
    ]);
  });

  test("is told once: an attempt that nobody answered is part of the review of its payment", async () => {
    const silent = await withMerchant(await openClient());
    const ctx = await silent.client.context();
    const told = async () => ({
      home: (await attentionOf(ctx, "owner")).map(({ kind }) => kind),
      list: (await listWaiting(ctx, "owner")).items.map(({ kind }) => kind),
    });
    const { payments, id } = await bought(silent, { outcomes: ["approve", "approve"] });
    await systemSql()`update transaction_requests set state = 'undetermined', sent_at = now() - interval '1 hour'
       where charge_id = ${payments[0]?.chargeId ?? ""} and kind = 'authorize'`;
    expect(await told()).toEqual({ home: ["unanswered"], list: ["unanswered"] });
    await systemSql()`update purchases set review_reason = 'reconciliation_failed', review_since = now() where id = ${id}`;
    expect(await told()).toEqual({ home: ["purchases_in_review"], list: ["purchase"] });
  });

  test("is a payout that failed, one that nobody made, and a seller on hold, for those who see them", async () => {
    const { client, merchant, ids, day } = await onPayday("none", 3);
    const [failed = "", , held = ""] = ids;
    await systemSql()`update payout_batches set status = 'failed', error_reason = 'unknown' where seller_id = ${failed}`;
    await holdPayouts(await person(client, "owner"), held, "looked into");
    const told = async (role: "owner" | "developer") =>
      (await attentionOf(await client.context(), role)).flatMap(({ kind, count }) =>
        // Forged as it is, the failed one leaves books that do not add up.
        kind === "discrepancies_open" ? [] : [[kind, count]],
      );
    expect(await told("owner")).toEqual([
      ["payouts_failed", 1],
      ["sellers_held", 1],
    ]);
    expect(await told("developer")).toEqual([]);
    await to(client, addDays(day, 9), "05:00:00");
    expect(await told("owner")).toEqual([
      ["payouts_overdue", 2],
      ["sellers_held", 1],
    ]);
    const ctx = await person(client, "owner");
    const lists = await listBatchesForOperator({ ...ctx, account: (await client.context()).account }, "owner", {
      status: "pending",
      whose: "sellers",
      until: overdueUntil(await client.context()),
    });
    expect(lists.total.count).toBe(2);
    expect(merchant.id).toBe(lists.items[0]?.row.merchantId);
  });

  test("is money on top of a payment that could not be given back, until it is", async () => {
    const own = await withMerchant(await openClient());
    const ctx = await own.client.context();
    const { id } = (await payByCard(own, { amount: 3_300, capture: true })).body;
    const tried = (state: string, status: string) => systemSql()`
      insert into transaction_requests (id, client_id, charge_id, kind, state, amount, provider_id, provider_type,
                                        request_type, request_status, reference, sequence, details, created_at, updated_at)
      select ${newId()}, client_id, charge_id, 'refund', ${state}, 1200, provider_id, provider_type, 'void', ${status},
             ${newId()}, 9, '{"surplus": "E1"}', now(), now()
        from transaction_requests where charge_id = ${id} and kind = 'authorize'`;
    await tried("declined", "failed");
    const [first] = (await listWaiting(ctx, "owner")).items;
    expect(first).toMatchObject({ kind: "not_returned", id, amount: 1_200, currency: "BRL" });
    await tried("not_sent", "failed");
    expect(await attentionOf(ctx, "owner")).toEqual([
      { kind: "not_returned", count: 1, amount: 1_200, since: first?.since },
    ]);
    await tried("approved", "success");
    expect(await attentionOf(ctx, "owner")).toEqual([]);
  });
});

describe("the figures and the list", () => {
  test("say the same: a purchase is one payment, in its own state", async () => {
    const own = await withMerchant(await openClient());
    await payByCard(own, { amount: 10_000, capture: true });
    await payByCard(own, { amount: 7_000, capture: true, outcome: "decline:insufficient_funds" });
    for (const outcomes of [
      ["approve", "approve"],
      ["approve", "decline:generic"],
    ] as const)
      await bought(own, { capture: true, outcomes: [...outcomes] });
    const ctx = await own.client.context();
    const span = lately();
    for (const isRolledUp of [false, true]) {
      if (isRolledUp) await rollUpCharges();
      const { now } = await paymentFiguresOf(ctx, "owner", span);
      const { from, until } = span;
      const approved = await listPayments(ctx, "owner", { from, until, status: ["authorized", "refunded"] });
      const declined = await listPayments(ctx, "owner", { from, until, status: ["failed"] });
      expect([now.approved, now.declined, now.volume]).toEqual([
        approved.counted,
        declined.counted,
        approved.sums?.amount,
      ]);
      expect(now.captured - now.refunded).toBe((approved.sums?.captured ?? 0) - (approved.sums?.refunded ?? 0));
      expect([now.payments, now.approved, now.declined]).toEqual([4, 2, 2]);
    }
  });

  test("say the same of each brand and provider: an order on two brands counts with each card's part", async () => {
    const own = await withMerchant(await openClient());
    await payByCard(own, { amount: 10_000, capture: true });
    const payments = [];
    for (const [brand, amount] of [
      ["mastercard", 40_000],
      ["visa", 33_000],
    ] as const)
      payments.push({
        amount,
        paymentMethod: { paymentType: "credit" },
        paymentSource: { sourceType: "token", tokenId: await openToken(own.client, cardData("approve", brand)) },
      });
    await bought(own, { capture: true, changes: { amount: 73_000, payments } });
    await bought(own, { capture: true });
    const ctx = await own.client.context();
    const span = lately();
    for (const isRolledUp of [false, true]) {
      if (isRolledUp) await rollUpCharges();
      const { now, brands, providers, methods } = await paymentFiguresOf(ctx, "owner", span);
      expect([now.approved, now.volume]).toEqual([3, 93_001]);
      expect(brands).toEqual([
        { name: "Visa", approved: 3, declined: 0, volume: 53_001 },
        { name: "Mastercard", approved: 1, declined: 0, volume: 40_000 },
      ]);
      expect(providers).toEqual([{ name: "SANDBOX", approved: 3, declined: 0, volume: 93_001 }]);
      expect(methods).toEqual([{ name: "credit", approved: 3, declined: 0, volume: 93_001 }]);
      for (const { name, approved, volume } of brands) {
        const brand = Object.values(BRAND_NAMES).find((each) => each === name);
        const { from, until } = span;
        const { counted, sums } = await listPayments(ctx, "owner", { from, until, brand, status: ["authorized"] });
        expect([counted, sums?.amount, sums?.captured, sums?.isOfParts]).toEqual([approved, volume, volume, true]);
      }
    }
    const hour = { approved: 3, declined: 0 };
    expect(
      (await approvalNow(ctx, "owner", undefined)).map(({ by, name, now: present }) => [by, name, present]),
    ).toEqual([
      ["total", "", hour],
      ["method", "credit", hour],
      ["provider", "SANDBOX", hour],
      ["brand", "Visa", hour],
      ["brand", "Mastercard", { approved: 1, declined: 0 }],
    ]);
  });

  test("take what banks took back for disputes from what was received", async () => {
    const own = await withMerchant(await openClient());
    const { id } = (await payByCard(own, { amount: 10_000, capture: true })).body;
    await own.client.make("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: { amount: 4_000 } });
    const ctx = await own.client.context();
    const { now } = await paymentFiguresOf(ctx, "owner", lately());
    expect([now.captured, now.refunded, now.chargedBack]).toEqual([10_000, 0, 4_000]);
    const { sums } = await listPayments(ctx, "owner", {});
    expect([sums?.captured, sums?.refunded, sums?.chargedBack]).toEqual([10_000, 0, 4_000]);
  });
});
