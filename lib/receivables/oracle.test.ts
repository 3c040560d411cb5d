import { beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { inTransaction } from "@/lib/context";
import { releaseDue } from "@/lib/receivables/release";
import { addRate, createPlan } from "@/lib/sale-plans/operator-service";
import { openClient } from "@/lib/testing/api";
import { type ChargeReply, payByCard, type Shop, withMerchant } from "@/lib/testing/payments";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { openSellers } from "@/lib/testing/sellers";
import { type Draws, drawsFor } from "@/lib/testing/simulator/seeded";
import {
  type Books,
  capture,
  chargeback,
  feesOf,
  left,
  OWN,
  type Part,
  type Price,
  type Rule,
  refund,
  release,
  type Sale,
  sharesOf,
  type World,
  won,
} from "@/lib/testing/split-oracle/oracle";
import { total } from "@/lib/testing/split-oracle/rational";

const IN_SUITE = 25;
/** A merchant's books grow: after as many another one begins. */
const PER_SHOP = 100;
const MOST_STEPS = 4;
const FLOORS = [0, 2_000, 0, 10_000_000];
const PLATFORM: Price = { bps: 300, fixed: 10 };
const CHEAP = { bps: 250, fixed: 12 };

interface Place {
  shop: Shop;
  sellers: string[];
  platform: Price | undefined;
  world: World;
  all: Books[];
}

/** Of the default plan of a sandbox account, and of a plan of the odd sellers' own. */
function priceOf(seller: number, installments: number): Price & { row: string } {
  if (seller % 2 === 1) return { ...CHEAP, row: "own" };
  if (installments === 1) return { bps: 399, fixed: 39, row: "one" };
  return installments <= 6 ? { bps: 459, fixed: 39, row: "six" } : { bps: 519, fixed: 39, row: "twelve" };
}

async function openPlace(isPlatform: boolean): Promise<Place> {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const ctx = await client.context();
  const planId = await inTransaction(ctx, async (inside) => {
    const terms = { name: "Own", monthlyRate: 0, markup: 0, withdrawalFee: 0, minimumPayout: 0 };
    const id = await createPlan(inside, terms);
    const rate = { paymentMethod: "credit", brand: undefined, refundable: "mdr" } as const;
    const band = { installmentFrom: 1, installmentTo: 24, effectiveFrom: saoPauloDay(new Date()) };
    await addRate(inside, id, { ...rate, ...band, percentage: CHEAP.bps, fixedAmount: CHEAP.fixed });
    return id;
  });
  const sellers: string[] = [];
  for (const [index, minNegativeBalance] of FLOORS.entries()) {
    const changes = { minNegativeBalance, ...(index % 2 === 1 ? { planId } : {}) };
    sellers.push(...(await openSellers(client, merchant.id, 1, changes)));
  }
  if (isPlatform) {
    await client.make("PATCH", `/v1/merchants/${merchant.id}/platform-fee/enabled`, { body: { enabled: true } });
    const rule = { paymentMethod: "default", percentage: PLATFORM.bps / 100, fixedAmount: PLATFORM.fixed };
    await client.make("POST", `/v1/merchants/${merchant.id}/platform-fee`, { body: [rule] });
  }
  const world = { available: new Map(), floors: FLOORS };
  return { shop, sellers, platform: isPlatform ? PLATFORM : undefined, world, all: [] };
}

function drawnSale(draws: Draws): Sale {
  const amount = draws.weighted([
    [draws.between(200, 999), 1],
    [draws.between(1_000, 30_000), 6],
    [draws.between(100_000, 5_000_000), 1],
  ]);
  const installments = draws.pick([1, 1, 2, 3, 6, 7, 12]);
  const count = draws.between(1, FLOORS.length);
  const isByAmount = draws.chance(0.5);
  const chosen = FLOORS.map((_, seller) => seller)
    .sort(() => draws.number() - 0.5)
    .slice(0, count);
  let rest = isByAmount ? amount : 10_000;
  const isWhole = draws.chance(0.3);
  const [entire, remainder, owner] = [0.2, 0.3, 0.2].map((chance) =>
    draws.chance(chance) ? draws.between(0, count - 1) : -1,
  );
  const rules = chosen.map((seller, index): Rule => {
    const after = count - 1 - index;
    const part = isWhole && after === 0 ? rest : draws.between(1, Math.max(1, rest - after));
    rest -= part;
    const hasFares = draws.chance(0.4);
    return {
      seller,
      ...(isByAmount ? { amount: part } : { bps: part }),
      processingFee: draws.chance(0.6),
      liable: draws.chance(0.5),
      entireFee: index === entire,
      takesRemainder: index === remainder && index !== entire,
      owner: index === owner,
      fareBps: hasFares ? draws.between(0, 900) : 0,
      fareFixed: hasFares ? draws.between(0, 40) : 0,
    };
  });
  const captured = draws.chance(0.3) ? draws.between(Math.ceil(amount / 2), amount) : amount;
  return { amount, captured, installments, rules, prices: rules.map(({ seller }) => priceOf(seller, installments)) };
}

const askedRule = ({ sellers }: Place, rule: Rule) => ({
  sellerId: sellers[rule.seller],
  ...(rule.amount === undefined ? { percentage: (rule.bps ?? 0) / 100 } : { amount: rule.amount }),
  processingFee: rule.processingFee,
  liable: rule.liable,
  chargeEntireFee: rule.entireFee,
  chargeRemainderFee: rule.takesRemainder,
  transactionOwner: rule.owner,
  fares: { mdr: rule.fareBps / 100, fee: rule.fareFixed },
});

/** Debit +, of this charge alone; what is zero is left out. */
async function booksOf({ sellers }: Place, chargeId: string): Promise<Record<string, number>> {
  const rows = await systemSql()<{ kind: string; seller: string | null; balance: number }[]>`
    select a.kind, a.seller_id as seller, sum(p.amount)::float8 as balance
      from postings p join journals j on j.id = p.journal_id join ledger_accounts a on a.id = p.account_id
     where j.charge_id = ${chargeId} and not a.memo group by 1, 2 having sum(p.amount) <> 0`;
  return Object.fromEntries(
    rows.map(({ kind, seller, balance }) => [seller ? `${kind} ${sellers.indexOf(seller)}` : kind, balance]),
  );
}

function expectedBooks(books: Books): Record<string, number> {
  const named = (kind: "pending" | "available", party: number) =>
    party === OWN ? `merchant_${kind}` : `seller_${kind} ${party}`;
  const rows: [string, number][] = [
    ["provider_receivable", books.owed],
    ["bank", books.bank],
    ["revenue:platform_fee", -books.platformFee],
    ["revenue:fares", -books.fares],
    ...[...books.waiting].map(([party, waiting]): [string, number] => [named("pending", party), -total(waiting)]),
    ...[...books.available].map(([party, amount]): [string, number] => [named("available", party), -amount]),
  ];
  return Object.fromEntries(rows.filter(([, balance]) => balance !== 0));
}

async function receivablesOf({ sellers }: Place, chargeId: string): Promise<Record<string, [number, number]>> {
  const rows = await systemSql()<{ seller: string | null; installment: number; gross: number; fee: number }[]>`
    select seller_id as seller, installment, gross::float8 as gross, fee::float8 as fee from receivables
     where charge_id = ${chargeId} and type = 'credit'`;
  return Object.fromEntries(
    rows.map(({ seller, installment, gross, fee }) => [
      `${seller === null ? OWN : sellers.indexOf(seller)} ${installment}`,
      [gross, fee],
    ]),
  );
}

const expectedReceivables = (parts: readonly Part[]): Record<string, [number, number]> =>
  Object.fromEntries(
    parts.flatMap(({ party, gross, fee }) =>
      gross.flatMap((value, at): [string, [number, number]][] =>
        value > 0 ? [[`${party} ${at + 1}`, [value, fee[at] ?? 0]]] : [],
      ),
    ),
  );

/** One sale and what happens to it; answers how many steps were compared. */
async function runCase(place: Place, seed: number): Promise<number> {
  const draws = drawsFor(`split sale ${seed}`);
  const { shop, platform, all } = place;
  const { client } = shop;
  const sale = drawnSale(draws);
  const { amount, captured, installments, rules } = sale;
  const asked = { ...sale, captured: amount };
  const shares = sharesOf(asked);
  const fees = feesOf(asked, shares, platform);
  const isBelow = rules.some((_, at) => (fees.processing[at] ?? 0) + (fees.fares[at] ?? 0) > (shares[at] ?? 0));
  const isHeld = captured !== amount || draws.chance(0.2);
  const reply = await payByCard(shop, {
    amount,
    capture: !isHeld,
    changes: {
      splitRules: rules.map((rule) => askedRule(place, rule)),
      paymentMethod: { paymentType: "credit", installments },
    },
  });
  if (isBelow) {
    expect(reply.status, "a seller below zero").toBe(400);
    return 1;
  }
  expect(reply.error, JSON.stringify(reply.body)).toBeUndefined();
  const { id } = reply.body;
  if (isHeld) await client.make("POST", `/v1/charges/${id}/capture`, { body: { amount: captured } });
  const { books, parts } = capture(sale, platform);
  all.push(books);
  expect(await receivablesOf(place, id), "receivables").toEqual(expectedReceivables(parts));
  let steps = 1;
  const told = ["capture"];
  for (;;) {
    expect(await booksOf(place, id), told.join(", ")).toEqual(expectedBooks(books));
    if (steps > MOST_STEPS) return steps;
    told.push(await step(place, draws, id, books));
    steps += 1;
  }
}

async function step(place: Place, draws: Draws, id: string, books: Books): Promise<string> {
  const { shop, world, all, sellers } = place;
  const { client, merchant } = shop;
  const isDisputed = books.lost.length > 0;
  const remaining = books.owed + books.bank;
  const kind = draws.weighted([
    ["refund", isDisputed || remaining === 0 ? 0 : 5],
    ["chargeback", isDisputed || remaining === 0 ? 0 : 2],
    ["won", isDisputed ? 5 : 0],
    ["release", 2],
  ] as const);
  if (kind === "release") {
    await releaseDue(await client.context(), merchant.id, "2999-12-31");
    for (const each of all) release(world, each);
    return kind;
  }
  if (kind === "won") {
    await client.make("POST", `/v1/sandbox/charges/${id}/chargeback/reverse`, { body: {} });
    won(world, books);
    return kind;
  }
  const amount = draws.chance(0.3) ? remaining : draws.between(1, remaining);
  if (kind === "chargeback") {
    await client.make("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: { amount } });
    chargeback(world, books, amount);
    return `chargeback ${amount}`;
  }
  const byRule = draws.chance(0.3) ? drawnParts(draws, books, amount) : undefined;
  const splitRules = byRule && [...byRule].map(([seller, part]) => ({ sellerId: sellers[seller], amount: part }));
  const body = { amount, ...(splitRules ? { splitRules } : {}) };
  const reply = await client.call<ChargeReply>("POST", `/v1/charges/${id}/void`, { body });
  expect(reply.error, `refund ${amount}`).toBeUndefined();
  refund(world, books, amount, byRule);
  return `refund ${amount}${byRule ? ` by rule ${JSON.stringify([...byRule])}` : ""}`;
}

function drawnParts(draws: Draws, books: Books, amount: number): ReadonlyMap<number, number> | undefined {
  let rest = amount;
  const parts = new Map<number, number>();
  for (const kept of books.kept) {
    const most = Math.min(rest, left(kept));
    if (most === 0 || draws.chance(0.3)) continue;
    const part = draws.between(1, most);
    parts.set(kept.rule.seller, part);
    rest -= part;
  }
  return parts.size > 0 ? parts : undefined;
}

let places: Place[];
beforeAll(async () => {
  places = [await openPlace(false), await openPlace(true)];
});

test(
  "split sales, their refunds and disputes come to what the text says, to the cent",
  async () => {
    const violations: string[] = [];
    const [runs, from] = [proofRuns(IN_SUITE), proofFrom()];
    let steps = 0;
    for (let seed = from; seed < from + runs; seed++) {
      const at = seed % places.length;
      const known = places[at];
      if (!known || known.all.length >= PER_SHOP) places[at] = await openPlace(at === 1);
      const place = places[at];
      if (!place) throw new Error("a place was opened");
      try {
        steps += await runCase(place, seed);
      } catch (thrown) {
        violations.push(`seed ${seed}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
        places[at] = await openPlace(at === 1);
      }
    }
    recordProof({ ran: runs, violations, figures: { splitSteps: steps } });
    expect(violations).toEqual([]);
  },
  proofTimeout(),
);
