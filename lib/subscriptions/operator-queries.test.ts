import { expect, test } from "vitest";
import { subscriptionFiguresOf } from "@/lib/subscriptions/operator-queries";
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
