import { parseArgs } from "node:util";
import postgres from "postgres";
import { percentile } from "@/bench/latencies";
import { describeMachine } from "@/bench/machine";
import { fillSales, fillSellers, type Model } from "@/bench/payouts/rows";
import { ask, type Club, openClub } from "@/bench/subscriptions/shop";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { addDays, nextBankDay, previousBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, systemContext } from "@/lib/context";
import { batchOverview } from "@/lib/finance/batch";
import { newId } from "@/lib/ids";
import { cutBatches } from "@/lib/payouts/cut";
import { releaseDue } from "@/lib/receivables/release";
import { newSeller } from "@/lib/testing/sellers";
import { ROOT } from "@/scripts/start/paths";

/** Money out of a large account: release, cut, a batch's page, a simulation, and days of the test clock. */
const { values } = parseArgs({
  options: {
    receivables: { type: "string", default: "100000" },
    sellers: { type: "string", default: "10000" },
    lines: { type: "string", default: "10000" },
    only: { type: "string", multiple: true, default: ["release", "cut", "batch", "early", "clock"] },
  },
});
const TARGETS = { releasedASecond: 20_000, cutSeconds: 60, screenMs: 300, simulationMs: 300, clockSeconds: 20 };
const READS = 30;
const CLOCK_SELLERS = 100;
const CLOCK_SALES = 30;
const CARD_DAYS = 30;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const reached = (isReached: boolean): string => (isReached ? "reached" : "missed");
const count = (text: string): string => Number(text).toLocaleString("en");
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
const times = async (work: () => Promise<unknown>): Promise<{ p50: number; p95: number }> => {
  const took: number[] = [];
  for (let nth = 0; nth < READS; nth++) took.push(await timed(work));
  took.sort((a, b) => a - b);
  return { p50: percentile(took, 0.5), p95: percentile(took, 0.95) };
};
const today = saoPauloDay(new Date());
const bankDay = nextBankDay(previousBankDay(today));

process.chdir(ROOT);
say(`${describeMachine()}\n`);
const server = await openWorld();
const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
const SECTIONS: Readonly<Record<string, () => Promise<void>>> = { release, cut, batch, early, clock };
try {
  for (const name of values.only) await SECTIONS[name]?.();
} finally {
  await sql.end({ timeout: 5 });
  await closePools();
  await closeWorld(server);
}

interface Place extends Model {
  club: Club;
  ctx: Context;
}

/** A shop with one seller that has all of a card sale in one instalment. */
async function openPlace(): Promise<Place> {
  const club = await openClub(1);
  const sellerId = await openSeller(club);
  await ask(club, "POST", "/v1/sandbox/clock", { advance: "PT10S" });
  const chargeId = await sell(club, [{ sellerId, amount: 10_000 }], 10_000);
  return { club, sellerId, chargeId, ctx: systemContext(await loadAccount(club.clientId), newId()) };
}

async function openSeller(club: Club): Promise<string> {
  const transferPolicy = { transferInterval: "daily", transferDay: 0, transferEnabled: true };
  return (await ask<{ id: string }>(club, "POST", "/v1/sellers", newSeller(club.merchantId, { transferPolicy }))).id;
}

async function sell(club: Club, splitRules: readonly object[], amount: number): Promise<string> {
  const body = {
    merchantId: club.merchantId,
    amount,
    capture: true,
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "card", cardId: club.cardIds[0] },
    splitRules,
  };
  return (await ask<{ id: string }>(club, "POST", "/v1/charges", body)).id;
}

async function release(): Promise<void> {
  const place = await openPlace();
  const rows = Number(values.receivables);
  await fillSales(sql, place, { columns: { payment_date: "current_date - 1" }, rows });
  const took = await timed(() => releaseDue(place.ctx, place.club.merchantId, today));
  const [left] = await sql<{ n: number }[]>`
    select count(*)::int as n from receivables
     where merchant_id = ${place.club.merchantId} and status = 'waiting_funds' and payment_date <= ${today}`;
  if (left?.n !== 0) throw new Error(`${left?.n} receivables were not released`);
  const pace = Math.round(rows / (took / 1_000));
  say(
    `release: ${count(values.receivables)} receivables in ${(took / 1_000).toFixed(1)} s, ${pace.toLocaleString("en")} a second ≥ ${TARGETS.releasedASecond} ${reached(pace >= TARGETS.releasedASecond)}`,
  );
}

