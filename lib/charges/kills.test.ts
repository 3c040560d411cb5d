import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { SANDBOX_OUTCOMES, type SandboxOutcome, sandboxPan } from "@/lib/reference/sandbox-pans";
import { recoverCharges } from "@/lib/scheduler/recover";
import { openClient, openMerchant } from "@/lib/testing/api";
import { pause } from "@/lib/wait";

/** Enough to cut both calls off; `KILLS=500` for a proof. */
const KILLS = Number(process.env.KILLS ?? 16);
const AT_A_TIME = 12;
/** Holds live seven days; by then every query schedule and every refund has ended. */
const SETTLED_AFTER = "P3D";
const SEED = Number(process.env.SEED ?? 20_261_121);

/** mulberry32: the same seed kills at the same moments. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface ApiProcess {
  child: ChildProcess;
  port: number;
}

/** One file starts in a fraction of the time that loading the sources takes, so kills come close together. */
async function bundleApi(): Promise<string> {
  const outfile = join(process.cwd(), ".data", "test", `api-process.${process.pid}.mjs`);
  const entryPoints = ["lib/testing/api-process.ts"];
  await build({
    entryPoints,
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  return outfile;
}

async function startApi(bundle: string): Promise<ApiProcess> {
  const child = spawn(process.execPath, [bundle], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, DATABASE_POOL: "6" },
  });
  const lines = createInterface({ input: child.stdout! });
  for await (const line of lines) return { child, port: (JSON.parse(line) as { port: number }).port };
  throw new Error("the API process ended before it served");
}

const OUTCOMES: readonly SandboxOutcome[] = SANDBOX_OUTCOMES.filter(
  (outcome) =>
    !outcome.startsWith("3ds") &&
    !outcome.startsWith("antifraud") &&
    outcome !== "pending_forever" &&
    outcome !== "amount_mismatch_minus_1",
);

interface Sent {
  key: string;
  body: Record<string, unknown>;
  answer?: { status: number; text: string };
}

describe("kill -9", () => {
  test(`${KILLS} kills under load: every charge reaches a state that the provider's own log agrees with`, {
    timeout: 600_000,
  }, async () => {
    const random = seeded(SEED);
    const client = await openClient();
    const merchant = await openMerchant(client);
    const headers = { "x-client-id": client.clientId, "x-api-key": client.apiKey, "content-type": "application/json" };
    const sent: Sent[] = [];
    const bundle = await bundleApi();
    let api = await startApi(bundle);
    let stopping = false;

    const send = async (one: Sent): Promise<void> => {
      const reply = await fetch(`http://127.0.0.1:${api.port}/v1/charges`, {
        method: "POST",
        headers: { ...headers, "x-idempotency-key": one.key },
        body: JSON.stringify(one.body),
      });
      one.answer = { status: reply.status, text: await reply.text() };
    };
    const buyer = async (): Promise<void> => {
      while (!stopping) {
        const outcome = random() < 0.6 ? "approve" : (OUTCOMES[Math.floor(random() * OUTCOMES.length)] ?? "approve");
        const card = {
          cardHolderName: "Ana Souza",
          cardNumber: sandboxPan(outcome, "visa"),
          cardCvv: "120",
          cardExpirationDate: "12/2031",
        };
        const one: Sent = {
          key: `kill-${sent.length}`,
          body: {
            merchantId: merchant.id,
            amount: 1_000 + sent.length,
            capture: random() < 0.7,
            paymentMethod: { paymentType: "credit" },
            paymentSource: { sourceType: "card", card },
          },
        };
        sent.push(one);
        await send(one).catch(() => pause(20));
      }
    };
    const buyers = Array.from({ length: AT_A_TIME }, buyer);
    for (let kill = 0; kill < KILLS; kill++) {
      const [next] = await Promise.all([startApi(bundle), pause(Math.floor(random() * 400))]);
      api.child.kill("SIGKILL");
      api = next;
    }
    stopping = true;
    await Promise.all(buyers);

    // What the dead left is found by its lease; here the lease's real-time end is brought forward.
    const sql = systemSql();
    const points = await sql<{ kind: string; n: number }[]>`
      select t.kind, count(*)::int as n from transaction_requests t join charges c on c.id = t.charge_id
       where c.client_id = ${client.clientId} and c.lease_until is not null and t.state = 'sent' group by t.kind`;
    const cutOff = points.map(({ kind }) => kind);
    // And now and then of the one that releases what could not be captured.
    expect(cutOff, "killed in the middle of both calls").toEqual(expect.arrayContaining(["authorize", "capture"]));
    for (let round = 0; round < 50; round++) {
      await sql`update charges set lease_until = now() - interval '1 second' where lease_until is not null`;
      if ((await recoverCharges()) === 0) break;
    }
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: SETTLED_AFTER } });

    const rows = await sql<
      {
        id: string;
        status: string;
        operation: string | null;
        review_reason: string | null;
        amount: number;
        captured: number;
        refunded: number;
      }[]
    >`
        select id, status, operation, review_reason, original_amount::int as amount, captured_amount::int as captured, refunded_amount::int as refunded
          from charges where client_id = ${client.clientId}`;
    const truth = await sql<
      { charge_id: string; holds: number; captured: number; refunded: number; states: string[] }[]
    >`
        select t.charge_id, count(*) filter (where t.authorized > 0)::int as holds, sum(t.captured)::int as captured, 
               -- A pending transaction whose moment has come is what it resolves to.
               array_agg(case when t.state = 'pending' then coalesce(t.resolves_to, t.state) else t.state end) as states,
               coalesce(sum((select sum(m.amount) from sandbox_movements m where m.transaction_id = t.id and m.kind = 'refund')), 0)::int as refunded
          from sandbox_transactions t where t.client_id = ${client.clientId} group by 1`;
    const known = new Map(truth.map((one) => [one.charge_id, one]));
    expect(rows.length).toBeGreaterThan(KILLS);
    for (const charge of rows) {
      const at = known.get(charge.id);
      const context = `${charge.id} ${JSON.stringify(charge)} ${JSON.stringify(at)}`;
      expect(charge.operation, `settled: ${context}`).toBeNull();
      expect(charge.review_reason, `no review: ${context}`).toBeNull();
      expect(at?.holds ?? 0, `one authorisation at most: ${context}`).toBeLessThanOrEqual(1);
      expect(charge.captured, `captured as the provider says: ${context}`).toBe(at?.captured ?? 0);
      if (charge.status === "failed")
        expect(at?.states.includes("held") ?? false, `nothing held: ${context}`).toBe(false);
      if (charge.status === "pre_authorized") expect(at?.states, context).toEqual(["held"]);
    }

    // Every repeat of a key gives one charge, and the bytes that were sent before the kill if any were.
    const byAmount = new Map<number, number>();
    for (const charge of rows) byAmount.set(charge.amount, (byAmount.get(charge.amount) ?? 0) + 1);
    expect(Math.max(...byAmount.values())).toBe(1);
    for (const one of sent.filter((candidate) => candidate.answer?.status === 201).slice(0, 100)) {
      const before = one.answer?.text;
      await send(one);
      expect(one.answer?.text).toBe(before);
    }
    api.child.kill("SIGKILL");
    rmSync(bundle);

    const [unbalanced] = await sql<{ n: number }[]>`
        select count(*)::int as n from (select journal_id from postings where client_id = ${client.clientId} group by 1 having sum(amount) <> 0) broken`;
    expect(unbalanced?.n).toBe(0);
  });
});
