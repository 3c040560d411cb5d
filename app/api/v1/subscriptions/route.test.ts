import { describe, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { ADDRESS_HEADER } from "@/lib/http/endpoint";
import { aKey, openMerchant } from "@/lib/testing/api";
import { openCustomer } from "@/lib/testing/payments";
import { newSeller } from "@/lib/testing/sellers";
import { type Club, openClub, type SubscriptionReply } from "@/lib/testing/subscriptions";

const START = "2027-01-31T10:00:00Z";

describe("POST /v1/subscriptions", () => {
  it("charges the first cycle of today within the call, once for each key, and tells of it", async () => {
    const club = await openClub(START);
    const idempotencyKey = aKey();
    const card = await club.card();
    const { status, body } = await club.subscribe(
      { card, recurrence: { interval: "monthly", cycles: 3 } },
      { idempotencyKey },
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: "active",
      amount: 4_990,
      liveMode: false,
      recurrence: { startAt: "2027-01-31", nextDueDate: "2027-02-28", endAt: "2027-03-31", cycles: 3 },
      lastCycle: { cycle: 1, status: "authorized", attempts: 1, scheduledAt: "2027-01-31" },
    });
    const again = await club.subscribe({ card, recurrence: { interval: "monthly", cycles: 3 } }, { idempotencyKey });
    expect(again.text).toBe(JSON.stringify(body));
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const chargeId = body.lastCycle?.paymentHistory[0]?.chargeId;
    const charge = await club.client.make("GET", `/v1/charges/${chargeId}`);
    expect(charge).toMatchObject({
      subscriptionId: body.id,
      customerId: club.customerId,
      amount: 4_990,
      status: "authorized",
      paymentMethod: { recurrence: "initial" },
    });
    expect(await club.events(body.id)).toEqual(["created", "activated"]);
  });

  it("answers a declined first charge with 201 and its retry", async () => {
    const club = await openClub(START);
    const card = await club.card();
    await club.script(card, "outcome=106");
    const { status, body } = await club.subscribe({ card });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: "created",
      lastCycle: { status: "retrying", attempts: 1, nextRetryAt: "2027-02-01", paymentHistory: [{ status: "failed" }] },
    });
  });

  it("refuses what cannot be, with the place of each fault, and writes nothing", async () => {
    const club = await openClub(START);
    const other = await openClub(START);
    const [card, failed, foreign] = [await club.card(), await club.card(), await other.card()];
    await club.client.make("DELETE", `/v1/cards/${failed}`);
    const strangers = await openCustomer(club.client);
    const linked = await club.card();
    await club.client.make("POST", `/v1/customers/${strangers}/cards`, { body: { cardId: linked } });
    const inactive = await openMerchant(club.client);
    await club.client.make("PATCH", `/v1/merchants/${inactive.id}`, { body: { status: false } });
    const faults: [Record<string, unknown>, number, string][] = [
      [{ card, recurrence: { interval: "daily" } }, 400, "recurrence.interval"],
      [{ card, recurrence: { interval: "weekly", cycles: 0 } }, 400, "recurrence.cycles"],
      [{ card, recurrence: { interval: "weekly", startAt: "2027-01-30" } }, 400, "recurrence.startAt"],
      [{ card, recurrence: { interval: "weekly", startAt: "2027-02-30" } }, 400, "recurrence.startAt"],
      [{ card, trial: { endAt: "2027-01-31" } }, 400, "trial.endAt"],
      [
        { card, trial: { endAt: "2027-02-10" }, recurrence: { interval: "weekly", startAt: "2027-02-09" } },
        400,
        "recurrence.startAt",
      ],
      [{ card, items: [] }, 400, "items"],
      [{ card, items: [{ name: "x", amount: 9_007_199_254_740_991, quantity: 2 }] }, 400, "items"],
      [{ card, currency: "USD" }, 400, "currency"],
      [{ card: foreign }, 400, "card_not_found"],
      [{ card: linked }, 400, "card_not_found"],
      [{ card: failed }, 400, "card_not_usable"],
      [{ card, customerId: other.customerId }, 400, "customer_not_found"],
      [{ card, merchantId: other.merchant.id }, 400, "merchant_not_found"],
      [{ card, merchantId: inactive.id }, 400, "provider_not_available"],
      [{ card, splitRules: [{ sellerId: other.merchant.id, percentage: 10 }] }, 400, "seller_not_found"],
    ];
    for (const [changes, status, said] of faults) {
      const reply = await club.subscribe(changes);
      expect([reply.status, said, reply.text]).toEqual([status, said, expect.stringContaining(said)]);
    }
    const { meta } = await club.client.make<{ meta: { totalItems: number } }>("GET", "/v1/subscriptions");
    expect(meta.totalItems).toBe(0);
  });

  it("shares each cycle between sellers as it was asked", async () => {
    const club = await openClub(START);
    const seller = await club.client.make("POST", "/v1/sellers", { body: newSeller(club.merchant.id) });
    await club.to("2027-01-31T10:05:00Z");
    const splitRules = [{ sellerId: seller.id, percentage: 30, liable: true }];
    const { body } = await club.subscribe({ splitRules, recurrence: { interval: "weekly" } });
    await club.to("2027-02-08T00:00:00Z");
    const { items } = await club.client.make<{ items: { status: string; splitRules: unknown[] }[] }>(
      "GET",
      "/v1/charges",
      {
        query: { subscriptionId: body.id },
      },
    );
    const shared = { status: "authorized", splitRules: [expect.objectContaining(splitRules[0] ?? {})] };
    expect(items).toEqual([expect.objectContaining(shared), expect.objectContaining(shared)]);
  });

  it("takes a card of another key from a browser only with its code, and at once", async () => {
    const club = await openClub(START);
    const key = await club.client.publicKey(["subscriptions"]);
    const card = await club.card();
    const method = (cvv?: string) => ({ type: "credit", card: { cardId: card, ...(cvv ? { cvv } : {}) } });
    const asBrowser = (changes: Record<string, unknown>) => club.subscribe({ card, ...changes }, { key });
    expect((await asBrowser({})).text).toContain("cvv_required");
    const later = { paymentMethod: method("120"), recurrence: { interval: "monthly", startAt: "2027-02-10" } };
    expect((await asBrowser(later)).text).toContain("cvv_required");
    expect((await asBrowser({ paymentMethod: method("120") })).body).toMatchObject({ status: "active" });
    const seen = await club.client.call<{ meta: { totalItems: number } }>("GET", "/v1/subscriptions", { key });
    expect(seen.body.meta.totalItems).toBe(1);
  });

  it("asks a browser for the captcha after a refused card, and nothing of what it refuses remains", async () => {
    const club = await openClub(START);
    const key = await club.client.publicKey(["subscriptions"]);
    const card = await club.card();
    await club.script(card, "outcome=106");
    const paymentMethod = { type: "credit", card: { cardId: card, cvv: "120" } };
    const asBrowser = (captcha?: string, idempotencyKey = aKey()) =>
      club.subscribe(
        { card, paymentMethod },
        {
          key,
          idempotencyKey,
          headers: { [ADDRESS_HEADER]: "203.0.113.9", ...(captcha ? { "x-captcha-token": captcha } : {}) },
        },
      );
    expect((await asBrowser()).body).toMatchObject({ lastCycle: { status: "retrying" } });
    const again = aKey();
    expect(await asBrowser(undefined, again)).toMatchObject({
      status: 422,
      error: { businessCode: "captcha_required" },
    });
    expect((await asBrowser("made up", again)).error?.businessCode).toBe("captcha_invalid");
    const { meta } = await club.client.make<{ meta: { totalItems: number } }>("GET", "/v1/subscriptions");
    expect(meta.totalItems).toBe(1);
    expect(await asBrowser("sandbox-ok", again)).toMatchObject({ status: 201, body: { status: "active" } });
  });
});