async function cut(): Promise<void> {
  const place = await openPlace();
  const rows = Number(values.sellers);
  await fillSellers(sql, place, rows);
  const took = await timed(() => cutBatches(place.ctx, place.club.merchantId, bankDay, null));
  const [made] = await sql<{ n: number }[]>`
    select count(*)::int as n from payout_batches where merchant_id = ${place.club.merchantId}`;
  if (made?.n !== rows) throw new Error(`${made?.n} batches for ${rows} sellers`);
  const seconds = took / 1_000;
  say(
    `cut: ${count(values.sellers)} sellers in ${seconds.toFixed(1)} s ≤ ${TARGETS.cutSeconds} ${reached(seconds <= TARGETS.cutSeconds)}`,
  );
}

async function batch(): Promise<void> {
  const place = await openPlace();
  const rows = Number(values.lines);
  await fillSales(sql, place, { columns: { status: "'paid'", available_at: "now()" }, rows });
  const took = await timed(() => cutBatches(place.ctx, place.club.merchantId, bankDay, null));
  const [made] = await sql<{ id: string }[]>`
    select id from payout_batches where merchant_id = ${place.club.merchantId} and seller_id is not null`;
  if (!made) throw new Error("no batch was cut");
  await sql`vacuum analyze payout_batches, payout_lines`;
  const page = await times(() => batchOverview(place.ctx, "owner", made.id, {}));
  const lines = await times(() => ask(place.club, "GET", `/v1/payouts/payment-batches/${made.id}/lines?limit=50`));
  const orders = await times(() => ask(place.club, "GET", `/v1/payouts/payment-batches/${made.id}/orders?limit=50`));
  const shown = ({ p50, p95 }: { p50: number; p95: number }) => `${p50.toFixed(1)} / ${p95.toFixed(1)} ms`;
  const isReached = [page, lines, orders].every(({ p95 }) => p95 <= TARGETS.screenMs);
  say(
    `batch of ${count(values.lines)} lines, p50 / p95: queries of its page ${shown(page)}, lines ${shown(lines)}, orders ${shown(orders)} ≤ ${TARGETS.screenMs} ${reached(isReached)}; cut in ${(took / 1_000).toFixed(1)} s`,
  );
}

async function early(): Promise<void> {
  const place = await openPlace();
  const { club, sellerId } = place;
  await fillSales(sql, place, {
    columns: {
      payment_date: "current_date + 3 + made.n % 360",
      original_payment_date: "current_date + 3 + made.n % 360",
    },
    rows: Number(values.receivables),
  });
  const path = "/v1/subacquirer/prepayment";
  const list = await times(() => ask(club, "GET", `${path}/receivables?sellerId=${sellerId}&limit=50`));
  const until = async (days: number) => {
    const body = { endDate: addDays(today, days), sellerId };
    const { items } = await ask<{ items: unknown[] }>(club, "POST", path, body);
    return items.length;
  };
  const [few, many] = [await until(10), await until(36)];
  const small = await times(() => until(10));
  const large = await times(() => until(36));
  const shown = ({ p50, p95 }: { p50: number; p95: number }) => `${p50.toFixed(0)} / ${p95.toFixed(0)} ms`;
  const isReached = [list, small, large].every(({ p95 }) => p95 <= TARGETS.simulationMs);
  say(
    `prepayment over ${count(values.receivables)} receivables, p50 / p95: list ${shown(list)}, simulation of ${few} ${shown(small)}, of ${many} ${shown(large)} ≤ ${TARGETS.simulationMs} ${reached(isReached)}`,
  );
}

/** Every seller is paid something on each of thirty days. */
async function clock(): Promise<void> {
  const club = await openClub(1);
  const sellers: string[] = [];
  for (let nth = 0; nth < CLOCK_SELLERS; nth++) sellers.push(await openSeller(club));
  await ask(club, "POST", "/v1/sandbox/clock", { advance: "PT10S" });
  const splitRules = sellers.map((sellerId) => ({ sellerId, amount: 1_000 }));
  for (let nth = 0; nth < CLOCK_SALES; nth++) {
    await sell(club, splitRules, 1_000 * CLOCK_SELLERS);
    await ask(club, "POST", "/v1/sandbox/clock", { advance: "P1D" });
  }
  let jobs = 0;
  const took = await timed(async () => {
    jobs = (await ask<{ jobsRun: number }>(club, "POST", "/v1/sandbox/clock", { advance: "P60D" })).jobsRun;
  });
  const [made] = await sql<{ days: number; paid: number }[]>`
    select count(distinct payment_date)::int as days, count(*) filter (where status = 'paid')::int as paid
      from payout_batches where merchant_id = ${club.merchantId} and seller_id is not null`;
  const seconds = took / 1_000;
  say(
    `60 days of the clock with ${CLOCK_SELLERS} sellers paid on ${made?.days} days (${made?.paid} transfers, ${jobs} jobs, the first sale ${CARD_DAYS} days before): ${seconds.toFixed(1)} s ≤ ${TARGETS.clockSeconds} ${reached(seconds <= TARGETS.clockSeconds)}`,
  );
}
