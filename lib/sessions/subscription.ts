import type { SessionSubscription } from "@/db/schema/sessions";
import { invalid } from "@/lib/errors";
import type { NewSession } from "@/lib/sessions/schema";

/** How often a bank pays by itself (Pix Automático). */
const BANKED: ReadonlySet<string> = new Set(["weekly", "monthly", "quarterly", "yearly"]);
const MOST_ITEMS = 100;
const MOST_OF_ITEM = 1_000_000;

/**
 * What the payment of the session starts (rulings 29), as it is kept; null for what is paid once. Its items become the
 * subscription's, so they fit one, and each cycle costs what they add up to.
 */
export function subscriptionOf(input: NewSession, amount: number): SessionSubscription | null {
  const { subscription, paymentMethods, items, currency, capture } = input;
  if (!subscription) return null;
  const { interval, cycles = null, trial = null } = subscription;
  if (paymentMethods.some(({ paymentType }) => paymentType !== "credit" && paymentType !== "pix")) {
    throw invalid("paymentMethods: a subscription is paid by credit card or, as Pix Automático, by pix");
  }
  if (paymentMethods.some(({ paymentType }) => paymentType === "pix") && !BANKED.has(interval)) {
    throw invalid("paymentMethods: pix is weekly, monthly, quarterly or yearly");
  }
  if (currency !== "BRL") throw invalid("currency: must be BRL for a subscription");
  if (!capture) throw invalid("capture: must be true for a subscription");
  if (items.length > MOST_ITEMS) throw invalid(`items: at most ${MOST_ITEMS} for a subscription`);
  const sum = items.reduce((total, { unitPrice, quantity }) => total + BigInt(unitPrice) * BigInt(quantity), 0n);
  if (BigInt(amount) !== sum) throw invalid("amount: must be the sum of the items for a subscription");
  for (const [index, { unitPrice, quantity }] of items.entries()) {
    if (unitPrice < 1) throw invalid(`items.${index}.unitPrice: must be at least 1 for a subscription`);
    if (quantity > MOST_OF_ITEM) throw invalid(`items.${index}.quantity: at most ${MOST_OF_ITEM} for a subscription`);
  }
  return { interval, cycles, trial };
}