describe("a year of cycles", () => {
  it("keeps the anchor's day, counts to its end, names the first payment to the network, and charges each once", async () => {
    const club = await openClub(START);
    const { body } = await club.subscribe({ recurrence: { interval: "monthly", cycles: 14 } });
    await club.to("2028-03-06T00:00:00Z");
    const cycles = await club.cycles(body.id);
    expect(cycles.map(({ scheduledAt }) => scheduledAt.slice(5))).toEqual(
      [
        "01-31",
        "02-28",
        "03-31",
        "04-30",
        "05-31",
        "06-30",
        "07-31",
        "08-31",
        "09-30",
        "10-31",
        "11-30",
        "12-31",
      ].concat("01-31", "02-29"),
    );
    expect(cycles.map(({ cycle, status, attempts }) => [cycle, status, attempts])).toEqual(
      Array.from({ length: 14 }, (_, index) => [index + 1, "authorized", 1]),
    );
    const done = await club.read(body.id);
    expect(done).toMatchObject({ status: "expired", recurrence: { nextDueDate: null, endAt: "2028-02-29" } });
    const { items } = await club.client.make<{ items: { paymentMethod: { recurrence: string } }[] }>(
      "GET",
      "/v1/charges",
      { query: { subscriptionId: body.id, limit: 100 } },
    );
    expect(items.map(({ paymentMethod }) => paymentMethod.recurrence)).toEqual([
      ...Array.from({ length: 13 }, () => "subsequent"),
      "initial",
    ]);
    expect(await club.events(body.id)).toEqual(["created", "activated", ...Array(12).fill("updated"), "expired"]);
  }, 60_000);
});

