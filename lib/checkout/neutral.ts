import { and, count, eq, gt, lt, type SQL } from "drizzle-orm";
import { cardTries } from "@/db/schema/captcha";
import { checkoutAttempts } from "@/db/schema/checkout";
import { type DeclineRefusal, shownRefusal } from "@/lib/checkout/declines";
import { type Context, now } from "@/lib/context";
import type { SessionRow } from "@/lib/sessions/state";
import { addSeconds } from "@/lib/time";
import { standingAlarms } from "@/lib/velocity/alarms";
import { LIMITS } from "@/lib/velocity/limits";
import { isProtected } from "@/lib/velocity/protection";

type Payment = { chargeId: string } | { purchaseId: string };
type Link = Pick<SessionRow, "id" | "merchantId">;

/**
 * What a buyer is told of a declined payment, whoever opens its page: its reason, or the neutral text from the third
 * decline of its visit on and while the link is under step-up. The shop sees the true code. Inside a transaction.
 */
export async function toldRefusal(
  ctx: Context,
  link: Link,
  payment: Payment,
  refusal: DeclineRefusal,
): Promise<DeclineRefusal> {
  const plain = shownRefusal(refusal, 0, true);
  if (plain === refusal) return refusal;
  const declines = await declinesUpTo(ctx, link, payment);
  return shownRefusal(refusal, declines, await isGuarded(ctx, link, payment));
}

/** Declines of the visit on this link, this payment's own included. */
async function declinesUpTo(ctx: Context, link: Link, payment: Payment): Promise<number> {
  const { clientId, sessionId, visitHash, state, createdAt } = checkoutAttempts;
  const ours = and(eq(clientId, ctx.account.id), eq(sessionId, link.id));
  const [own] = await ctx.db
    .select()
    .from(checkoutAttempts)
    .where(and(ours, ofPayment(payment, checkoutAttempts)));
  if (!own) return 1;
  const earlier = and(ours, eq(visitHash, own.visitHash), eq(state, "declined"), lt(createdAt, own.createdAt));
  return 1 + (await ctx.db.$count(checkoutAttempts, earlier));
}

const ofPayment = (payment: Payment, of: typeof checkoutAttempts | typeof cardTries): SQL =>
  "chargeId" in payment ? eq(of.chargeId, payment.chargeId) : eq(of.purchaseId, payment.purchaseId);

/** The limits against card testing, where they act: an alarm of the link or its shop, or the visit's declines on all links. */
async function isGuarded(ctx: Context, { id, merchantId }: Link, payment: Payment): Promise<boolean> {
  if (!(await isProtected(ctx))) return false;
  const alarms = await standingAlarms(ctx, { sessionId: id, merchantId });
  if (alarms.some(({ cause }) => cause !== "person")) return true;
  const { clientId, visit, outcome, at } = cardTries;
  const [own] = await ctx.db
    .select({ visit })
    .from(cardTries)
    .where(and(eq(clientId, ctx.account.id), ofPayment(payment, cardTries)))
    .limit(1);
  if (!own) return false;
  const since = gt(at, addSeconds(now(ctx), -LIMITS.visit.withinSeconds));
  const [row] = await ctx.db
    .select({ declined: count() })
    .from(cardTries)
    .where(and(eq(clientId, ctx.account.id), eq(visit, own.visit), eq(outcome, "declined"), since));
  return (row?.declined ?? 0) > LIMITS.neutralAfter;
}
