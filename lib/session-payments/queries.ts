import { and, eq, inArray, isNull } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import type { ChargeRow } from "@/lib/charges/queries";
import type { Context } from "@/lib/context";

/** What waits for its buyer, and can be closed meanwhile for another method. */
const OFFERS: readonly string[] = ["pix", "boleto", "nupay", "drip", "picpay"];

/** Payments of the session that wait for their buyer. */
export const openOffersOf = (ctx: Context, sessionId: string): Promise<ChargeRow[]> =>
  ctx.db
    .select()
    .from(charges)
    .where(
      and(
        eq(charges.clientId, ctx.account.id),
        eq(charges.sessionId, sessionId),
        eq(charges.status, "pending"),
        inArray(charges.paymentType, [...OFFERS]),
      ),
    );

/** Charges that hold a place on the session now; cards of purchases hold none by themselves. */
export const chargesHolding = (ctx: Context, sessionId: string): Promise<ChargeRow[]> =>
  ctx.db
    .select()
    .from(charges)
    .where(
      and(
        eq(charges.clientId, ctx.account.id),
        eq(charges.sessionId, sessionId),
        isNull(charges.purchaseId),
        eq(charges.capturedAmount, 0),
        inArray(charges.status, ["pending", "pre_authorized", "capture_pending", "refund_pending"]),
      ),
    );