describe("retries", () => {
  it.each([
    [false, "unpaid"],
    [true, "canceled"],
  ])("tries on days 1, 3, 5 and 7 and then, cancelAfterAllRetries %s, is %s", async (cancelAfterAllRetries, status) => {
    const club = await openClub(START);
    await club.client.make("PATCH", "/v1/subscriptions/settings", { body: { cancelAfterAllRetries } });
    const card = await club.card();
    const { body } = await club.subscribe({ card });
    await club.script(card, "outcome=106;times=0");
    const days: (string | null | undefined)[] = [];
    for (const day of ["02-28", "03-01", "03-03", "03-05", "03-07"]) {
      await club.to(`2027-${day}T10:00:00Z`);
      days.push((await club.read(body.id)).lastCycle?.nextRetryAt);
    }
    expect(days).toEqual(["2027-03-01", "2027-03-03", "2027-03-05", "2027-03-07", null]);
    const ended = await club.read(body.id);
    expect(ended).toMatchObject({ status, lastCycle: { cycle: 2, status: "failed", attempts: 5 } });
    await club.to("2027-05-01T00:00:00Z");
    expect((await club.cycles(body.id)).map((cycle) => cycle.status)).toEqual(
      status === "unpaid" ? ["authorized", "failed", "canceled", "canceled"] : ["authorized", "failed"],
    );
  });

  it("goes on with the card it had when another one is declined (rulings 23)", async () => {
    const club = await openClub(START);
    const card = await club.card();
    await club.script(card, "outcome=106");
    const { body } = await club.subscribe({ card });
    const before = body.lastCycle;
    expect(before).toMatchObject({ status: "retrying", attempts: 1 });
    const replace = (other: string) =>
      club.client.make<SubscriptionReply>("PUT", `/v1/subscriptions/${body.id}`, {
        body: { paymentMethod: { card: { cardId: other } } },
      });
    // Neither what may be tried later nor what may never be tried again is said of the card it has.
    for (const [index, outcome] of ["106", "decline:stolen_card"].entries()) {
      const other = await club.card("approve", index === 0 ? "mastercard" : "elo");
      await club.script(other, `outcome=${outcome}`);
      const declined = await replace(other);
      expect(declined.paymentMethod.card.cardId).toBe(card);
      expect(declined).toMatchObject({
        status: body.status,
        lastCycle: { status: "retrying", attempts: index + 2, nextRetryAt: before?.nextRetryAt },
      });
    }
    await club.to(`${before?.nextRetryAt}T10:00:00Z`);
    const recovered = await club.read(body.id);
    expect(recovered).toMatchObject({ status: "active", lastCycle: { status: "authorized", attempts: 4 } });
    expect(recovered.paymentMethod.card.cardId).toBe(card);
  });

  it("stops at once at a decline that forbids another try, and is recovered with another card", async () => {
    const club = await openClub(START);
    const card = await club.card();
    const { body } = await club.subscribe({ card });
    await club.script(card, "outcome=115");
    await club.to("2027-03-10T00:00:00Z");
    const unpaid = await club.read(body.id);
    expect(unpaid).toMatchObject({ status: "unpaid", lastCycle: { status: "failed", attempts: 1 } });
    const resumed = await club.client.make<{ status: string; message: string }>(
      "PATCH",
      `/v1/subscriptions/${body.id}/resume`,
      { body: {} },
    );
    expect(resumed).toMatchObject({ status: "unpaid", message: expect.stringContaining("another card") });
    expect((await club.read(body.id)).lastCycle?.attempts).toBe(1);
    const other = await club.card("approve", "mastercard");
    const recovered = await club.client.make("PUT", `/v1/subscriptions/${body.id}`, {
      body: { paymentMethod: { card: { cardId: other } } },
    });
    expect(recovered).toMatchObject({ status: "active", lastCycle: { cycle: 2, status: "authorized", attempts: 2 } });
    expect(await club.events(body.id)).toEqual(["created", "activated", "unpaid", "updated", "activated"]);
    expect(await systemSql()`select kind, name, path from notices where client_id = ${club.client.clientId}`).toEqual([
      { kind: "subscription_unpaid", name: "Plano Ouro", path: `/dashboard/subscriptions/${body.id}` },
    ]);
  });

  it("asks again the next day for three days when no charge can be made", async () => {
    const club = await openClub(START);
    const card = await club.card();
    const { body } = await club.subscribe({ card });
    await club.client.make("DELETE", `/v1/cards/${card}`);
    await club.to("2027-03-10T00:00:00Z");
    const failed = await club.read(body.id);
    expect(failed).toMatchObject({ status: "unpaid", lastCycle: { status: "failed", attempts: 4 } });
    expect(failed.lastCycle?.paymentHistory.map(({ chargeId, error }) => [chargeId, error])).toEqual(
      Array(4).fill([null, "card_not_found"]),
    );
    expect(await club.events(body.id)).toEqual(["created", "activated", ...Array(4).fill("cycle_failed"), "unpaid"]);
  });

  it("keeps the merchant of a cycle that was begun, whatever changes for the next", async () => {
    const club = await openClub(START);
    const card = await club.card();
    await club.script(card, "outcome=106");
    const { body } = await club.subscribe({ card });
    const other = await openMerchant(club.client);
    await club.client.make("PUT", `/v1/subscriptions/${body.id}`, { body: { merchantId: other.id } });
    await club.to("2027-02-01T10:00:00Z");
    const paid = await club.read(body.id);
    expect(paid).toMatchObject({ status: "active", merchantId: other.id, lastCycle: { attempts: 2 } });
    const charge = await club.client.make("GET", `/v1/charges/${paid.lastCycle?.paymentHistory[1]?.chargeId}`);
    expect(charge.merchantId).toBe(club.merchant.id);
  });

  it("has no retry more for a pause that ended before the hour of its day", async () => {
    const club = await openClub(START);
    const retryPolicy = [{ daysAfterLastAttempt: 3 }, { daysAfterLastAttempt: 4 }];
    await club.client.make("PATCH", "/v1/subscriptions/settings", { body: { retryPolicy } });
    const card = await club.card();
    const { body } = await club.subscribe({ card, recurrence: { interval: "weekly" } });
    await club.script(card, "outcome=106;times=0");
    await club.to("2027-02-07T10:00:00Z");
    const act = (what: string) => club.client.make("PATCH", `/v1/subscriptions/${body.id}/${what}`, { body: {} });
    await act("pause");
    await club.to("2027-02-08T03:00:00Z");
    await act("resume");
    expect(await club.read(body.id)).toMatchObject({
      status: "active",
      lastCycle: { cycle: 2, attempts: 2, nextRetryAt: "2027-02-10" },
    });
  });

  it("waits for an unknown outcome and writes what it was", async () => {
    const club = await openClub(START);
    const card = await club.card();
    const { body } = await club.subscribe({ card }, { scenario: "fault=drop_response" });
    expect(body).toMatchObject({ status: "created", lastCycle: { status: "pending", attempts: 1 } });
    await club.to("2027-01-31T11:00:00Z");
    expect(await club.read(body.id)).toMatchObject({
      status: "active",
      lastCycle: { status: "authorized", attempts: 1 },
    });
  });

  it("calls a resumption whose outcome is not known neither approved nor refused", async () => {
    const club = await openClub(START);
    const retryPolicy = [{ daysAfterLastAttempt: 1 }];
    await club.client.make("PATCH", "/v1/subscriptions/settings", { body: { retryPolicy } });
    const card = await club.card();
    await club.script(card, "outcome=106", "outcome=106");
    const { body } = await club.subscribe({ card });
    await club.to("2027-02-01T10:00:00Z");
    expect(await club.read(body.id)).toMatchObject({ status: "unpaid" });
    const resume = () =>
      club.client.make("PATCH", `/v1/subscriptions/${body.id}/resume`, { body: {}, scenario: "fault=drop_response" });
    const underWay = { status: "unpaid", message: expect.stringContaining("not known yet") };
    expect(await resume()).toMatchObject(underWay);
    expect(await resume()).toMatchObject(underWay);
    await club.to("2027-02-01T11:00:00Z");
    expect(await club.read(body.id)).toMatchObject({
      status: "active",
      lastCycle: { status: "authorized", attempts: 3 },
    });
  });
});

