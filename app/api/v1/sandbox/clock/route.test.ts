import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { type ChargeReply, openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { aKey, openClient } from "@/lib/testing/api";
import type { Body } from "@/lib/testing/api-client";
import { realNow } from "@/lib/time";
import { pause } from "@/lib/wait";

const PATH = "/v1/sandbox/clock";
const DAY_MS = 86_400_000;

interface Clock extends Body {
  now: string;
  offsetSeconds: number;
  frozen: boolean;
  jobsRun: number;
}

const move = (shop: { call: Shop["call"] }, body: Record<string, unknown>, idempotencyKey?: string) =>
  shop.call<Clock>("POST", PATH, { body, ...(idempotencyKey ? { idempotencyKey } : {}) });

const at = (text: string): number => new Date(text).getTime();

/** An account whose clock stands still, so that every moment can be told to the millisecond. */
async function openStoppedShop(): Promise<Shop & { start: number }> {
  const shop = await openShop();
  const { body } = await move(shop, { freeze: true });
  return { ...shop, start: at(body.now) };
}

const eventsOf = async (id: string): Promise<[event: string, at: number][]> => {
  const rows = await systemSql()<{ event: string; created_at: Date }[]>`
    select event, created_at from events where entity_id = ${id} order by entity_version`;
  return rows.map((row) => [row.event, row.created_at.getTime()]);
};

describe("GET /v1/sandbox/clock", () => {
  test("200: a new account runs on real time", async () => {
    const client = await openClient();
    const { status, body } = await client.call<Clock>("GET", PATH);
    expect(status).toBe(200);
    expect(body).toEqual({ now: expect.any(String), offsetSeconds: 0, frozen: false });
    expect(Math.abs(at(body.now) - realNow().getTime())).toBeLessThan(5_000);
  });

  test("404 on a live account, 403 for a public key", async () => {
    const live = await openClient({ mode: "live" });
    expect((await live.call("GET", PATH)).status).toBe(404);
    expect((await move(live, { advance: "P1D" })).status).toBe(404);
    const client = await openClient();
    const key = await client.publicKey("*");
    expect((await client.call("GET", PATH, { key })).status).toBe(403);
  });
});

describe("POST /v1/sandbox/clock", () => {
  test("200: the clock goes on and keeps running", async () => {
    const client = await openClient();
    const { status, body } = await move(client, { advance: "P31D" });
    expect(status).toBe(200);
    expect(body).toEqual({
      now: expect.any(String),
      offsetSeconds: expect.any(Number),
      frozen: false,
      jobsRun: 0,
    });
    expect(body.offsetSeconds).toBeGreaterThanOrEqual(31 * 86_400);
    expect(body.offsetSeconds).toBeLessThanOrEqual(31 * 86_400 + 2);
    const later = await client.make<Clock>("GET", PATH);
    expect(at(later.now)).toBeGreaterThanOrEqual(at(body.now));
    expect(later.offsetSeconds).toBe(body.offsetSeconds);
  });

  test("200: a stopped clock stands still to the millisecond, moves exactly, and runs again when asked", async () => {
    const client = await openClient();
    const stopped = (await move(client, { advance: "PT1H", freeze: true })).body;
    expect(stopped.frozen).toBe(true);
    await pause(20);
    expect((await client.make<Clock>("GET", PATH)).now).toBe(stopped.now);
    const moved = (await move(client, { advance: "P1DT2H3M4.5S" })).body;
    expect(moved.frozen).toBe(true);
    expect(at(moved.now) - at(stopped.now)).toBe(DAY_MS + (2 * 3600 + 3 * 60 + 4.5) * 1000);
    const running = (await move(client, { freeze: false })).body;
    expect(running.frozen).toBe(false);
    expect(at(running.now)).toBeGreaterThanOrEqual(at(moved.now));
  });

  test("200: months are of the calendar, and `to` takes any offset", async () => {
    const client = await openClient();
    await move(client, { to: "2031-01-31T12:00:00Z", freeze: true }).then(({ status }) => expect(status).toBe(400));
    const start = new Date(realNow().getTime() + 30 * DAY_MS);
    start.setUTCHours(12, 0, 0, 0);
    const there = await move(client, { to: start.toISOString().replace("Z", "+00:00"), freeze: true });
    expect(there.body.now).toBe(start.toISOString());
    const expected = new Date(start);
    expected.setUTCDate(1);
    expected.setUTCMonth(expected.getUTCMonth() + 1);
    const month = await move(client, { advance: "P1M" });
    expect(new Date(month.body.now).getUTCMonth()).toBe(expected.getUTCMonth());
  });

  test("200: a repeated request with its key does not move the clock again", async () => {
    const client = await openClient();
    const key = aKey();
    const first = await move(client, { advance: "P1D", freeze: true }, key);
    const again = await move(client, { advance: "P1D", freeze: true }, key);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect((await client.make<Clock>("GET", PATH)).now).toBe(first.body.now);
    expect((await move(client, { advance: "P2D" }, key)).error?.businessCode).toBe("idempotency_key_payload_mismatch");
  });

  test("200: two moves at once follow each other", async () => {
    const shop = await openStoppedShop();
    const moves = await Promise.all([move(shop, { advance: "P1D" }), move(shop, { advance: "P1D" })]);
    expect(moves.map(({ status }) => status)).toEqual([200, 200]);
    const now = (await shop.make<Clock>("GET", PATH)).now;
    expect(at(now) - shop.start).toBe(2 * DAY_MS);
  });

  test.each([
    ["backwards", { to: "2020-01-01T00:00:00Z" }],
    ["more than 400 days", { advance: "P401D" }],
    ["more than any calendar has", { advance: "P999999999999Y" }],
    ["both ways at once", { advance: "P1D", to: "2030-01-01T00:00:00Z" }],
    ["nothing", {}],
    ["no duration", { advance: "1 day" }],
    ["an empty duration", { advance: "P" }],
    ["a duration that ends in T", { advance: "P1DT" }],
    ["a negative duration", { advance: "-P1D" }],
    ["no instant", { to: "tomorrow" }],
    ["a freeze that is no boolean", { advance: "P1D", freeze: "yes" }],
  ])("400: %s", async (_, body) => {
    const client = await openClient();
    const before = (await client.make<Clock>("GET", PATH)).offsetSeconds;
    const reply = await move(client, body);
    expect(reply.status).toBe(400);
    expect(reply.error?.type).toBe("bad_request");
    expect((await client.make<Clock>("GET", PATH)).offsetSeconds).toBe(before);
  });

  test("400: a refused move leaves no key behind", async () => {
    const client = await openClient();
    const key = aKey();
    expect((await move(client, { advance: "P401D" }, key)).status).toBe(400);
    expect((await move(client, { advance: "P401D" }, key)).status).toBe(400);
  });
});

describe("what becomes due on the way", () => {
  test("has run when the answer comes, each at its own moment, in the order of the moments", async () => {
    const shop = await openStoppedShop();
    const { start } = shop;
    const pix = await shop.pix();
    const held = (await shop.pay(sandboxPan("approve"), { capture: false })).body;
    const refunded = (await shop.pay(sandboxPan("refund_pending_done"))).body;
    const disputed = (await shop.pay(sandboxPan("chargeback_then_reversed"))).body;
    await shop.make("POST", `/v1/charges/${refunded.id}/void`, { body: { amount: 100 } });
    const { body } = await move(shop, { advance: "P30D" });
    expect(body.jobsRun).toBeGreaterThanOrEqual(5);
    expect(await eventsOf(pix.id)).toEqual([
      ["pending", start],
      ["canceled", start + 3_600_000],
    ]);
    expect(await eventsOf(held.id)).toEqual([
      ["pre_authorized", start],
      ["voided", start + 7 * DAY_MS - 6 * 3_600_000],
    ]);
    expect(await eventsOf(refunded.id)).toEqual([
      ["authorized", start],
      ["refund_pending", start + 1],
      ["partially_voided", start + DAY_MS],
    ]);
    expect(await eventsOf(disputed.id)).toEqual([
      ["authorized", start],
      ["dispute", start + DAY_MS],
      ["charged_back", start + DAY_MS + 1],
      ["dispute_closed", start + 11 * DAY_MS],
      ["authorized", start + 11 * DAY_MS + 1],
    ]);
    const [left] = await systemSql()`
      select count(*)::int as n from due_jobs where client_id = ${shop.clientId} and due_at <= ${new Date(body.now)}`;
    expect(left?.n).toBe(0);
  });

  test("is the same day by day as in one jump", async () => {
    const stories = async (jumps: string[]) => {
      const shop = await openStoppedShop();
      const charges = [
        await shop.pix(),
        await shop.boleto(),
        (await shop.pay(sandboxPan("approve"), { capture: false })).body,
        (await shop.pay(sandboxPan("chargeback_then_reversed"))).body,
        (await shop.pay(sandboxPan("timeout_not_found_at_provider"))).body,
        (await shop.pay(sandboxPan("pending_forever"))).body,
      ];
      for (const advance of jumps) expect((await move(shop, { advance })).status).toBe(200);
      return Promise.all(
        charges.map(async ({ id }) => {
          const events = await eventsOf(id);
          return { status: (await shop.charge(id)).status, events: events.map(([event]) => event) };
        }),
      );
    };
    const [atOnce, daily] = await Promise.all([stories(["P15D"]), stories(Array<string>(15).fill("P1D"))]);
    expect(daily).toEqual(atOnce);
    expect(atOnce.map(({ status }) => status)).toEqual([
      "canceled",
      "canceled",
      "voided",
      "authorized",
      "failed",
      "pending",
    ]);
  });

  test("asks about an unknown payment ten times in three hours, then it is under review and only watched", async () => {
    const shop = await openStoppedShop();
    const { id } = (await shop.pay(sandboxPan("pending_forever"))).body;
    const asked = async () => {
      const [row] = await systemSql()`
        select count(*)::int as n from sandbox_calls where charge_id = ${id} and operation = 'query'`;
      return Number(row?.n);
    };
    const review = async () => {
      const [row] = await systemSql()`select review_reason, review_since from charges where id = ${id}`;
      return row;
    };
    await move(shop, { advance: "PT50M" });
    expect(await review()).toMatchObject({ review_reason: null });
    await move(shop, { advance: "PT2H40M" });
    expect(await asked()).toBeGreaterThanOrEqual(10);
    const found = await review();
    expect(found?.review_reason).toBe("reconciliation_failed");
    const inReview = await asked();
    await move(shop, { advance: "P20D" });
    expect((await asked()) - inReview).toBeLessThanOrEqual(12);
    expect(await review()).toEqual(found);
    const [jobs] = await systemSql()`select count(*)::int as n from due_jobs where ref_id = ${id}`;
    expect(jobs?.n).toBe(0);
  });

  test("waits for a job that a worker has at this moment, so the order is kept", async () => {
    const shop = await openStoppedShop();
    const pix = await shop.pix();
    await systemSql()`update due_jobs set lease_until = now() + interval '1 second' where ref_id = ${pix.id}`;
    const { body } = await move(shop, { advance: "P1D" });
    expect(body.jobsRun).toBeGreaterThanOrEqual(1);
    expect((await shop.charge(pix.id)).status).toBe("canceled");
  });

  test("waits for a charge that somebody drives", async () => {
    const shop = await openStoppedShop();
    const pix = await shop.pix();
    await systemSql()`update charges set lease_until = now() + interval '1 second' where id = ${pix.id}`;
    await move(shop, { advance: "P1D" });
    expect((await shop.charge(pix.id)).status).toBe("canceled");
  });

  test("touches no other account", async () => {
    const [mover, other] = await Promise.all([openShop(), openShop()]);
    const pix = await other.pix();
    await mover.advance("P30D");
    expect((await other.charge(pix.id)).status).toBe("pending");
    expect((await other.make<Clock>("GET", PATH)).offsetSeconds).toBe(0);
  });
});

describe("a stopped clock", () => {
  test("keeps the order of what happens at one instant: requests, events and lists", async () => {
    const shop = await openStoppedShop();
    const charge = (await shop.pay(sandboxPan("approve"))).body;
    await shop.make("POST", `/v1/charges/${charge.id}/void`, { body: { amount: 1_000 } });
    const { transactionRequests } = await shop.charge(charge.id);
    expect(transactionRequests.map(({ requestType }) => requestType)).toEqual(["void", "capture", "pre_authorization"]);
    expect((await eventsOf(charge.id)).map(([event]) => event)).toEqual(["authorized", "partially_voided"]);
  });

  test("holds back what is due later, whatever real time says", async () => {
    const shop = await openStoppedShop();
    const pix = await shop.pix(1_000, { paymentMethod: { paymentType: "pix", expiresIn: 1 } });
    const [job] = await systemSql()`select wake_at from due_jobs where ref_id = ${pix.id} and kind = 'charge.expire'`;
    expect(job?.wake_at).toBeNull();
    await move(shop, { advance: "PT2S" });
    expect((await shop.charge(pix.id)).status).toBe("canceled");
  });

  test("that runs again gives every job its real moment", async () => {
    const shop = await openStoppedShop();
    const pix = await shop.pix();
    await move(shop, { freeze: false });
    const [job] = await systemSql()<{ wake_at: Date; due_at: Date }[]>`
      select wake_at, due_at from due_jobs where ref_id = ${pix.id} and kind = 'charge.expire'`;
    expect(Math.abs(Number(job?.wake_at) - Number(job?.due_at))).toBeLessThan(5_000);
  });
});

describe("autoSettleSeconds", () => {
  const settle = (shop: Shop, seconds: number | null) =>
    shop.make("PATCH", "/v1/sandbox/settings", { body: { autoSettleSeconds: seconds } });

  test("pays what is created from then on, exactly that much later", async () => {
    const shop = await openStoppedShop();
    const before = await shop.pix();
    await settle(shop, 30);
    const [pix, large, boleto] = [await shop.pix(), await shop.pix(500_01), await shop.boleto()];
    await move(shop, { advance: "PT29S" });
    expect((await shop.charge(pix.id)).status).toBe("pending");
    await move(shop, { advance: "PT2S" });
    const statuses = async (charges: ChargeReply[]) =>
      Promise.all(charges.map(async ({ id }) => (await shop.charge(id)).status));
    expect(await statuses([before, pix, large, boleto])).toEqual(["pending", "authorized", "pending", "authorized"]);
    expect((await eventsOf(pix.id)).at(-1)).toEqual(["authorized", shop.start + 30_000]);
  });
});
