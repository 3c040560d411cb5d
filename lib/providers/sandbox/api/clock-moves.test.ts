import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { audit } from "@/lib/audit";
import { inTransaction } from "@/lib/context";
import { beginTestClock, setTestClock } from "@/lib/providers/sandbox/api/clock";
import { CLOCK_BEGUN, happenedBetween, lastMove } from "@/lib/providers/sandbox/api/clock-moves";
import { clockInput } from "@/lib/providers/sandbox/api/schema";
import { openShop } from "@/lib/providers/sandbox/api/testing";
import { openClub } from "@/lib/testing/subscriptions";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

test("a move that is under way is told with where it leads, to whoever looks, until it has ended and says what it ran", async () => {
  const shop = await openShop();
  await shop.pix();
  expect(await lastMove(await shop.context())).toBeUndefined();
  const held = await systemSql().begin(async (tx) => {
    // The move comes to this job, and no further while it is held here.
    await tx`select 1 from due_jobs where client_id = ${shop.clientId} for update`;
    const moving = setTestClock(await shop.context(), clockInput.parse({ advance: "P60D", freeze: true }));
    await expect.poll(async () => (await lastMove(await shop.context()))?.state, { timeout: 8_000 }).toBe("moving");
    const move = await lastMove(await shop.context());
    expect(Math.round(((move?.to.getTime() ?? 0) - (move?.from.getTime() ?? 0)) / 1_000 / DAY_SECONDS)).toBe(60);
    expect(move?.jobsRun).toBeNull();
    return { moving };
  });
  const { jobsRun } = await held.moving;
  expect(jobsRun).toBeGreaterThan(0);
  expect(await lastMove(await shop.context())).toMatchObject({ state: "moved", jobsRun });
});

test("a page does not wait for a long move, which goes on by itself", async () => {
  const shop = await openShop();
  await shop.pix();
  const target = await systemSql().begin(async (tx) => {
    await tx`select 1 from due_jobs where client_id = ${shop.clientId} for update`;
    await beginTestClock(await shop.context(), clockInput.parse({ advance: "P30D", freeze: true }));
    const move = await lastMove(await shop.context());
    expect(move?.state).toBe("moving");
    return move?.to;
  });
  await expect.poll(async () => (await lastMove(await shop.context()))?.state, { timeout: 20_000 }).toBe("moved");
  expect((await shop.context()).account.clock.frozenAt).toEqual(target);
});

test("a move whose process died is told as cut off, and not as under way", async () => {
  const shop = await openShop();
  const ctx = await shop.context();
  const [from, to] = [new Date(), addSeconds(new Date(), DAY_SECONDS)];
  await inTransaction(ctx, (inside) =>
    audit(inside, {
      action: CLOCK_BEGUN,
      object: "account",
      objectId: shop.clientId,
      before: { now: from.toISOString() },
      after: { now: to.toISOString() },
    }),
  );
  expect(await lastMove(ctx)).toEqual({ from, to, state: "cut_off", jobsRun: null, kindsRun: [] });
});

test("what a move came to is counted from the events of its time alone", async () => {
  const club = await openClub("2027-01-10T10:00:00Z");
  const card = await club.card();
  await club.subscribe({ card });
  await club.script(card, "outcome=106");
  await setTestClock(await club.client.context(), clockInput.parse({ advance: "P60D", freeze: true }));
  const ctx = await club.client.context();
  const move = await lastMove(ctx);
  if (!move) throw new Error("the clock was moved");
  // The first cycle was paid before: the second is declined and retried, the third falls due.
  expect(await happenedBetween(ctx, move)).toEqual({
    paid: 2,
    paidAmount: 2 * 4_990,
    declined: 1,
    unpaid: 0,
    refunded: 0,
    payouts: expect.any(Number),
    unpaidSubscriptions: 0,
  });
});

test("what somebody else finishes on the way has run too, and is named", async () => {
  const shop = await openShop();
  const pix = await shop.pix();
  await systemSql()`update charges set lease_until = now() + interval '1 minute' where id = ${pix.id}`;
  const moving = setTestClock(await shop.context(), clockInput.parse({ advance: "P1D", freeze: true }));
  const begun = async () => {
    const [job] = await systemSql()`
      select kind from due_jobs where client_id = ${shop.clientId} and attempts > 0 and lease_until is null`;
    return job?.kind;
  };
  await expect.poll(begun, { timeout: 8_000, interval: 5 }).toBeTruthy();
  const kind = await systemSql().begin(async (sql) => {
    const gone = await sql`delete from due_jobs where client_id = ${shop.clientId} returning kind, attempts`;
    return gone.find(({ attempts }) => attempts > 0)?.kind;
  });
  await moving;
  expect(await lastMove(await shop.context())).toMatchObject({ state: "moved", jobsRun: 1, kindsRun: [kind] });
});
