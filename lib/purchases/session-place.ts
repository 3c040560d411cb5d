import type { CardHolder } from "@/db/schema/customers";
import type { Context } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import type { CheckedPayment } from "@/lib/purchases/checks";
import type { NewPurchase, NewPurchaseSplitRule } from "@/lib/purchases/schema";
import { makeRoom, type PayOptions } from "@/lib/session-payments/pay";
import { reserve } from "@/lib/sessions/places";
import { findSession } from "@/lib/sessions/queries";
import { isOneToOne, type SessionRow } from "@/lib/sessions/state";

export interface SessionOrigin extends PayOptions {
  /** The hosted page tells its buyer why; the API has one word for a session that cannot be paid so. */
  tellsWhy?: boolean;
  /** Of saved cards, slot by slot: what the buyer typed of them. */
  readonly cvvTokens?: readonly (string | undefined)[];
  /** Slot by slot, where each card was asked for. */
  readonly holders?: readonly (CardHolder | undefined)[];
}

const CODES: readonly string[] = ["session_disabled", "multiple_payments_limit_reached"];

/**
 * The session's own open Pix, boleto or wallet payment holds its place: it is closed first, as for every new attempt
 * (spec/contract.md 9.2).
 */
export class PlaceTaken extends Error {
  constructor(readonly sessionId: string) {
    super("the place of the session is held by a code of its own");
  }
}

/** The place of the purchase on its session, taken in the transaction that accepts it (spec/purchases.md). */
export async function claimPlace(
  ctx: Context,
  sessionId: string,
  asked: NewPurchase,
  payments: readonly CheckedPayment[],
  { tellsWhy = false }: SessionOrigin,
  isRoomMade: boolean,
): Promise<SessionRow> {
  const session = await findSession(ctx, sessionId);
  if (!session || !isMeant(session, asked) || !offers(session, payments)) throw mismatch();
  if (!isRoomMade && isOneToOne(session) && session.pendingCount > 0) throw new PlaceTaken(sessionId);
  return tellsWhy ? reserve(ctx, sessionId) : orMismatch(reserve(ctx, sessionId));
}

/** Outside any transaction: a provider is asked. A code that turns out paid leaves nothing to pay. */
export function clearPlace(
  ctx: Context,
  { sessionId }: PlaceTaken,
  { tellsWhy = false }: SessionOrigin,
): Promise<void> {
  const { idempotency: _key, ...plain } = ctx;
  const made = makeRoom(plain, sessionId);
  return tellsWhy ? made : orMismatch(made);
}

async function orMismatch<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof DomainError && CODES.includes(thrown.businessCode)) throw mismatch();
    throw thrown;
  }
}

const isMeant = (session: SessionRow, { merchantId, amount, currency, capture }: NewPurchase): boolean =>
  // Each cycle is one charge of one card.
  session.subscription === null &&
  session.merchantId === merchantId &&
  session.amount === amount &&
  session.currency === currency &&
  session.capture === capture;

function offers({ paymentMethods }: SessionRow, payments: readonly CheckedPayment[]): boolean {
  const credit = paymentMethods.find(({ paymentType }) => paymentType === "credit");
  return credit !== undefined && payments.every(({ installments }) => installments <= Number(credit.installments));
}

/** A session is paid with its own rules; undefined when it has none. */
export const purchaseRulesOf = ({ splitRules }: SessionRow): NewPurchaseSplitRule[] | undefined =>
  splitRules.length === 0
    ? undefined
    : splitRules.map(({ id: _id, ...rule }) => ({
        ...rule,
        percentage: rule.percentage,
        amount: rule.amount,
        fares: rule.fares && { mdr: rule.fares.mdr, fee: rule.fares.fee },
      }));

const mismatch = (): DomainError =>
  new DomainError("purchase_intent_mismatch", "the session cannot be paid with this purchase");
