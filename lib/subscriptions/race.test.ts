import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { resume } from "@/lib/charges/engine/settle";
import { SUBSCRIPTION_INVARIANTS } from "@/lib/invariants/subscriptions";
import { cycleDue, outcomeDue, retryDue } from "@/lib/subscriptions/due";
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

test("whoever pauses, cancels or charges at the same moment: one order, one charge at most, none after the end", async () => {
  const club = await openClub("2027-01-31T10:00:00Z");
  const recurrence = { interval: "weekly" };
  const [card, ids] = [await club.card(), [] as string[]];
  for (let made = 0; made < 6; made++) ids.push((await club.subscribe({ card, recurrence })).body.id);
  await club.to("2027-02-07T08:59:59Z");
  const ctx = { ...(await club.client.context()) };
  // Its clock a second later: the moment the cycle falls due.
  const due = {
    ...ctx,
    account: { ...ctx.account, clock: { offsetSeconds: 0, frozenAt: new Date("2027-02-07T09:00:00Z") } },
  };
  const ends = ["pause", "cancel", "pause", "cancel", "pause", "cancel"];
  await Promise.all(
    ids.flatMap((id, index) => [
      cycleDue(due, id),
      club.client.call("PATCH", `/v1/subscriptions/${id}/${ends[index]}`, { body: {} }),
      cycleDue(due, id),
      cycleDue(due, id),
    ]),
  );
  for (const id of ids) {
    const cycles = await club.cycles(id);
    expect(cycles.length).toBeLessThanOrEqual(2);
    expect(cycles.map(({ attempts }) => attempts).every((tries) => tries <= 1)).toBe(true);
    expect(["paused", "canceled"]).toContain((await club.read(id)).status);
    for (const again of [cycleDue(due, id), ...cycles.map((cycle) => retryDue(due, cycle.id))]) await again;
    expect((await club.cycles(id)).map(({ attempts }) => attempts)).toEqual(cycles.map(({ attempts }) => attempts));
  }
  expect(await brokenIn(club)).toEqual([]);
}, 60_000);

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
