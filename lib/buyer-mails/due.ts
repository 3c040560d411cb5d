import { eq } from "drizzle-orm";
import { paymentBuyers } from "@/db/schema/captcha";
import { confirming, slip } from "@/lib/buyer-mails/compose";
import { buyerOf, send } from "@/lib/buyer-mails/write";
import { loadPayment } from "@/lib/checkout/load";
import { CONFIRMING_AFTER_SECONDS } from "@/lib/checkout/remember-buyer";
import type { PaymentState } from "@/lib/checkout/view";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { addSeconds } from "@/lib/time";

const UNKNOWN: ReadonlySet<PaymentState> = new Set<PaymentState>(["confirming", "processing"]);
/** Not unknown yet, and not over: looked at again. */
const UNDER_WAY: ReadonlySet<PaymentState> = new Set<PaymentState>(["running", "authenticate"]);
const LOOKED_AT_SECONDS = 1_800;

/** A minute has passed: whoever still does not know is told so, once. */
export const confirmingDue = (ctx: Context, paymentId: string): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const buyer = await buyerOf(inside, paymentId);
    const loaded = buyer && (await loadPayment(inside, buyer.sessionId, paymentId));
    if (!loaded || buyer.confirmingAt) return;
    const { state } = loaded.view;
    if (UNDER_WAY.has(state) && now(inside) < addSeconds(buyer.createdAt, LOOKED_AT_SECONDS)) {
      await schedule(inside, "buyer.confirming", paymentId, addSeconds(now(inside), CONFIRMING_AFTER_SECONDS));
      return;
    }
    // What the fraud analysis holds up is not the bank's to answer.
    if (!UNKNOWN.has(state) || loaded.view.isAnalysed) return;
    await inside.db
      .update(paymentBuyers)
      .set({ confirmingAt: now(inside) })
      .where(eq(paymentBuyers.paymentId, paymentId));
    await send(inside, buyer, confirming(loaded.view, buyer));
  });

/** The day before a slip is due, while it is unpaid. */
export const reminderDue = (ctx: Context, paymentId: string): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const buyer = await buyerOf(inside, paymentId);
    const loaded = buyer && (await loadPayment(inside, buyer.sessionId, paymentId));
    if (!buyer || loaded?.view.state !== "boleto") return;
    for (const letter of slip(loaded.view, buyer, true)) await send(inside, buyer, letter);
  });
