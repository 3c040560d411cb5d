import { and, desc, eq } from "drizzle-orm";
import { equalsLiteral } from "@/db/literals";
import { charges } from "@/db/schema/charges";
import { type CheckoutAttemptState, checkoutAttempts } from "@/db/schema/checkout";
import { buyerHash } from "@/lib/buyer-hash";
import type { ChargeRow } from "@/lib/charges/queries";
import { type AttemptKey, visitHash } from "@/lib/checkout/visit";
import { type Context, now } from "@/lib/context";
import { derivedId } from "@/lib/ids";
import { getPurchase, type Purchase } from "@/lib/purchases/queries";
import { findStart, type StartRow } from "@/lib/subscriptions/link-start";
import { addSeconds } from "@/lib/time";

export type CheckoutAttemptRow = typeof checkoutAttempts.$inferSelect;

const MOST_READ = 60;
const MOST_CODES = 11;
const CODES_SECONDS = 3_600;

/** What a visit has done on a link. */
export interface VisitHistory {
  /** Attempts that ended, one way or another: the next key is made from their number. */
  readonly ended: number;
  readonly declined: number;
  /** Not known to have ended; `waits` is true for a code that only waits for its buyer. */
  readonly open: { readonly row: CheckoutAttemptRow; readonly waits: boolean } | undefined;
  /** The newest that was paid. */
  readonly approved: CheckoutAttemptRow | undefined;
  /** The newest of all, where a bank said no to it: after that nothing else was begun. */
  readonly refused: CheckoutAttemptRow | undefined;
  /** No further Pix code for now: there was a first one and ten new ones within the hour. */
  readonly hasManyCodes: boolean;
}

/** The same for every tab of a visit, until a payment of it has ended (design/checkout.md section 8). */
export const attemptKeyFor = (sessionId: string, visit: string, method: string, ended: number): AttemptKey => ({
  key: derivedId("checkout attempt", sessionId, visit, method, ended),
  visit,
});

const WAITING_METHODS = new Set(["pix", "boleto", "nupay", "drip", "picpay"]);

function outcomeOfCharge({
  status,
  capturedAmount,
}: Pick<ChargeRow, "status" | "capturedAmount">): CheckoutAttemptState {
  switch (status) {
    case "pending":
    case "capture_pending":
      return "sent";
    case "failed":
      return "declined";
    case "canceled":
      return "expired";
    case "voided":
      return capturedAmount > 0 ? "approved" : "declined";
    default:
      return "approved";
  }
}

function outcomeOfPurchase({ row, payments, active }: Purchase): CheckoutAttemptState {
  if (row.status === "paid") return "approved";
  if (row.status !== "pending") return row.status === "failed" ? "declined" : "expired";
  const isHeld = !active && row.reviewReason === null && payments.every(({ status }) => status === "pre_authorized");
  return isHeld && !row.capture ? "approved" : "sent";
}

const STARTS: Record<StartRow["status"], CheckoutAttemptState> = {
  pending: "sent",
  started: "approved",
  failed: "declined",
};
/** A code that nobody authorized was not declined. */
const outcomeOfStart = (start: StartRow | undefined): CheckoutAttemptState =>
  !start || (start.cardId === null && start.status === "failed") ? "expired" : STARTS[start.status];

/** What this visit sent on this link. */
export const ofVisit = (ctx: Context, sessionId: string, visit: string) =>
  and(
    eq(checkoutAttempts.clientId, ctx.account.id),
    eq(checkoutAttempts.sessionId, sessionId),
    eq(checkoutAttempts.visitHash, visitHash(visit)),
  );

/** Reads the visit's attempts and closes the one that ended meanwhile. Inside a transaction. */
export async function visitHistory(ctx: Context, sessionId: string, visit: string): Promise<VisitHistory> {
  const rows = await ctx.db
    .select()
    .from(checkoutAttempts)
    .where(ofVisit(ctx, sessionId, visit))
    .orderBy(desc(checkoutAttempts.createdAt))
    .limit(MOST_READ);
  const sent = rows.find(({ state }) => state === "sent");
  const seen = sent && (await outcomeOf(ctx, sent));
  if (sent && seen && seen.state !== "sent") {
    await ctx.db
      .update(checkoutAttempts)
      .set({ state: seen.state, endedAt: now(ctx) })
      .where(
        and(
          eq(checkoutAttempts.clientId, ctx.account.id),
          eq(checkoutAttempts.key, sent.key),
          equalsLiteral(checkoutAttempts.state, "sent"),
        ),
      );
  }
  const since = addSeconds(now(ctx), -CODES_SECONDS);
  const states = rows.map((row) => (row === sent ? (seen?.state ?? "sent") : row.state));
  return {
    ended: states.filter((state) => state !== "sent").length,
    declined: states.filter((state) => state === "declined").length,
    open: sent && seen?.state === "sent" ? { row: sent, waits: seen.waits } : undefined,
    approved: rows.find((_, index) => states[index] === "approved"),
    refused: states[0] === "declined" ? rows[0] : undefined,
    hasManyCodes: rows.filter(({ method, createdAt }) => method === "pix" && createdAt > since).length >= MOST_CODES,
  };
}

async function outcomeOf(
  ctx: Context,
  row: CheckoutAttemptRow,
): Promise<{ state: CheckoutAttemptState; waits: boolean }> {
  if (row.startId) {
    const start = await findStart(ctx, row.startId);
    return { state: outcomeOfStart(start), waits: start?.cardId === null };
  }
  if (row.purchaseId) return { state: outcomeOfPurchase(await getPurchase(ctx, row.purchaseId)), waits: false };
  const [charge] = await ctx.db
    .select()
    .from(charges)
    .where(and(eq(charges.clientId, ctx.account.id), eq(charges.id, row.chargeId ?? "")));
  if (!charge) return { state: "expired", waits: false };
  return { state: outcomeOfCharge(charge), waits: WAITING_METHODS.has(charge.paymentType) };
}

export async function findAttempt(ctx: Context, key: string): Promise<CheckoutAttemptRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(checkoutAttempts)
    .where(and(eq(checkoutAttempts.clientId, ctx.account.id), eq(checkoutAttempts.key, key)));
  return row;
}

export const paymentOf = ({ chargeId, purchaseId, startId }: CheckoutAttemptRow): string =>
  chargeId ?? purchaseId ?? startId ?? "";

/** In the transaction that makes the payment; a second one with the same key, or beside an open one, cannot commit. */
export async function recordCheckoutAttempt(
  ctx: Context,
  given: {
    key: AttemptKey;
    sessionId: string;
    method: string;
    replaces: CheckoutAttemptRow | undefined;
    document?: string;
  },
  payment: { chargeId: string } | { purchaseId: string } | { startId: string },
): Promise<void> {
  const at = now(ctx);
  if (given.replaces) {
    // The code that only waited was closed for this payment.
    await ctx.db
      .update(checkoutAttempts)
      .set({ state: "expired", endedAt: at })
      .where(
        and(
          eq(checkoutAttempts.clientId, ctx.account.id),
          eq(checkoutAttempts.key, given.replaces.key),
          equalsLiteral(checkoutAttempts.state, "sent"),
        ),
      );
  }
  await ctx.db.insert(checkoutAttempts).values({
    key: given.key.key,
    clientId: ctx.account.id,
    sessionId: given.sessionId,
    visitHash: visitHash(given.key.visit),
    method: given.method,
    buyer: given.document ? buyerHash(ctx, given.document) : null,
    ...payment,
    createdAt: at,
  });
}
