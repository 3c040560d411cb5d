import { expect, test } from "vitest";
import { overviewOf, subscriptionFiguresOf } from "@/lib/subscriptions/operator-queries";
import { openClub } from "@/lib/testing/subscriptions";

test("what comes in each month is rounded half up for each subscription, then added", async () => {
  const club = await openClub("2027-01-31T10:00:00Z");
  const card = await club.card();
  for (const [interval, amount] of [
    ["yearly", 1_806],
    ["biennial", 2_412],
    ["triennial", 3_618],
    ["weekly", 1_200],
  ] as const)
    await club.subscribe({ card, recurrence: { interval }, items: [{ name: "x", amount, quantity: 1 }] });
  const { active, monthly } = await subscriptionFiguresOf(await club.client.context(), "owner");
  expect([active, monthly]).toEqual([4, 151 + 101 + 101 + 5_200]);
});

test("the history of a subscription has every charge and retry of every cycle, with its payment, in their order", async () => {
  const club = await openClub("2027-01-10T10:00:00Z");
  const card = await club.card();
  const { body } = await club.subscribe({ card });
  await club.script(card, "outcome=106");
  for (const day of ["2027-02-10", "2027-02-20", "2027-03-10"]) await club.to(`${day}T12:00:00Z`);
  const { history } = await overviewOf(await club.client.context(), "owner", body.id);
  const told = history.map((entry) =>
    entry.kind === "change"
      ? entry.change.fact
      : [entry.cycle, entry.attempt.number, entry.attempt.status, entry.amount, entry.attempt.chargeId !== null],
  );
  expect(told.toReversed()).toEqual([
    "changed",
    [1, 1, "authorized", 4_990, true],
    "charge.approved",
    [2, 1, "failed", 4_990, true],
    [2, 2, "authorized", 4_990, true],
    [3, 1, "authorized", 4_990, true],
  ]);
});