describe("a person's hand", () => {
  const act = (club: Club, id: string, what: string, body: unknown = {}) =>
    club.client.call<{ status: string; message: string }>("PATCH", `/v1/subscriptions/${id}/${what}`, { body });

  it("pauses without counting, resumes with the next due date, and cancels for good", async () => {
    const club = await openClub(START);
    const { body } = await club.subscribe({ recurrence: { interval: "monthly", cycles: 3 } });
    expect((await act(club, body.id, "resume")).status).toBe(422);
    expect((await act(club, body.id, "pause", { reason: "holidays" })).body.status).toBe("paused");
    await club.to("2027-04-01T00:00:00Z");
    expect((await club.cycles(body.id)).map(({ status }) => status)).toEqual(["authorized", "canceled", "canceled"]);
    expect((await act(club, body.id, "resume")).body.status).toBe("active");
    const resumed = await club.read(body.id);
    expect(resumed.recurrence).toMatchObject({ nextDueDate: "2027-04-30", endAt: "2027-05-31" });
    await club.to("2027-05-01T00:00:00Z");
    expect((await act(club, body.id, "cancel")).body.status).toBe("canceled");
    expect((await act(club, body.id, "cancel")).text).toContain("subscription_invalid_state");
    await club.to("2027-09-01T00:00:00Z");
    expect((await club.cycles(body.id)).map(({ status }) => status)).toEqual([
      "authorized",
      "canceled",
      "canceled",
      "authorized",
    ]);
  });

  it("tries a cycle now outside the policy, and a decline changes nothing", async () => {
    const club = await openClub(START);
    const card = await club.card();
    await club.script(card, "outcome=106", "outcome=106");
    const { body } = await club.subscribe({ card });
    const path = `/v1/subscriptions/${body.id}/cycles/${body.lastCycle?.id}/retry`;
    expect(await club.client.make("POST", path)).toMatchObject({
      status: "retrying",
      attempts: 2,
      nextRetryAt: "2027-02-01",
    });
    expect(await club.client.make("POST", path)).toMatchObject({ status: "authorized", attempts: 3 });
    expect((await club.client.call("POST", path)).text).toContain("subscription_invalid_state");
  });

  it("changes price, interval and end from the next cycle on, and shows it before", async () => {
    const club = await openClub(START);
    const { body } = await club.subscribe();
    const put = (changes: unknown) => club.client.call("PUT", `/v1/subscriptions/${body.id}`, { body: changes });
    const items = [{ name: "Ouro", amount: 5_990, quantity: 2 }];
    expect((await put({ items, recurrence: { interval: "weekly" } })).body).toMatchObject({ amount: 11_980 });
    const preview = await club.client.make<{ items: { cycle: number; dueDate: string; amount: number }[] }>(
      "GET",
      `/v1/subscriptions/${body.id}/preview`,
    );
    expect(preview.items.slice(0, 3)).toEqual([
      { cycle: 2, dueDate: "2027-02-28", amount: 11_980 },
      { cycle: 3, dueDate: "2027-03-07", amount: 11_980 },
      { cycle: 4, dueDate: "2027-03-14", amount: 11_980 },
    ]);
    expect((await put({ recurrence: { startAt: "2027-03-01" } })).status).toBe(400);
    expect((await put({ scheduledCancellationAt: "2027-01-30" })).status).toBe(400);
    await put({ cancelAtPeriodEnd: true });
    await club.to("2027-03-20T00:00:00Z");
    expect(await club.read(body.id)).toMatchObject({ status: "canceled", lastCycle: { cycle: 1 } });
    expect((await put({ name: "x" })).text).toContain("subscription_invalid_state");
  });

  it("lives a trial without cycles, and cancels with its customer", async () => {
    const club = await openClub(START);
    const { body } = await club.subscribe({ trial: { endAt: "2027-02-15" } });
    expect(body).toMatchObject({ status: "trialing", lastCycle: null, recurrence: { startAt: "2027-02-15" } });
    expect((await act(club, body.id, "pause")).status).toBe(422);
    await club.to("2027-02-15T08:00:00Z");
    expect((await club.read(body.id)).status).toBe("created");
    await club.to("2027-02-15T09:00:00Z");
    expect(await club.read(body.id)).toMatchObject({ status: "active", lastCycle: { cycle: 1 } });
    await club.client.make("DELETE", `/v1/customers/${club.customerId}`);
    expect((await club.read(body.id)).status).toBe("canceled");
    expect(await club.events(body.id)).toEqual(["created", "trial_started", "updated", "activated", "canceled"]);
  });
});
