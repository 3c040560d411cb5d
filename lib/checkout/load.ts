import { and, desc, eq, isNull } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { findCardOrGone } from "@/lib/cards/queries";
import { type Charge, getCharge } from "@/lib/charges/queries";
import { chargeView, orderView, refundsOf, type Seen } from "@/lib/checkout/payment-view";
import { type Approvals, purchaseView } from "@/lib/checkout/purchase-view";
import type { PaymentView } from "@/lib/checkout/view";
import { type Context, inSnapshot, now } from "@/lib/context";
import { DomainError, RequestError } from "@/lib/errors";
import { getPurchase } from "@/lib/purchases/queries";
import { getSession } from "@/lib/sessions/queries";
import type { SessionRow } from "@/lib/sessions/state";

/** Undefined for what is not a payment of this link. Of one instant: a payment that ended has given its place back. */
export async function loadPayment(
  ctx: Context,
  sessionId: string,
  id: string,
  asked = false,
): Promise<{ view: PaymentView; session: SessionRow } | undefined> {
  return inSnapshot(ctx, async (inside) => {
    const session = await getSession(inside, sessionId);
    const seen: Seen = {
      session,
      order: orderView(session),
      at: now(inside),
      isSandbox: inside.account.mode === "sandbox",
      hasEmail: false,
      asked,
    };
    const charge = await known(getCharge(inside, id));
    if (charge) {
      if (charge.row.sessionId !== sessionId || charge.row.purchaseId) return undefined;
      const card = charge.row.cardId ? await findCardOrGone(inside, charge.row.cardId) : undefined;
      return { view: chargeView(charge, card, seen), session };
    }
    const purchase = await known(getPurchase(inside, id));
    if (!purchase || purchase.row.sessionId !== sessionId) return undefined;
    const parts: Charge[] = [];
    for (const { chargeId } of purchase.payments) if (chargeId) parts.push(await getCharge(inside, chargeId));
    const approvals: Approvals = new Map(
      parts.map(({ row, attempts }) => {
        const approved = attempts.find(({ authorizationCode }) => authorizationCode);
        return [
          row.id,
          { authorizationCode: approved?.authorizationCode ?? null, nsu: approved?.authorizationNsu ?? null },
        ];
      }),
    );
    return { view: purchaseView(purchase, approvals, parts.flatMap(refundsOf), seen), session };
  });
}

async function known<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (thrown) {
    if (thrown instanceof DomainError || thrown instanceof RequestError) return undefined;
    throw thrown;
  }
}

/** The newest payment of the link that ended well: what its receipt is. */
export async function newestPayment(ctx: Context, sessionId: string): Promise<string | undefined> {
  const [row] = await ctx.db
    .select({ id: charges.id })
    .from(charges)
    .where(and(eq(charges.clientId, ctx.account.id), eq(charges.sessionId, sessionId), isNull(charges.purchaseId)))
    .orderBy(desc(charges.createdAt))
    .limit(1);
  return row?.id;
}
