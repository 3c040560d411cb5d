import { describe, expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { SUBSCRIPTION_INVARIANTS } from "@/lib/invariants/subscriptions";
import { providerFor } from "@/lib/providers/registry";
import { mandateOf } from "@/lib/subscriptions/mandate-queries";
import { workOnMandate } from "@/lib/subscriptions/mandate-work";
import type { CallOptions } from "@/lib/testing/api-client";
import { openCustomer } from "@/lib/testing/payments";
import { type Club, openClub } from "@/lib/testing/subscriptions";

/** Pix Automático on the simulator: the amount's last two digits say what the buyer and their bank do. */
const PAYS = 4_990;
const SHORT_ONCE = 4_991;
const ALWAYS_SHORT = 4_992;
const REVOKES = 4_993;
const REFUSES = 4_994;
const NEVER_ANSWERS = 4_995;

interface Asked extends CallOptions {
  amount?: number;
  journey?: string;
  retry?: string;
  recurrence?: Record<string, unknown>;
  customerId?: string;
}

async function authorize(
  club: Club,
  { amount = PAYS, journey = "qr", retry, recurrence, customerId = club.customerId, ...options }: Asked = {},
) {
  return club.subscribe(
    {
      customerId,
      items: [{ name: "Ouro", amount, quantity: 1 }],
      recurrence: recurrence ?? { interval: "monthly", startAt: "2027-03-20" },
      paymentMethod: { type: "pix_automatic", journey, ...(retry ? { retry } : {}) },
    },
    options,
  );
}

/** Ids of the invariants that some subscription of the club breaks. */
async function breaksOf({ client }: Club): Promise<string[]> {
  const broken: string[] = [];
  for (const { id, sql } of SUBSCRIPTION_INVARIANTS) {
    const picked = "with picked as (select id from subscriptions where client_id = $1)";
    if ((await systemSql().unsafe(`${picked} ${sql}`, [client.clientId])).length > 0) broken.push(id);
  }
  return broken;
}

const chargesOf = async (club: Club, subscriptionId: string) =>
  (
    await club.client.make<{ items: { id: string; status: string; createdAt: string }[] }>("GET", "/v1/charges", {
      query: { subscriptionId, limit: 100, order: "asc" },
    })
  ).items;

/** Works on the mandate of a subscription; `happens` comes between the bank's answer and what is done with it. */
async function whileAsked(club: Club, id: string, happens: () => Promise<unknown>): Promise<void> {
  const ctx = await club.client.context();
  const mandate = await inTransaction(ctx, (inside) => mandateOf(inside, id));
  const mandates = mandate && providerFor(mandate.providerType).mandates;
  if (!mandates) throw new Error("no mandate to ask about");
  const { query } = mandates;
  vi.spyOn(mandates, "query").mockImplementationOnce(async (...asked) => {
    const answer = await query(...asked);
    await happens();
    return answer;
  });
  await workOnMandate(ctx, mandate.id);
}

describe("a subscription that the buyer's bank pays", () => {
  test("is authorized by its code, made once, and each cycle is asked for days ahead", async () => {
    const club = await openClub("2027-03-14T12:00:00Z");
    const recurrence = { interval: "weekly", startAt: "2027-03-20" };
    const { status, body } = await authorize(club, { recurrence });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: "created",
      paymentMethod: { type: "pix_automatic", journey: "qr", retry: "none" },
      mandate: { status: "created", qrCodeData: expect.stringMatching(/^000201/), approvedAt: null },
    });
    const lost = await authorize(club, { recurrence, scenario: "step=mandate;fault=drop_response;times=1" });
    expect(lost.body).toMatchObject({ mandate: { status: "created", qrCodeData: null } });
    await club.to("2027-03-14T12:05:00Z");
    expect(await club.read(body.id)).toMatchObject({
      mandate: { status: "approved", qrCodeData: null, approvedAt: "2027-03-14T12:00:05.000Z" },
    });
    expect(await club.read(lost.body.id)).toMatchObject({ mandate: { status: "approved" } });
    const made = await systemSql()`select from sandbox_mandates where client_id = ${club.client.clientId}`;
    expect(made).toHaveLength(2);
    await club.client.make("POST", `/v1/subscriptions/${lost.body.id}/cancel`, { body: {} });
    await club.to("2027-03-15T08:59:00Z");
    expect(await chargesOf(club, body.id)).toEqual([]);
    await club.to("2027-03-15T09:01:00Z");
    expect(await chargesOf(club, body.id)).toMatchObject([{ status: "pending" }]);
    expect(await club.read(lost.body.id)).toMatchObject({ status: "canceled", mandate: { status: "canceled" } });
    await club.to("2027-03-27T09:00:00Z");
    expect(await club.read(body.id)).toMatchObject({ status: "active" });
    expect(await club.cycles(body.id)).toMatchObject([
      { cycle: 1, status: "authorized", scheduledAt: "2027-03-20", attempts: 1 },
      { cycle: 2, status: "authorized", scheduledAt: "2027-03-27", attempts: 1 },
    ]);
    expect((await chargesOf(club, body.id)).at(-1)?.createdAt).toMatch(/^2027-03-22T09:00/);
    expect(await club.events(body.id)).toEqual(["created", "updated", "updated", "activated", "updated"]);
  }, 60_000);

  test("begins with the Pix that authorizes it, and takes back what it asked for when it is canceled", async () => {
    const club = await openClub("2027-03-14T12:00:00Z");
    const recurrence = { interval: "weekly", cycles: 3 };
    const { body } = await authorize(club, { journey: "qr_with_first_payment", recurrence });
    const unpaid = await authorize(club, { journey: "qr_with_first_payment", recurrence });
    const dropped = await authorize(club, { journey: "qr_with_first_payment", recurrence });
    await club.client.make("POST", `/v1/subscriptions/${dropped.body.id}/cancel`, { body: {} });
    const [first] = await chargesOf(club, body.id);
    expect(body).toMatchObject({ mandate: { status: "created" }, lastCycle: { status: "pending", attempts: 1 } });
    await club.client.make("POST", `/v1/sandbox/pix/${first?.id}/pay`, { body: {} });
    await club.to("2027-03-14T12:01:00Z");
    expect(await club.read(body.id)).toMatchObject({ status: "active", mandate: { status: "approved" } });
    // Nobody pays for what was canceled: its code is closed long before its day is over.
    expect(await chargesOf(club, dropped.body.id)).toMatchObject([{ status: "canceled" }]);
    await club.to("2027-03-16T12:00:00Z");
    expect(await club.read(unpaid.body.id)).toMatchObject({
      status: "canceled",
      mandate: { status: "expired" },
      lastCycle: { status: "canceled" },
    });
    expect((await chargesOf(club, body.id)).map(({ status }) => status)).toEqual(["authorized", "pending"]);
    await club.client.make("POST", `/v1/subscriptions/${body.id}/cancel`, { body: {} });
    await club.to("2027-03-21T12:00:00Z");
    expect((await chargesOf(club, body.id)).map(({ status }) => status)).toEqual(["authorized", "canceled"]);
    expect((await club.cycles(body.id)).map(({ status }) => status)).toEqual(["authorized", "canceled"]);
    expect(await breaksOf(club)).toEqual([]);
  }, 60_000);

  test("is asked for again on other days, as the bank's rules allow, and ends with what the buyer decides", async () => {
    const club = await openClub("2027-03-14T12:00:00Z");
    const retry = "three_in_seven_days";
    const once = (await authorize(club, { amount: SHORT_ONCE, retry })).body;
    const always = (await authorize(club, { amount: ALWAYS_SHORT, retry })).body;
    const never = (await authorize(club, { amount: ALWAYS_SHORT })).body;
    const recurrence = { interval: "weekly", startAt: "2027-03-20", cycles: 1 };
    const weekly = (await authorize(club, { amount: ALWAYS_SHORT, retry, recurrence })).body;
    const refused = (await authorize(club, { amount: REFUSES })).body;
    const unanswered = (await authorize(club, { amount: NEVER_ANSWERS })).body;
    const revoked = (await authorize(club, { amount: REVOKES, retry })).body;
    await club.to("2027-03-21T13:00:00Z");
    for (const { id } of [once, always, weekly]) {
      expect((await club.read(id)).lastCycle).toMatchObject({ nextRetryAt: "2027-03-22", attempts: 2 });
    }
    expect(await club.read(never.id)).toMatchObject({ status: "unpaid", lastCycle: { attempts: 1, status: "failed" } });
    expect(await club.read(refused.id)).toMatchObject({ status: "canceled", mandate: { status: "rejected" } });
    expect(await club.read(unanswered.id)).toMatchObject({ status: "canceled", mandate: { status: "expired" } });
    expect(await club.read(revoked.id)).toMatchObject({
      status: "canceled",
      mandate: { status: "canceled" },
      lastCycle: { status: "canceled", attempts: 1 },
    });
    const reasons = await systemSql()<{ reason: string }[]>`
      select reason from subscription_changes
       where to_status = 'canceled' and client_id = ${club.client.clientId} order by at`;
    expect(reasons.map(({ reason }) => reason)).toEqual(["payer_refused", "payer", "mandate_expired"]);
    const notices = await systemSql()<{ kind: string; path: string }[]>`
      select kind, path from notices where client_id = ${club.client.clientId} and kind = 'mandate_canceled'`;
    expect(notices).toMatchObject([{ path: `/dashboard/subscriptions/${revoked.id}` }]);
    const path = `/v1/subscriptions/${always.id}`;
    const early = await club.client.call("POST", `${path}/cycles/${(await club.read(always.id)).lastCycle?.id}/retry`);
    expect(early).toMatchObject({ status: 422, error: { businessCode: "subscription_invalid_state" } });
    await club.to("2027-03-28T12:00:00Z");
    expect(await club.read(once.id)).toMatchObject({
      status: "active",
      lastCycle: { attempts: 2, status: "authorized" },
    });
    expect(await club.read(always.id)).toMatchObject({
      status: "unpaid",
      lastCycle: { attempts: 4, status: "failed" },
    });
    // The seventh day is the next cycle's.
    expect(await club.read(weekly.id)).toMatchObject({
      status: "unpaid",
      lastCycle: { attempts: 3, status: "failed" },
    });
    const days = await systemSql()<{ day: string }[]>`
      select settle_on::text as day from subscription_tries where subscription_id = ${always.id} order by number`;
    expect(days.map(({ day }) => day)).toEqual(["2027-03-20", "2027-03-22", "2027-03-24", "2027-03-27"]);
    const letters = await systemSql()<{ kind: string; outlook: string | null; on: string | null }[]>`
      select data ->> 'kind' as kind, data ->> 'outlook' as outlook, data ->> 'on' as on from emails
       where client_id = ${club.client.clientId} and dedupe like ${`%${(await club.read(always.id)).lastCycle?.id}%`}
       order by id`;
    expect(letters).toEqual([
      { kind: "failed", outlook: "retry", on: "2027-03-22" },
      { kind: "lastTry", outlook: null, on: "2027-03-27" },
      { kind: "failed", outlook: "ended", on: null },
    ]);
    const resumed = await club.client.call("POST", `${path}/resume`, { body: {} });
    expect(resumed).toMatchObject({
      status: 200,
      body: { status: "unpaid", message: expect.stringContaining("bank") },
    });
    expect((await club.read(always.id)).lastCycle).toMatchObject({ status: "pending", attempts: 5 });
    expect(await breaksOf(club)).toEqual([]);
  }, 60_000);

  test("is asked for again the day after where nobody could be asked, and no refusal is told", async () => {
    const club = await openClub("2027-03-14T12:00:00Z");
    const { id } = (await authorize(club)).body;
    const kept = (await authorize(club, { customerId: await openCustomer(club.client) })).body.id;
    const endOn = (scheduledCancellationAt: string | null) =>
      club.client.make("PUT", `/v1/subscriptions/${kept}`, { body: { scheduledCancellationAt } });
    await endOn("2027-03-20");
    await club.to("2027-03-14T12:05:00Z");
    const busy = { target: { customerId: club.customerId }, scenario: "fault=http_status;status=429;times=2" };
    await club.client.make("POST", "/v1/sandbox/scenarios", { body: busy });
    await club.to("2027-03-15T10:00:00Z");
    const waiting = { status: "created", lastCycle: { status: "retrying", attempts: 1 } };
    expect(await club.read(id)).toMatchObject(waiting);
    // What was not asked for because of an end is asked for once that end is taken back.
    expect(await chargesOf(club, kept)).toEqual([]);
    await endOn(null);
    await club.to("2027-03-15T10:01:00Z");
    expect(await chargesOf(club, kept)).toMatchObject([{ status: "pending" }]);
    const turn = (status: boolean) =>
      club.client.make("PATCH", `/v1/merchants/${club.merchant.id}`, { body: { status } });
    await turn(false);
    await club.to("2027-03-16T10:00:00Z");
    expect(await club.read(id)).toMatchObject({ ...waiting, lastCycle: { status: "retrying", attempts: 2 } });
    await turn(true);
    await club.to("2027-03-20T13:00:00Z");
    expect(await club.read(id)).toMatchObject({ status: "active", lastCycle: { status: "authorized", attempts: 3 } });
    const days = await systemSql()<{ day: string }[]>`
      select settle_on::text as day from subscription_tries
       where subscription_id = ${id} and charge_id is not null order by number`;
    expect(days.map(({ day }) => day)).toEqual(["2027-03-20", "2027-03-20"]);
    const letters = await systemSql()<{ kind: string }[]>`
      select data ->> 'kind' as kind from emails
       where client_id = ${club.client.clientId} and template = 'subscription' order by kind`;
    expect(letters.map(({ kind }) => kind)).toEqual(["receipt", "receipt", "started", "started"]);
    expect(await breaksOf(club)).toEqual([]);
  }, 60_000);

  test("is taken back from the bank by a pause, until the evening before, and asked for anew when it resumes", async () => {
    const club = await openClub("2027-03-14T12:00:00Z");
    const [resumed, missed, late, soon] = [
      (await authorize(club)).body,
      (await authorize(club)).body,
      (await authorize(club)).body,
      (await authorize(club)).body,
    ];
    const move = (id: string, verb: string) =>
      club.client.make<{ message: string }>("PATCH", `/v1/subscriptions/${id}/${verb}`, { body: {} });
    // Paused before its bank is asked, and going on before its day: the cycle does not fall due during the pause.
    await club.to("2027-04-14T12:00:00Z");
    expect((await move(soon.id, "pause")).message).toBe("subscription paused");
    await club.to("2027-04-16T12:00:00Z");
    expect(await club.cycles(soon.id)).toHaveLength(1);
    for (const { id } of [resumed, missed]) {
      expect((await move(id, "pause")).message).toContain("told not to pay on 2027-04-20");
    }
    await club.to("2027-04-16T12:01:00Z");
    for (const { id } of [resumed, missed]) {
      expect(await chargesOf(club, id)).toMatchObject([{ status: "authorized" }, { status: "canceled" }]);
      const { lastCycle } = await club.read(id);
      expect(lastCycle).toMatchObject({ status: "retrying", nextRetryAt: null, attempts: 1 });
      expect(lastCycle?.paymentHistory).toMatchObject([{ status: "failed", error: "taken_back" }]);
    }
    await club.to("2027-04-17T12:00:00Z");
    for (const { id } of [resumed, soon]) await move(id, "resume");
    await club.to("2027-04-20T01:30:00Z");
    // 22:30 of the day before in São Paulo: the bank is not told any more, and what it does is shown.
    expect((await move(late.id, "pause")).message).toContain("all the same");
    await club.to("2027-04-25T12:00:00Z");
    expect(await club.read(resumed.id)).toMatchObject({
      status: "active",
      lastCycle: { status: "authorized", attempts: 2 },
    });
    expect(await club.cycles(soon.id)).toMatchObject([
      { cycle: 1, status: "authorized" },
      { cycle: 2, status: "authorized", attempts: 1, scheduledAt: "2027-04-20" },
    ]);
    expect(await club.read(late.id)).toMatchObject({
      status: "paused",
      lastCycle: { status: "authorized", attempts: 1 },
    });
    await move(missed.id, "resume");
    expect(await club.cycles(missed.id)).toMatchObject([
      { cycle: 1, status: "authorized" },
      { cycle: 2, status: "canceled", attempts: 1 },
    ]);
    expect((await club.read(missed.id)).recurrence.nextDueDate).toBe("2027-05-20");
    const letters = await systemSql()<{ kind: string }[]>`
      select data ->> 'kind' as kind from emails
       where client_id = ${club.client.clientId} and template = 'subscription' order by kind`;
    expect(letters.map(({ kind }) => kind)).toEqual([
      ...Array<string>(7).fill("receipt"),
      ...Array<string>(4).fill("started"),
    ]);
    expect(await breaksOf(club)).toEqual([]);
  }, 60_000);

  test("is taken back when it is paused while its bank is being asked", async () => {
    const club = await openClub("2027-03-14T12:00:00Z");
    const { id } = (await authorize(club, { recurrence: { interval: "weekly", startAt: "2027-03-17" } })).body;
    await club.to("2027-03-19T09:01:00Z");
    expect(await chargesOf(club, id)).toMatchObject([{ status: "authorized" }, { status: "pending" }]);
    await whileAsked(club, id, () => club.client.make("PATCH", `/v1/subscriptions/${id}/pause`, { body: {} }));
    await club.to("2027-03-25T12:00:00Z");
    expect(await chargesOf(club, id)).toMatchObject([{ status: "authorized" }, { status: "canceled" }]);
    expect(await club.read(id)).toMatchObject({ status: "paused", lastCycle: { status: "retrying" } });
    expect(await breaksOf(club)).toEqual([]);
  }, 60_000);

  test("is ended when it is canceled while its bank is being asked", async () => {
    const club = await openClub("2027-03-14T12:00:00Z");
    const { id } = (await authorize(club)).body;
    await club.to("2027-03-15T09:01:00Z");
    await whileAsked(club, id, () => club.client.make("POST", `/v1/subscriptions/${id}/cancel`, { body: {} }));
    await club.to("2027-03-21T12:00:00Z");
    expect(await club.read(id)).toMatchObject({ status: "canceled", mandate: { status: "canceled" } });
    expect(await chargesOf(club, id)).toMatchObject([{ status: "canceled" }]);
  }, 60_000);

  test("refuses what a mandate cannot be, and writes nothing", async () => {
    const club = await openClub("2027-03-01T12:00:00Z");
    const wrong = [
      [{ recurrence: { interval: "biennial" } }, "recurrence.interval"],
      [{ journey: "qr_with_first_payment", recurrence: { interval: "monthly", startAt: "2027-03-20" } }, "journey"],
      [{ retry: "daily" }, "retry"],
    ] as const;
    for (const [asked, member] of wrong) {
      const { status, body } = await authorize(club, asked);
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(member)]);
    }
    const { body: made } = await authorize(club);
    const changes = [
      { items: [{ name: "Ouro", amount: 5_000, quantity: 1 }] },
      { recurrence: { interval: "weekly" } },
      { paymentMethod: { card: { cardId: await club.card() } } },
    ];
    for (const change of changes) {
      expect((await club.client.call("PUT", `/v1/subscriptions/${made.id}`, { body: change })).status).toBe(400);
    }
    const written = await systemSql()`select from subscriptions where client_id = ${club.client.clientId}`;
    expect(written).toHaveLength(1);
  });
});
