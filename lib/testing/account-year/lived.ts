import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { Context } from "@/lib/context";
import type { SellerNow, Year } from "@/lib/testing/account-year/books";
import { type Day, plus } from "@/lib/testing/account-year/calendar";
import type { Rates } from "@/lib/testing/account-year/early";
import { openClient, type TestClient } from "@/lib/testing/api";
import { cardData, openToken } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";
import type { Draws } from "@/lib/testing/simulator/seeded";
import { drawsFor } from "@/lib/testing/simulator/seeded";
import { openPlace, type Place } from "@/lib/testing/split-oracle/place";

/** An account whose days are lived twice: by the product, and by the oracle. */
export interface Lived {
  draws: Draws;
  place: Place;
  year: Year;
  cards: { id: string; arrangement: string }[];
  owner: Context;
  /** Noon of it has come. */
  day: Day;
  /** What was done, in order. */
  told: string[];
}

/** The first thing that is somewhere else than the text says. */
export class Difference extends Error {}

/** Of one person alone, who then decides alone. */
export const operator = async ({ owner, place }: Lived): Promise<Context> => ({
  ...owner,
  account: (await place.shop.client.context()).account,
});

const DEFAULT = { monthlyBps: 150, markupBps: 200, withdrawalFee: 367, minimumPayout: 0 };
const OWN_PLAN = { monthlyBps: 120, markupBps: 80, withdrawalFee: 250, minimumPayout: 5_000 };
const BARE_PLAN = { monthlyBps: 99, markupBps: 0, withdrawalFee: 0, minimumPayout: 0 };
const TERMS = [DEFAULT, OWN_PLAN, DEFAULT, BARE_PLAN];

export const ratesOf = ({ sellers }: Year, party: number): Rates => sellers[party] ?? DEFAULT;

const planOf = ({ monthlyBps: monthlyRate, markupBps: markup, ...rest }: typeof DEFAULT) => ({
  ...rest,
  monthlyRate,
  markup,
});

/** Every seller has another policy; which one comes from the seed. */
function drawnSeller(draws: Draws, index: number): SellerNow {
  const interval = draws.pick(["daily", "daily", "weekly", "monthly"] as const);
  const named = { daily: 0, weekly: draws.between(1, 5), monthly: draws.between(1, 31) }[interval];
  const automatic = draws.weighted<SellerNow["automatic"] | null>([
    [null, 2],
    [{ percentage: draws.between(1, 100) }, 1],
    [{ days: [draws.between(1, 15), draws.between(16, 31)], delay: draws.between(0, 20) }, 1],
  ]);
  return {
    ...(TERMS[index] ?? DEFAULT),
    interval,
    named,
    isEnabled: true,
    ...(automatic ? { automatic } : {}),
    account: "56789",
    heldUntil: undefined,
    isAccountHeld: false,
    isOperatorHeld: false,
  };
}

const policyOf = ({ interval, named, automatic }: SellerNow) => ({
  transferInterval: interval,
  transferDay: named,
  transferEnabled: true,
  ...(automatic === undefined
    ? {}
    : "percentage" in automatic
      ? {
          automaticAnticipationEnabled: true,
          automaticAnticipationType: "full",
          anticipatableVolumePercentage: String(automatic.percentage),
        }
      : {
          automaticAnticipationEnabled: true,
          automaticAnticipationType: "1025",
          automaticAnticipationDays: `[${automatic.days.join(",")}]`,
          automaticAnticipation1025Delay: String(automatic.delay),
        }),
});

/** Cards of the simulator are good until 2031. */
const FIRST_DAY = "2027-01-04";
const MOST_DAYS_ON = 1_000;
const ONE_MOVE = 390;
const BRANDS = [
  ["visa", "VCC"],
  ["mastercard", "MCC"],
  ["elo", "ECC"],
] as const;

export async function openYear(seed: number): Promise<Lived> {
  const draws = drawsFor(`account year ${seed}`);
  const client = await openClient();
  const day = await begin(client, plus(FIRST_DAY, draws.between(0, MOST_DAYS_ON)));
  const sellers = TERMS.map((_, index) => drawnSeller(draws, index));
  const policies = sellers.map(policyOf);
  const place = await openPlace(seed, {
    client,
    terms: { own: planOf(OWN_PLAN), bare: planOf(BARE_PLAN) },
    seller: (index) => ({ transferPolicy: policies[index] }),
  });
  const cards: Lived["cards"] = [];
  for (const [brand, arrangement] of BRANDS) {
    const tokenId = await openToken(client, cardData("approve", brand));
    cards.push({ id: (await client.make("POST", "/v1/cards", { body: { tokenId } })).id, arrangement });
  }
  const year: Year = { sellers, world: place.world, sales: [], rows: [], batches: [], early: [] };
  return { draws, place, year, cards, owner: await person(client, "owner"), day, told: [] };
}

/** Of an account that has nothing yet; a day that is over is not gone back to. */
async function begin(client: TestClient, wanted: Day): Promise<Day> {
  let today = saoPauloDay(new Date());
  const day = wanted > today ? wanted : plus(today, 1);
  while (today < day) {
    today = plus(today, ONE_MOVE) < day ? plus(today, ONE_MOVE) : day;
    await toNoon(client, today);
  }
  return day;
}

export const toNoon = (client: TestClient, day: Day): Promise<unknown> =>
  client.make("POST", "/v1/sandbox/clock", { body: { to: `${day}T12:00:00-03:00`, freeze: true } });
