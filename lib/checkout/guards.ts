import { and, desc, eq, gt, inArray, isNull, ne, or, sql } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { checkoutAttempts } from "@/db/schema/checkout";
import { cards, customers } from "@/db/schema/customers";
import { purchasePayments, purchases } from "@/db/schema/purchases";
import { subscriptionStarts } from "@/db/schema/subscriptions";
import { buyerHash } from "@/lib/buyer-hash";
import { visitHash } from "@/lib/checkout/visit";
import { type Context, now } from "@/lib/context";
import type { RetryRefusal } from "@/lib/declines/can-retry";
import { pipelined } from "@/lib/pipeline";
import { isOneToOne, type SessionRow } from "@/lib/sessions/state";
import { addSeconds } from "@/lib/time";
import { isProtected } from "@/lib/velocity/protection";
import { mayUseCardAgain } from "@/lib/velocity/retry";

/** The same buyer paid the same a moment ago. */
export class AlreadyPaid extends Error {
  constructor(
    /** Null for a payment of another browser: who pays here may not see its receipt. */
    readonly id: string | null,
    readonly amount: number,
    readonly at: Date,
  ) {
    super("paid a moment ago");
  }
}

/** The network, or our own ceiling, forbids this card another try for this purchase. */
export class AlreadyDeclined extends Error {}

/** The same buyer, or the same card, has had the trial of this link. */
export class TrialTaken extends Error {}

const REPEAT_SECONDS = 600;
type Payment = { chargeId: string } | { purchaseId: string };

/** Who presses now. */
export interface Presser {
  readonly visit: string;
  /** CPF or CNPJ of the form; empty when none was given. */
  readonly document: string;
}

const AMONG_PAID = sql`('authorized', 'pre_authorized')`;

/**
 * Reusable links: a second payment with the same card or document within ten minutes is asked about first, whichever
 * method was paid with before. Its receipt is named only to the browser that paid it.
 */
export async function refuseRepeat(
  ctx: Context,
  session: SessionRow,
  payment: Payment,
  { visit, document }: Presser,
): Promise<void> {
  if (isOneToOne(session)) return;
  const seen = await cardsOf(ctx, payment);
  const buyer = document === "" ? null : buyerHash(ctx, document);
  const since = addSeconds(now(ctx), -REPEAT_SECONDS);
  const isSameBuyer = buyer ? eq(checkoutAttempts.buyer, buyer) : undefined;
  const isSameCard = seen.length > 0 ? inArray(cards.fingerprint, seen) : undefined;
  const hasSameDocument = document === "" ? undefined : eq(customers.documentNumber, document);
  if (!isSameBuyer && !isSameCard) return;
  const { db, account } = ctx;
  const [single, several] = await pipelined([
    db
      .select({ id: charges.id, amount: charges.amount, at: charges.createdAt, visitHash: checkoutAttempts.visitHash })
      .from(charges)
      .leftJoin(cards, eq(cards.id, charges.cardId))
      .leftJoin(customers, eq(customers.id, charges.sourceCustomerId))
      .leftJoin(checkoutAttempts, eq(checkoutAttempts.chargeId, charges.id))
      .where(
        and(
          eq(charges.clientId, account.id),
          eq(charges.sessionId, session.id),
          isNull(charges.purchaseId),
          ne(charges.id, idOf(payment)),
          sql`${charges.status} in ${AMONG_PAID}`,
          gt(charges.createdAt, since),
          or(isSameBuyer, isSameCard, hasSameDocument),
        ),
      )
      .orderBy(desc(charges.createdAt))
      .limit(1),
    db
      .select({
        id: purchases.id,
        amount: purchases.amount,
        at: purchases.createdAt,
        visitHash: checkoutAttempts.visitHash,
      })
      .from(purchases)
      .innerJoin(purchasePayments, eq(purchasePayments.purchaseId, purchases.id))
      .leftJoin(cards, eq(cards.id, purchasePayments.cardId))
      .leftJoin(checkoutAttempts, eq(checkoutAttempts.purchaseId, purchases.id))
      .where(
        and(
          eq(purchases.clientId, account.id),
          eq(purchases.sessionId, session.id),
          ne(purchases.id, idOf(payment)),
          sql`(${purchases.status} = 'paid' or (${purchases.status} = 'pending' and ${purchasePayments.status} = 'pre_authorized'))`,
          gt(purchases.createdAt, since),
          or(isSameBuyer, isSameCard),
        ),
      )
      .orderBy(desc(purchases.createdAt))
      .limit(1),
  ]);
  const earlier = [...single, ...several].sort((one, other) => other.at.getTime() - one.at.getTime())[0];
  if (!earlier) return;
  const isOwn = earlier.visitHash?.equals(visitHash(visit)) === true;
  throw new AlreadyPaid(isOwn ? earlier.id : null, earlier.amount, earlier.at);
}

