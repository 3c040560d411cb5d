import { and, eq, gte } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { cardAttempts, cards } from "@/db/schema/customers";
import { brandOfName } from "@/lib/brazil/card-brand";
import { type Context, now } from "@/lib/context";
import { canRetry, type RetryDecision } from "@/lib/declines/can-retry";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** The longest window any network counts in. */
const COUNTED_DAYS = 30;

export interface CardAgain {
  sessionId: string;
  merchantId: string;
  cardId: string;
  amount: number;
  dataCorrected?: boolean;
}

/**
 * Whether a card may be tried on a link after all its declines at this merchant (spec/brazil.md section 7). Every charge
 * of the link is the same payment, however often the buyer begins again. Inside a transaction.
 */
export async function mayUseCardAgain(ctx: Context, again: CardAgain): Promise<RetryDecision> {
  const { sessionId, merchantId, cardId, amount, dataCorrected = false } = again;
  const rows = await ctx.db
    .select({ brand: cards.brand, attempt: cardAttempts, sessionId: charges.sessionId })
    .from(cards)
    .innerJoin(
      cardAttempts,
      and(eq(cardAttempts.clientId, cards.clientId), eq(cardAttempts.fingerprint, cards.fingerprint)),
    )
    .leftJoin(charges, eq(charges.id, cardAttempts.series))
    .where(
      and(
        eq(cards.clientId, ctx.account.id),
        eq(cards.id, cardId),
        eq(cardAttempts.merchantId, merchantId),
        gte(cardAttempts.at, addSeconds(now(ctx), -COUNTED_DAYS * DAY_SECONDS)),
      ),
    );
  const history = rows.map(({ attempt, sessionId: of }) => ({
    at: attempt.at,
    retry: attempt.retry,
    series: of ?? attempt.series,
    amount: attempt.amount,
    code: attempt.code ?? undefined,
    mac: attempt.mac ?? undefined,
    notBeforeSeconds: attempt.notBefore ? (attempt.notBefore.getTime() - attempt.at.getTime()) / 1000 : undefined,
  }));
  const brand = brandOfName(rows[0]?.brand ?? "");
  return canRetry(history, { brand, series: sessionId, amount, dataCorrected }, now(ctx));
}
