import { isDeepStrictEqual } from "node:util";
import type { DryRun } from "@/lib/dry-runs/service";
import { aKey } from "@/lib/testing/api";
import type { Reply } from "@/lib/testing/api-client";
import { type Booked, newsOf } from "@/lib/testing/dry-runs/booked";
import { databaseState } from "@/lib/testing/dry-runs/database";
import { addProvider, type Shop, withMerchant } from "@/lib/testing/payments";
import { openPastNoon } from "@/lib/testing/payouts";
import { openSellers } from "@/lib/testing/sellers";
import type { Draws } from "@/lib/testing/simulator/seeded";

/** A merchant with two providers and three sellers, whose payments are planned and then made. */
export interface Place {
  shop: Shop;
  providers: readonly string[];
  sellers: readonly string[];
  news: () => Promise<Booked>;
  /** Whether each plan is held against the whole database, which costs. */
  isWatched: boolean;
  plans: number;
  refused: number;
}

/** Above it the second provider comes first, where a flow decides. */
const FLOW_FROM = 40_000;

export async function openPlace(nth: number, isWatched: boolean): Promise<Place> {
  const shop = await withMerchant(await openPastNoon());
  const { client, merchant } = shop;
  const second = await addProvider(shop, { name: "Second", priority: 2 });
  const providers = [merchant.providerId, second];
  const transferPolicy = { transferInterval: "daily", transferDay: 0, transferEnabled: true };
  const sellers: string[] = [];
  for (const terms of [{ fareMdr: 1.5, fareFee: 7 }, { minNegativeBalance: 50_000 }, {}]) {
    sellers.push(...(await openSellers(client, merchant.id, 1, { transferPolicy, ...terms })));
  }
  if (nth % 3 === 1) await decideByFlow(shop, providers);
  if (nth % 3 === 2) await askPlatformFee(shop);
  await client.make("PATCH", `/v1/merchants/${merchant.id}`, {
    body: { faresOnRefund: ["mdr", "all", "none"][nth % 3] },
  });
  const news = newsOf(client.clientId);
  await news();
  return { shop, providers, sellers, news, isWatched, plans: 0, refused: 0 };
}

const decideByFlow = ({ client, merchant }: Shop, [first = "", second = ""]: readonly string[]) =>
  client.make("POST", "/v1/flows", {
    body: {
      name: "By amount",
      status: "active",
      paymentMethod: "credit",
      merchantId: merchant.id,
      flow: {
        root: [
          {
            rule: "condition",
            id: "c1",
            if: { field: "amount", operator: "gte", value: FLOW_FROM },
            // biome-ignore lint/suspicious/noThenProperty: as flows are written.
            then: [{ rule: "provider", id: second }],
            else: [
              { rule: "provider", id: first },
              { rule: "provider", id: second },
            ],
          },
        ],
      },
    },
  });

async function askPlatformFee({ client, merchant }: Shop): Promise<void> {
  const path = `/v1/merchants/${merchant.id}/platform-fee`;
  await client.make("PATCH", `${path}/enabled`, { body: { enabled: true } });
  await client.make("POST", path, {
    body: [
      { paymentMethod: "default", percentage: 3, fixedAmount: 10, refundable: "none" },
      { paymentMethod: "credit", installment: 6, percentage: 2, fixedAmount: 20, refundable: "all" },
    ],
  });
}

/** Nothing is different after it but that it was asked. */
export async function planned(place: Place, asked: Record<string, unknown>): Promise<DryRun> {
  return watched(place, () => place.shop.client.make<DryRun>("POST", "/v1/dry-runs", { body: asked }));
}

export async function watched(place: Place, plan: () => Promise<DryRun>): Promise<DryRun> {
  place.plans += 1;
  await place.news();
  const before = place.isWatched ? await databaseState() : "";
  const made = await plan();
  if (place.isWatched) same("the database", await databaseState(), before);
  return made;
}

const NOTHING: Booked = { chargeIds: [], journals: [], shares: [], fees: [], events: [] };
const WRONG_HASH = "0".repeat(64);

