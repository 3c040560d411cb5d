import { beforeEach, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { inSnapshot } from "@/lib/context";
import { decidersOf } from "@/lib/flows/queries";
import { updateFlow } from "@/lib/flows/service";
import { guardedFlows, guardFlow } from "@/lib/flows/trials/guard";
import { daysToSample, failingSides, verdictOf } from "@/lib/flows/trials/verdict";
import { openClient } from "@/lib/testing/api";
import { copies } from "@/lib/testing/flows/copies";
import { seeded } from "@/lib/testing/flows/random";
import { addProvider, payByCard, type Shop, withMerchant } from "@/lib/testing/payments";

const approvals = (dice: ReturnType<typeof seeded>, payments: number, percent: number) => ({
  payments,
  approved: Array.from({ length: payments }, () => dice.chance(percent)).filter(Boolean).length,
});

test("no winner before the announced number, however far apart the sides are", () => {
  const sides = [
    { payments: 999, approved: 100 },
    { payments: 5_000, approved: 5_000 },
  ];
  expect(verdictOf(sides, 1_000)).toEqual({ state: "running", missing: 1 });
});

test("of sides that are alike at most 5 in 100 tests tell a winner, and ten points are found", () => {
  const dice = seeded(7);
  const told = (percents: readonly number[]) =>
    Array.from({ length: 400 }, () =>
      verdictOf(
        percents.map((one) => approvals(dice, 400, one)),
        400,
      ),
    );
  expect(told([80, 80]).filter(({ state }) => state === "won").length).toBeLessThan(32);
  expect(told([80, 80, 80]).filter(({ state }) => state === "won").length).toBeLessThan(32);
  expect(told([70, 80]).filter((one) => one.state === "won" && one.side === 1).length).toBeGreaterThan(320);
});

test("the days that are left are those of the slowest side, and unsaid while it has hardly begun", () => {
  const [since, at] = [new Date("2026-11-01T00:00:00Z"), new Date("2026-11-05T00:00:00Z")];
  const sides = (slow: number) => [
    { payments: 900, approved: 1 },
    { payments: slow, approved: 1 },
  ];
  expect(daysToSample(sides(100), 300, { since, at })).toBe(8);
  expect(daysToSample(sides(299), 300, { since, at })).toBe(1);
  expect(daysToSample(sides(9), 300, { since, at })).toBeUndefined();
});

test("a guardrail needs its points, enough payments, and more than bad luck", () => {
  const first = { payments: 1_000, approved: 800 };
  expect(failingSides([first, { payments: 1_000, approved: 700 }], 5)).toEqual([1]);
  expect(failingSides([first, { payments: 1_000, approved: 770 }], 5)).toEqual([]);
  expect(failingSides([first, { payments: 99, approved: 0 }], 5)).toEqual([]);
  expect(failingSides([first, { payments: 100, approved: 72 }], 5)).toEqual([]);
  expect(failingSides([{ payments: 1_000, approved: 700 }, first], 5)).toEqual([]);
});

const to = (id: string) => ({ rule: "provider", id });

let shop: Shop;
let second: string;
beforeEach(async () => {
  shop = await withMerchant(await openClient());
  second = await addProvider(shop, { name: "Second", priority: 2 });
});

test("a side that falls behind is turned off once, by a version of its own, and people are told", async () => {
  const { client, merchant } = shop;
  const removed = await addProvider(shop, { name: "Removed", priority: 3 });
  const half = {
    rule: "share",
    id: "half",
    by: "random",
    trial: { sample: 200, guardrail: 5 },
    weights: [
      { weight: 50, then: [to(merchant.providerId)] },
      { weight: 50, then: [to(second)] },
    ],
  };
  const { id } = await client.make<{ id: string }>("POST", "/v1/flows", {
    body: {
      name: "Cards",
      paymentMethod: "credit",
      merchantId: merchant.id,
      status: "active",
      flow: { root: [half, to(removed)] },
    },
  });
  // A flow goes on without a provider that was removed, and so does its guardrail.
  await client.make("DELETE", `/v1/providers/${removed}`, { query: { force: "true" } });
  const paid = new Map<string, string>();
  while (paid.size < 2) {
    const charge = (await payByCard(shop)).body.id;
    const [row] = await systemSql()`select path from routing_decisions where charge_id = ${charge}`;
    paid.set(String(row?.path[0]), charge);
  }
  const ctx = await client.context();
  expect((await guardedFlows()).some((one) => one.id === id)).toBe(true);
  expect(await guardFlow(ctx, id)).toBe(false);
  await copies(paid.get("half:0") ?? "", 300, { declined: 30 });
  await copies(paid.get("half:1") ?? "", 300, { declined: 120 });
  expect(await guardFlow(ctx, id)).toBe(true);
  expect(await guardFlow(ctx, id)).toBe(false);
  const { items } = await client.make<{ items: { id: string; status: string; flow: { root: unknown[] } }[] }>(
    "GET",
    "/v1/flows",
    { query: { status: "active" } },
  );
  expect(items.map(({ flow: { root } }) => root)).toEqual([
    [
      { rule: "share", id: "half", by: "random", weights: [{ weight: 100, then: [to(merchant.providerId)] }] },
      to(removed),
    ],
  ]);
  const [notice] = await systemSql()`
    select name, path from notices where client_id = ${client.clientId} and kind = 'flow_guardrail'`;
  expect(notice).toEqual({ name: "Cards", path: `/dashboard/flows/${items[0]?.id}` });
});

test("a flow is not activated in the place of another one than was shown", async () => {
  const { client, merchant } = shop;
  const make = (status: "draft" | "active", provider: string) =>
    client.make<{ id: string }>("POST", "/v1/flows", {
      body: { name: "Cards", paymentMethod: "credit", merchantId: merchant.id, status, flow: { root: [to(provider)] } },
    });
  const ctx = await client.context();
  const shown = () =>
    inSnapshot(ctx, (inside) => decidersOf(inside, { merchantIds: [merchant.id], paymentMethod: "credit" }));
  const { id } = await make("draft", second);
  const nobody = await shown();
  await make("active", merchant.providerId);
  const changes = { version: "1.0.0", status: "active", ...NOTHING_ELSE } as const;
  await expect(updateFlow(ctx, id, changes, { deciders: nobody })).rejects.toMatchObject({
    businessCode: "flow_changed",
  });
  expect((await updateFlow(ctx, id, changes, { deciders: await shown() })).status).toBe("active");
  // Who may change drafts alone was shown one, which somebody else activated meanwhile: at the same version.
  const archived = { ...changes, status: "archived" as const };
  const late = updateFlow(ctx, id, archived, { isDraft: true });
  await expect(late).rejects.toMatchObject({ businessCode: "flow_changed" });
});

const NOTHING_ELSE = { name: undefined, merchants: undefined, flow: undefined, note: undefined };
