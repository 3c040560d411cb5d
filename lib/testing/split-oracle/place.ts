import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { inTransaction, now } from "@/lib/context";
import { addRate, createPlan, type NewRate, type PlanTerms } from "@/lib/sale-plans/operator-service";
import { openClient, type TestClient } from "@/lib/testing/api";
import { cardData, openCustomer, openToken, type Shop, withMerchant } from "@/lib/testing/payments";
import { openSellers } from "@/lib/testing/sellers";
import type { Books, Price, Refundable } from "@/lib/testing/split-oracle/oracle";
import type { World } from "@/lib/testing/split-oracle/returns";

/** A merchant with four sellers, and what the oracle knows of it. */
export interface Place {
  shop: Shop;
  sellers: string[];
  cardId: string;
  customerId: string;
  /** Of the merchant's own prices, where it asks any. */
  platformOf: ((method: Method, installments: number) => Price) | undefined;
  faresRefundable: Refundable;
  world: World;
  all: Books[];
}

export type Method = "credit" | "pix" | "boleto";

/** Kinds of places: who asks a fee, and what of it goes back. */
export const KINDS = ["mdr", "all", "none"] as const satisfies readonly Refundable[];

export const FLOORS = [0, 2_000, 0, 10_000_000];
/** Of one seller nothing is taken after these days. */
export const LATE = { seller: 2, days: 5 };

const price = (bps: number, fixed: number, refundable: Refundable, row: string): Price => ({
  bps,
  fixed,
  refundable,
  row,
});
const FREE = price(0, 0, "none", "none");
const OWN_CREDIT = price(250, 12, "all", "own credit");
const BARE_CREDIT = price(100, 0, "none", "bare credit");
const BARE_REST = price(150, 5, "all", "bare rest");
const BARE_UP_TO = 6;

/** The first and the third seller have the default plan of a sandbox account, the others one of their own. */
export function priceOf(seller: number, method: Method, installments: number): Price {
  if (seller === 1) return method === "credit" ? OWN_CREDIT : FREE;
  if (seller === 3) return method === "credit" && installments <= BARE_UP_TO ? BARE_CREDIT : BARE_REST;
  if (method === "pix") return price(99, 0, "mdr", "pix");
  if (method === "boleto") return price(0, 349, "mdr", "boleto");
  if (installments === 1) return price(399, 39, "mdr", "one");
  return installments <= 6 ? price(459, 39, "mdr", "six") : price(519, 39, "mdr", "twelve");
}

const PLATFORM = price(300, 10, "none", "platform");
/** Of cards in two to six instalments. */
const PLATFORM_SIX = price(200, 20, "all", "platform six");

const platformOf = (method: Method, installments: number): Price =>
  method === "credit" && installments >= 2 && installments <= 6 ? PLATFORM_SIX : PLATFORM;

/** What the second and the fourth seller's plans ask besides. */
type OtherTerms = Omit<PlanTerms, "name">;
const FREE_OF_CHARGE: OtherTerms = { monthlyRate: 0, markup: 0, withdrawalFee: 0, minimumPayout: 0 };

export interface PlaceSettings {
  client?: TestClient;
  terms?: { own: OtherTerms; bare: OtherTerms };
  /** More of each seller. */
  seller?: (index: number) => Record<string, unknown>;
}

export async function openPlace(nth: number, { client: of, terms, seller }: PlaceSettings = {}): Promise<Place> {
  const faresRefundable = KINDS[nth % KINDS.length] ?? "mdr";
  const shop = await withMerchant(of ?? (await openClient()));
  const { client, merchant } = shop;
  const own = await planOf(client, [[OWN_CREDIT, "credit", 24]], terms?.own);
  const rest: Parameters<typeof planOf>[1] = [
    [BARE_CREDIT, "credit", BARE_UP_TO],
    [BARE_REST, "default", 24],
  ];
  const bare = await planOf(client, rest, terms?.bare);
  const plans = [undefined, own, undefined, bare];
  const sellers: string[] = [];
  for (const [index, minNegativeBalance] of FLOORS.entries()) {
    const changes = {
      ...seller?.(index),
      minNegativeBalance,
      ...(plans[index] ? { planId: plans[index] } : {}),
      ...(index === LATE.seller ? { maxRefundDays: LATE.days } : {}),
    };
    sellers.push(...(await openSellers(client, merchant.id, 1, changes)));
  }
  await client.make("PATCH", `/v1/merchants/${merchant.id}`, { body: { faresOnRefund: faresRefundable } });
  const isPlatform = faresRefundable === "all";
  if (isPlatform) await askPlatformFee(shop);
  const { id: cardId } = await client.make("POST", "/v1/cards", {
    body: { tokenId: await openToken(client, cardData()) },
  });
  return {
    shop,
    sellers,
    cardId,
    customerId: await openCustomer(client),
    platformOf: isPlatform ? platformOf : undefined,
    faresRefundable,
    world: { available: new Map(), floors: FLOORS },
    all: [],
  };
}

async function planOf(
  client: TestClient,
  rows: readonly [Price, NewRate["paymentMethod"], number][],
  terms: OtherTerms = FREE_OF_CHARGE,
): Promise<string> {
  return inTransaction(await client.context(), async (inside) => {
    const id = await createPlan(inside, { name: "Own", ...terms });
    const effectiveFrom = saoPauloDay(now(inside));
    for (const [{ bps, fixed, refundable }, paymentMethod, installmentTo] of rows) {
      const row = { paymentMethod, brand: undefined, refundable, installmentFrom: 1, installmentTo, effectiveFrom };
      await addRate(inside, id, { ...row, percentage: bps, fixedAmount: fixed });
    }
    return id;
  });
}

async function askPlatformFee({ client, merchant }: Shop): Promise<void> {
  const path = `/v1/merchants/${merchant.id}/platform-fee`;
  await client.make("PATCH", `${path}/enabled`, { body: { enabled: true } });
  const ruleOf = ({ bps, fixed, refundable }: Price) => ({ percentage: bps / 100, fixedAmount: fixed, refundable });
  const rules = [
    { paymentMethod: "default", ...ruleOf(PLATFORM) },
    { paymentMethod: "credit", installment: 6, ...ruleOf(PLATFORM_SIX) },
  ];
  await client.make("POST", path, { body: rules });
}
