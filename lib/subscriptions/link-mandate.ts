import { type Context, now } from "@/lib/context";
import { journeyOf } from "@/lib/sessions/offered";
import { settlePlace } from "@/lib/sessions/places";
import type { SessionRow } from "@/lib/sessions/state";
import { daysFrom } from "@/lib/subscriptions/agreement";
import { utcDayOf } from "@/lib/subscriptions/calendar";
import { insertSubscription } from "@/lib/subscriptions/insert";
import { endStart, lockStart, type NewStart, recordStart, termsOf } from "@/lib/subscriptions/link-start";

export type MandatedStart = Pick<NewStart, "id" | "customerId" | "splitRules" | "locale">;

/**
 * One that the buyer's bank pays stands from the press on, and is canceled where its code ends unused. Its first payment
 * authorizes the others; where a trial comes first nothing is paid, and the authorization alone holds the link's place.
 */
export async function insertMandated(ctx: Context, session: SessionRow, start: MandatedStart): Promise<void> {
  const { subscription, merchantId } = session;
  if (!subscription) throw new Error("the link starts no subscription");
  const at = now(ctx);
  const { splitRules, ...given } = start;
  const { startAt, trialEndAt } = daysFrom(subscription, utcDayOf(at));
  await insertSubscription(
    ctx,
    {
      ...termsOf(session, subscription, { installments: 1, splitRules }),
      ...given,
      sessionId: session.id,
      merchantId,
      method: "pix_automatic",
      cardId: null,
      startAt,
      trialEndAt,
      createdAt: at,
      updatedAt: at,
    },
    { journey: journeyOf(subscription), retry: "three_in_seven_days", ...lifeOf(session) },
  );
  if (trialEndAt !== null) await recordStart(ctx, session, { ...start, installments: 1, chargeId: null, cardId: null });
}

/** As long as the link's codes live. */
function lifeOf({ paymentMethods }: SessionRow): { lifeSeconds?: number } {
  const given = paymentMethods.find(({ paymentType }) => paymentType === "pix")?.expiresIn;
  return typeof given === "number" ? { lifeSeconds: given } : {};
}

/** What became of the code of a trial, once: the link's place is used, or given back. Of any other mandate nothing. */
export async function settleMandated(ctx: Context, subscriptionId: string, isAuthorized: boolean): Promise<void> {
  const start = await lockStart(ctx, { id: subscriptionId });
  if (start?.status !== "pending" || start.cardId !== null) return;
  await endStart(ctx, start, isAuthorized ? "started" : "failed");
  await settlePlace(ctx, start.sessionId, "reserved", isAuthorized ? "paid" : "free", "paymentExpired");
}