/** The real call, now and then held to its plan, and now and then first to another one, which it refuses. */
export async function really<T extends { id: string }>(
  place: Place,
  draws: Draws,
  { plan, planHash }: DryRun,
  path: string,
  body: unknown,
  /** Of a call that is held to no plan. */
  held: "held" | "free" = "held",
): Promise<Reply<T> | undefined> {
  const call = (headers: Record<string, string>) =>
    place.shop.client.call<T>("POST", path, { body, headers, idempotencyKey: aKey() });
  if (held === "held" && plan.errors.length === 0 && draws.chance(0.15)) {
    const { status, error } = await call({ "x-plan-hash": WRONG_HASH });
    same("another plan", [status, error?.businessCode], [409, "plan_changed"]);
    same("the plan of now", JSON.parse(error?.details[0] ?? ""), plan);
    same("what a refusal did", await place.news(), NOTHING);
  }
  const reply = await call(held === "held" && draws.chance(0.5) ? { "x-plan-hash": planHash } : {});
  same("errors", plan.errors, reply.error ? [reply.error] : []);
  if (!reply.error) return reply;
  place.refused += 1;
  same("what a refusal did", await place.news(), NOTHING);
  return undefined;
}

/** The simulator refuses the first and takes the second back (lib/providers/sandbox/modify.ts): no plan knows what an acquirer answers. */
const ANSWERED_OTHERWISE: readonly number[] = [991, 993];

/** An amount to capture or to give back; what it leaves may be asked for next. */
export function partOf(draws: Draws, most: number, left: number): number {
  let amount = draws.between(1, most);
  while (ANSWERED_OTHERWISE.includes(amount) || ANSWERED_OTHERWISE.includes(left - amount)) amount += 1;
  return amount;
}

const sorted = <T>(items: readonly T[]): string[] => items.map((item) => JSON.stringify(item)).sort();

export function expectSame(plan: DryRun["plan"], real: Omit<Booked, "chargeIds">): void {
  same("journals", sorted(plan.journals), sorted(real.journals));
  same("shares", sorted(plan.shares), sorted(real.shares));
  const fees = plan.fees.map(({ sellerId, amount, rateId }) => ({ sellerId, amount, rateId }));
  same("fees", sorted(fees), sorted(real.fees));
  same("events", sorted(plan.events), sorted(real.events));
}

/**
 * Of several cards that are changed at once: whichever is answered first takes what a seller has left, so which card
 * takes how much of it is the providers' doing. What all of them come to is not.
 */
export function expectSameTogether(plan: DryRun["plan"], real: Omit<Booked, "chargeIds">): void {
  const kinds = ({ journals }: Pick<Booked, "journals">) => sorted(journals.map(({ type }) => type));
  same("journals", kinds(plan), kinds(real));
  same("transfers", transferred(plan), transferred(real));
  same("shares", shared(plan), shared(real));
  const fees = plan.fees.map(({ sellerId, amount, rateId }) => ({ sellerId, amount, rateId }));
  same("fees", sorted(fees), sorted(real.fees));
  same("events", sorted(plan.events), sorted(real.events));
}

const transferred = ({ journals }: Pick<Booked, "journals">): string[] =>
  summed(
    journals.flatMap(({ type, currency, transfers }) =>
      transfers.map(({ debit, credit, amount }) => [[type, currency, debit, credit].join(" "), amount] as const),
    ),
  );

const shared = ({ shares }: Pick<Booked, "shares">): string[] =>
  summed(
    shares.map(({ sellerId, installment, date, amount }) => [`${sellerId} ${installment} ${date}`, amount] as const),
  );

function summed(parts: readonly (readonly [string, number])[]): string[] {
  const sums = new Map<string, number>();
  for (const [name, amount] of parts) sums.set(name, (sums.get(name) ?? 0) + amount);
  return sorted([...sums]);
}

const MOST_SHOWN = 600;

/** Says both where they differ: a proof's violation is all that is left of its case. */
export function same(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  const shown = (value: unknown) =>
    JSON.stringify(without(value, value === found ? expected : found)).slice(0, MOST_SHOWN);
  throw new Error(`${what}: ${shown(found)} instead of ${shown(expected)}`);
}

/** Of two lists what is in one alone. */
const without = (value: unknown, other: unknown): unknown => {
  if (typeof value === "string" && typeof other === "string") return without(value.split("\n"), other.split("\n"));
  if (!Array.isArray(value) || !Array.isArray(other) || typeof value[0] !== "string") return value;
  return value.filter((one) => !other.includes(one));
};

/** As payments ask for it: nobody, or up to three sellers by percentage or amount. */
export function splitRulesOf({ sellers }: Place, draws: Draws, amount: number): Record<string, unknown>[] {
  const byPercentage = draws.chance(0.7);
  return sellers.slice(0, draws.between(0, sellers.length)).map((sellerId, at) => ({
    sellerId,
    ...(byPercentage
      ? { percentage: draws.between(100, 3_300) / 100 }
      : { amount: draws.between(1, Math.max(1, Math.floor(amount / 4))) }),
    processingFee: at === 0,
    liable: at === 0,
    ...(at === 0 && draws.chance(0.2) ? { chargeRemainderFee: true } : {}),
  }));
}
