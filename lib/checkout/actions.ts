import { ChargeBusy } from "@/lib/charges/engine/taking";
import { getCharge } from "@/lib/charges/queries";
import { keyFor, recordAttempt, visitHistory } from "@/lib/checkout/attempts";
import { type Context, inTransaction } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { lookDue } from "@/lib/purchases/due";
import type { OpenedSession } from "@/lib/sessions/open";
import { payByPix } from "@/lib/sessions/pay";

/** The provider is asked now whether it was paid; a page that only reads would have to wait for its turn. */
export async function askProvider(ctx: Context, chargeId: string): Promise<void> {
  try {
    await lookDue(ctx, chargeId);
  } catch (thrown) {
    // Somebody else asks at this moment.
    if (!(thrown instanceof ChargeBusy)) throw thrown;
  }
}

/** A new code for the same buyer; the one before is over, or is closed by the link itself. */
export async function renewPix({ ctx, session }: OpenedSession, chargeId: string, visit: string): Promise<string> {
  const { history, buyer } = await inTransaction(ctx, async (inside) => ({
    history: await visitHistory(inside, session.id, visit),
    buyer: (await getCharge(inside, chargeId)).row.sourceCustomerId,
  }));
  const open = history.open?.row;
  if (open?.method === "pix" && open.chargeId && open.chargeId !== chargeId) return open.chargeId;
  if (!buyer) throw notFound("page");
  const key = keyFor(session.id, visit, "pix", history.ended);
  const charge = await payByPix(
    ctx,
    session,
    { source: { sourceType: "customer", customerId: buyer, cardCvv: undefined, customer: undefined } as never },
    {
      alongside: (inside, payment) =>
        recordAttempt(inside, { key, sessionId: session.id, method: "pix", replaces: open }, payment),
    },
  );
  return charge.row.id;
}
