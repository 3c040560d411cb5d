import postgres from "postgres";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { inSnapshot } from "@/lib/context";
import { outdatedBefore } from "@/lib/flows/family";
import { replayDifferencesOf } from "@/lib/flows/replays/differences";
import { getReplay, replayResultOf, runReplay } from "@/lib/flows/replays/service";
import { openClient } from "@/lib/testing/api";
import { copies } from "@/lib/testing/flows/copies";
import { addProvider, payByCard, type Shop, withMerchant } from "@/lib/testing/payments";
import { isProof, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { monotonicMs } from "@/lib/time";

interface Replay {
  id: string;
  status: string;
  progress: number;
  total: number;
  changed: { n: number; share: number };
  known: { n: number };
  unknown: { n: number };
  observed: { approved: number; rate: number };
  estimate: { low: number; high: number } | null;
  costDifference: number | null;
  worst: { brand: string; provider: string; payments: number }[];
  limits: string[];
}

let shop: Shop;
let first: string;
let second: string;

beforeEach(async () => {
  shop = await withMerchant(await openClient());
  first = shop.merchant.providerId;
  second = await addProvider(shop, { name: "Second", priority: 2 });
});

const to = (id: string) => ({ rule: "provider", id });
const flow = (root: unknown[], status = "draft") =>
  shop.client.make<{ id: string }>("POST", "/v1/flows", {
    body: { name: "Cards", paymentMethod: "credit", merchantId: shop.merchant.id, status, flow: { root } },
  });

const DAY_MS = 86_400_000;
const window = () => ({
  since: new Date(Date.now() - DAY_MS).toISOString(),
  until: new Date(Date.now() + DAY_MS).toISOString(),
});

async function replayed(flowId: string, more: Record<string, unknown> = {}): Promise<Replay> {
  const asked = await shop.client.make<Replay>("POST", `/v1/flows/${flowId}/replays`, {
    body: { ...window(), ...more },
  });
  await runReplay(await shop.client.context(), asked.id);
  return shop.client.make<Replay>("GET", `/v1/flows/${flowId}/replays/${asked.id}`);
}

describe("a replay", () => {
  test("of the active flow changes nothing: what happened is what it would have done", async () => {
    const half = {
      rule: "share",
      id: "half",
      by: "bucket",
      weights: [first, second].map((id) => ({ weight: 50, then: [to(id)] })),
    };
    const { id } = await flow([half, to(second)], "active");
    for (let payment = 0; payment < 4; payment++) await payByCard(shop);
    const found = await replayed(id);
    expect(found).toMatchObject({
      status: "done",
      progress: 1,
      total: 4,
      changed: { n: 0, share: 0 },
      known: { n: 4 },
      unknown: { n: 0 },
      observed: { approved: 4, rate: 1 },
      estimate: { low: 1, high: 1 },
      worst: [],
    });
  });

  test("counts as decided again only what a flow had decided", async () => {
    await payByCard(shop);
    const { id } = await flow([to(first), to(second)], "active");
    await payByCard(shop);
    const found = await replayed(id);
    expect(found).toMatchObject({ status: "done", total: 2, changed: { n: 0 } });
    expect(found.limits).toContain("1 payments were decided by no flow and not decided again");
    const ctx = await shop.client.context();
    expect(replayResultOf(await inSnapshot(ctx, (inside) => getReplay(inside, id, found.id))).reproduced).toBe(1);
  });

  test("of another order estimates where enough was seen, and calls the rest unknown", async () => {
    await flow([to(first)], "active");
    const atFirst = await payByCard(shop);
    await copies(atFirst.body.id, 99, { declined: 50 });
    const draft = await flow([to(second), to(first)]);
    expect(await replayed(draft.id)).toMatchObject({
      total: 100,
      changed: { n: 100, share: 1 },
      known: { n: 0 },
      unknown: { n: 100 },
      estimate: null,
      costDifference: null,
      worst: [{ brand: "Visa", provider: second, payments: 100 }],
    });
    await flow([to(second)], "active");
    const atSecond = await payByCard(shop);
    await copies(atSecond.body.id, 99, { declined: 20 });
    const found = await replayed(draft.id);
    expect(found).toMatchObject({ total: 200, known: { n: 200 }, unknown: { n: 0 }, observed: { approved: 130 } });
    // The second approves 80 of 100, the first did 50 of 100.
    expect(found.estimate?.low).toBeGreaterThan(0.7);
    expect(found.estimate?.high).toBeLessThan(0.9);
    expect(found.limits.length).toBeGreaterThan(3);

    // Each payment that would go elsewhere, with what is known of it.
    const ctx = await shop.client.context();
    const replay = await inSnapshot(ctx, (inside) => getReplay(inside, draft.id, found.id));
    expect(replayResultOf(replay).moved).toBe(100);
    const differences = [];
    for await (const page of replayDifferencesOf(ctx, replay)) differences.push(...page);
    expect(differences).toHaveLength(found.changed.n);
    const [{ decided, providers, evidence, likely } = {}] = differences.filter(
      ({
        decided: {
          providers: [id],
        },
      }) => id === first,
    );
    expect([decided?.providers, providers, evidence]).toEqual([[first], [second, first], "estimated"]);
    expect(likely?.low).toBeLessThan(0.8);
    expect(likely?.high).toBeGreaterThan(0.8);

    // Changed since, the version is not the one that was replayed.
    const outdated = () => inSnapshot(ctx, (inside) => outdatedBefore(inside, draft.id));
    expect((await outdated()).getTime()).toBe(0);
    const body = { version: "1.0.0", flow: { root: [to(first)] } };
    await shop.client.make("PATCH", `/v1/flows/${draft.id}`, { body });
    expect((await outdated()).getTime()).toBeGreaterThan(replay.createdAt.getTime());
  });

  test("stops where a decision cannot be reproduced: it would reckon from what is not understood", async () => {
    const { id } = await flow([to(first)], "active");
    const { body } = await payByCard(shop);
    await copies(body.id, 1);
    await unguarded(`update routing_decisions set providers = array['${second}'::uuid] where charge_id = '${body.id}'`);
    const found = await replayed(id);
    expect(found).toMatchObject({ status: "failed", total: 0, estimate: null });
    expect(found.limits[0]).toContain("1 stored decisions");
  });

  test("is canceled by whoever asked, and is nobody else's", async () => {
    const { id } = await flow([to(first)], "active");
    await payByCard(shop);
    const asked = await shop.client.make<Replay>("POST", `/v1/flows/${id}/replays`, { body: window() });
    expect(asked).toMatchObject({ status: "queued", progress: 0 });
    const path = `/v1/flows/${id}/replays/${asked.id}`;
    expect((await shop.client.call("DELETE", path)).status).toBe(204);
    await runReplay(await shop.client.context(), asked.id);
    expect((await shop.client.make<Replay>("GET", path)).status).toBe("canceled");
    expect((await (await openClient()).call("GET", path)).status).toBe(404);
    const bad = { since: "2026-01-01T00:00:00Z", until: "2026-06-01T00:00:00Z" };
    expect((await shop.client.call("POST", `/v1/flows/${id}/replays`, { body: bad })).status).toBe(400);
  });

  test("is canceled while it runs, and says nothing of what it read until then", async () => {
    const { id } = await flow([to(first)], "active");
    await payByCard(shop);
    const asked = await shop.client.make<Replay>("POST", `/v1/flows/${id}/replays`, { body: window() });
    const path = `/v1/flows/${id}/replays/${asked.id}`;
    const ctx = await shop.client.context();
    const { run } = await asOwner(async (tx) => {
      await tx`lock table routing_decisions in access exclusive mode`;
      const run = runReplay(ctx, asked.id);
      const read = () => shop.client.make<Replay>("GET", path);
      await vi.waitFor(async () => expect((await read()).status).toBe("running"), 10_000);
      expect((await shop.client.call("DELETE", path)).status).toBe(204);
      return { run };
    });
    await run;
    expect(await shop.client.make<Replay>("GET", path)).toMatchObject({ status: "canceled", total: 0, limits: [] });
  });

  test("takes the newest payments of a sample", async () => {
    const { id } = await flow([to(first)], "active");
    for (let payment = 0; payment < 3; payment++) await payByCard(shop);
    expect((await replayed(id, { sample: 2 })).total).toBe(2);
  });
});

async function asOwner<T>(act: (tx: postgres.TransactionSql) => Promise<T>): Promise<T> {
  const db = postgres(process.env.DATABASE_OWNER_URL ?? "", { max: 1, onnotice: () => undefined });
  try {
    // Guarantee: what a transaction answers is what its function did.
    return (await db.begin(act)) as T;
  } finally {
    await db.end();
  }
}

const unguarded = (statement: string) =>
  asOwner(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx.unsafe(statement);
  });

const MOST_SECONDS = 10;
const MOST_MB = 200;

test(
  "of the active flow over many payments: no decision changes",
  async () => {
    const { id } = await flow([to(first), to(second)], "active");
    const { body } = await payByCard(shop);
    const payments = proofRuns(2_500);
    await copies(body.id, payments - 1, { declined: Math.floor(payments / 5) });
    const [before, startedMs] = [process.memoryUsage().rss, monotonicMs()];
    const found = await replayed(id);
    const [seconds, mb] = [(monotonicMs() - startedMs) / 1_000, (process.memoryUsage().rss - before) / 2 ** 20];
    const violations = found.changed.n === 0 && found.total === payments ? [] : [JSON.stringify(found)];
    if (isProof() && seconds > MOST_SECONDS) violations.push(`${seconds} s`);
    if (isProof() && mb > MOST_MB) violations.push(`${mb} MB`);
    recordProof({ ran: payments, violations, figures: { mb: Math.round(mb) }, times: { replay: [seconds] } });
    expect(violations).toEqual([]);
  },
  proofTimeout(),
);
