import { and, eq, gte } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { charges } from "@/db/schema/charges";
import { cardAttempts, cards } from "@/db/schema/customers";
import { brandOfName } from "@/lib/brazil/card-brand";
import { type Context, now } from "@/lib/context";
import { canRetry, type RetryDecision } from "@/lib/declines/can-retry";
import type { DeclinedCode } from "@/lib/declines/decline-codes";
import { mapDecline } from "@/lib/declines/decline-map";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** The longest window any network counts in. */
const COUNTED_DAYS = 30;

export interface CardAgain {
  sessionId: string;
  merchantId: string;
  cardId: string;
  amount: number;
  /** The buyer typed the card anew. */
  dataCorrected?: boolean;
}

/**
 * Declines of what was typed, not of the card: with other data the next attempt is another question. The networks bar
 * the same data for good, and nobody but the buyer may ask again (spec/brazil.md section 7).
 */
export const OF_THE_DATA: ReadonlySet<DeclinedCode> = new Set(["expired_card", "invalid_cvv"]);
/** Who goes on after so many is guessing. */
const MOST_CORRECTED = 2;

/**
 * Whether a card may be tried on a link after all its declines at this merchant (spec/brazil.md section 7). Every charge
 * of the link is the same payment, however often the buyer begins again. Inside a transaction.
 */
export async function mayUseCardAgain(ctx: Context, again: CardAgain): Promise<RetryDecision> {
  const { sessionId, merchantId, cardId, amount, dataCorrected = false } = again;
  const tried = alias(cards, "tried");
  const rows = await ctx.db
    .select({ card: cards, attempt: cardAttempts, sessionId: charges.sessionId, tried })
    .from(cards)
    .innerJoin(
      cardAttempts,
      and(eq(cardAttempts.clientId, cards.clientId), eq(cardAttempts.fingerprint, cards.fingerprint)),
    )
    .leftJoin(charges, eq(charges.id, cardAttempts.series))
    .leftJoin(tried, eq(tried.id, charges.cardId))
    .where(
      and(
        eq(cards.clientId, ctx.account.id),
        eq(cards.id, cardId),
        eq(cardAttempts.merchantId, merchantId),
        gte(cardAttempts.at, addSeconds(now(ctx), -COUNTED_DAYS * DAY_SECONDS)),
      ),
    );
  const brand = brandOfName(rows[0]?.card.brand ?? "");
  const corrected = new Set(dataCorrected ? rows.filter((row) => row.sessionId === sessionId && isCorrected(row)) : []);
  const isGuessing = corrected.size > MOST_CORRECTED;
  const history = rows.map((row) => ({
    at: row.attempt.at,
    retry: corrected.has(row) && !isGuessing ? ("changed_data" as const) : row.attempt.retry,
    series: row.sessionId ?? row.attempt.series,
    amount: row.attempt.amount,
    code: row.attempt.code ?? undefined,
    mac: row.attempt.mac ?? undefined,
    notBeforeSeconds: row.attempt.notBefore
      ? (row.attempt.notBefore.getTime() - row.attempt.at.getTime()) / 1000
      : undefined,
  }));
  return canRetry(history, { brand, series: sessionId, amount, dataCorrected }, now(ctx));
}

type CardRow = typeof cards.$inferSelect;
interface Declined {
  card: CardRow;
  attempt: typeof cardAttempts.$inferSelect;
  tried: CardRow | null;
}

/** A security code leaves no trace to compare with; of an expiry date it is known whether it is another one. */
function isCorrected({ card, attempt: { retry, code, mac }, tried }: Declined): boolean {
  if (retry !== "never" || !code || mac) return false;
  const { declinedCode } = mapDecline({ brand: brandOfName(card.brand), code });
  if (declinedCode !== "expired_card") return OF_THE_DATA.has(declinedCode);
  return (
    tried !== null && (tried.expirationMonth !== card.expirationMonth || tried.expirationYear !== card.expirationYear)
  );
}
