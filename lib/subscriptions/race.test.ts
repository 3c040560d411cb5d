import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { resume } from "@/lib/charges/engine/settle";
import { SUBSCRIPTION_INVARIANTS } from "@/lib/invariants/subscriptions";
import { cycleDue, outcomeDue, retryDue } from "@/lib/subscriptions/due";
import { isProof, proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { type Club, openClub } from "@/lib/testing/subscriptions";

/** What of the club's subscriptions breaks an invariant, by its id. */
async function brokenIn(club: Club): Promise<string[]> {
  const picked = `select id from subscriptions where client_id = '${club.client.clientId}'`;
  const told: string[] = [];
  for (const { id, sql } of SUBSCRIPTION_INVARIANTS) {
    const rows = await systemSql().unsafe(`with picked(id) as (${picked}) ${sql}`);
    told.push(...rows.map(() => id));
  }
  return told;
}

const IN_SUITE = 6;
/** Subscriptions of one club, raced for at the same moment. */
const AT_ONCE = 6;
const RACERS = 50;
const RACERS_IN_SUITE = 4;

test("whoever pauses, cancels or charges at the same moment: one order, one charge at most, none after the end", {
  timeout: proofTimeout(),
}, async () => {
  const [first, rounds] = [proofFrom(), proofRuns(IN_SUITE)];
  const racers = isProof() ? RACERS : RACERS_IN_SUITE;
  const violations: string[] = [];
  for (let done = 0; done < rounds; done += AT_ONCE) {
    violations.push(...(await raceFor(first + done, Math.min(AT_ONCE, rounds - done), racers)));
  }
  recordProof({ ran: rounds, violations, figures: { racers: rounds * racers } });
  expect(violations).toEqual([]);
});

/** As many subscriptions of a club of their own: one racer of each ends it, the others charge what falls due. */
async function raceFor(first: number, count: number, racers: number): Promise<string[]> {
  const club = await openClub("2027-01-31T10:00:00Z");
  const recurrence = { interval: "weekly" };
  const [card, ids] = [await club.card(), [] as string[]];
  for (let made = 0; made < count; made++) ids.push((await club.subscribe({ card, recurrence })).body.id);
  await club.to("2027-02-07T08:59:59Z");
  const ctx = await club.client.context();
  // Its clock a second later: the moment the cycle falls due.
  const clock = { offsetSeconds: 0, frozenAt: new Date("2027-02-07T09:00:00Z") };
  const due = { ...ctx, account: { ...ctx.account, clock } };
  await Promise.all(
    ids.flatMap((id, nth) => {
      const verb = (first + nth) % 2 === 0 ? "pause" : "cancel";
      const end = () => club.client.call("PATCH", `/v1/subscriptions/${id}/${verb}`, { body: {} });
      return Array.from({ length: racers }, (_, racer) => (racer === 1 ? end() : cycleDue(due, id)));
    }),
  );
  const violations: string[] = [];
  const wrong = (nth: number, text: string) => violations.push(`round ${first + nth + 1}: ${text}`);
  for (const [nth, id] of ids.entries()) {
    const cycles = await club.cycles(id);
    const attempts = cycles.map((cycle) => cycle.attempts);
    if (cycles.length > 2) wrong(nth, `${cycles.length} cycles`);
    if (attempts.some((tries) => tries > 1)) wrong(nth, `a cycle was charged ${Math.max(...attempts)} times`);
    const { status } = await club.read(id);
    if (status !== "paused" && status !== "canceled") wrong(nth, `it is ${status}`);
    for (const again of [cycleDue(due, id), ...cycles.map((cycle) => retryDue(due, cycle.id))]) await again;
    const later = (await club.cycles(id)).map((cycle) => cycle.attempts);
    if (later.join() !== attempts.join()) wrong(nth, "it was charged after its end");
  }
  violations.push(...(await brokenIn(club)).map((id) => `rounds from ${first + 1}: ${id} does not hold`));
  return violations;
}

test("a process that dies with its charge accepted and unpaid leaves it to be finished, once", async () => {
  const club = await openClub("2027-01-31T10:00:00Z");
  // The call leaves and its process never hears of it: what is committed by then is all there is.
  const { body } = await club.subscribe({}, { scenario: "fault=drop_response", idempotencyKey: "dies-once" });
  const chargeId = body.lastCycle?.paymentHistory[0]?.chargeId ?? "";
  expect(body.lastCycle?.status).toBe("pending");
  const ctx = await club.client.context();
  await cycleDue(ctx, body.id);
  expect((await club.read(body.id)).lastCycle?.attempts).toBe(1);
  await club.to("2027-01-31T10:30:00Z");
  await resume(await club.client.context(), chargeId);
  for (let told = 0; told < 3; told++) await outcomeDue(await club.client.context(), chargeId);
  expect(await club.read(body.id)).toMatchObject({
    status: "active",
    lastCycle: { status: "authorized", attempts: 1 },
  });
  expect(await club.events(body.id)).toEqual(["created", "activated"]);
  expect(await brokenIn(club)).toEqual([]);
}, 60_000);