const idOf = (payment: Payment): string => ("chargeId" in payment ? payment.chargeId : payment.purchaseId);

/** Fingerprints of the cards that pay now. */
async function cardsOf({ db, account }: Context, payment: Payment): Promise<string[]> {
  const rows =
    "chargeId" in payment
      ? await db
          .select({ fingerprint: cards.fingerprint })
          .from(charges)
          .innerJoin(cards, eq(cards.id, charges.cardId))
          .where(and(eq(charges.clientId, account.id), eq(charges.id, payment.chargeId)))
      : await db
          .select({ fingerprint: cards.fingerprint })
          .from(purchasePayments)
          .innerJoin(cards, eq(cards.id, purchasePayments.cardId))
          .where(and(eq(purchasePayments.clientId, account.id), eq(purchasePayments.purchaseId, payment.purchaseId)));
  return rows.map(({ fingerprint }) => fingerprint);
}

/**
 * Reusable links: a trial is had once with a card, and once with a document. Who presses again, on purpose or not, would
 * be charged twice once both end. The link's place was taken before: of two at once the second sees the first.
 */
export async function refuseSecondTrial(
  { db, account }: Context,
  session: SessionRow,
  { startId, cardId }: { startId: string; cardId: string | undefined },
  document: string,
): Promise<void> {
  if (isOneToOne(session)) return;
  const [card] =
    cardId === undefined
      ? []
      : await db
          .select({ fingerprint: cards.fingerprint })
          .from(cards)
          .where(and(eq(cards.clientId, account.id), eq(cards.id, cardId)));
  if (cardId !== undefined && !card) throw new Error("a trial without its card");
  const isSameCard = card && eq(cards.fingerprint, card.fingerprint);
  const { sessionId, startId: startOf, buyer } = checkoutAttempts;
  const isSameBuyer = document === "" ? undefined : eq(buyer, buyerHash({ account }, document));
  if (!isSameCard && !isSameBuyer) return;
  const [earlier] = await db
    .select({ id: subscriptionStarts.id })
    .from(subscriptionStarts)
    .leftJoin(cards, eq(cards.id, subscriptionStarts.cardId))
    .leftJoin(checkoutAttempts, and(eq(sessionId, session.id), eq(startOf, subscriptionStarts.id)))
    .where(
      and(
        eq(subscriptionStarts.clientId, account.id),
        eq(subscriptionStarts.sessionId, session.id),
        ne(subscriptionStarts.id, startId),
        ne(subscriptionStarts.status, "failed"),
        or(isSameCard, isSameBuyer),
      ),
    )
    .limit(1);
  if (earlier) throw new TrialTaken("the trial of this link was had before");
}

const TOTALS: ReadonlySet<RetryRefusal> = new Set(["own_ceiling", "network_limit"]);

/** Declines of this card on this link count, whichever browser they came from (spec/brazil.md section 7). */
export async function refuseDeclinedCard(ctx: Context, session: SessionRow, payment: Payment): Promise<void> {
  if (!("chargeId" in payment)) return;
  const [charge] = await ctx.db
    .select({ cardId: charges.cardId })
    .from(charges)
    .where(and(eq(charges.clientId, ctx.account.id), eq(charges.id, payment.chargeId)));
  if (!charge?.cardId) return;
  const decision = await mayUseCardAgain(ctx, {
    sessionId: session.id,
    merchantId: session.merchantId,
    cardId: charge.cardId,
    amount: session.amount,
    dataCorrected: true,
  });
  if (decision.allowed) return;
  // Test numbers are tried all day long: their totals bind a sandbox account only when its protection is switched on.
  if (TOTALS.has(decision.reason) && !(await isProtected(ctx))) return;
  throw new AlreadyDeclined(decision.reason);
}
