import { and, eq } from "drizzle-orm";
import { checkoutAttempts } from "@/db/schema/checkout";
import type { Charge } from "@/lib/charges/queries";
import { ofVisit } from "@/lib/checkout/checkout-attempts";
import type { PlanView, StartedView } from "@/lib/checkout/view";
import { visitHash } from "@/lib/checkout/visit";
import { type Context, now } from "@/lib/context";
import type { SessionRow } from "@/lib/sessions/state";
import { daysFrom } from "@/lib/subscriptions/agreement";
import { intervalsAfter, utcDayOf } from "@/lib/subscriptions/calendar";
import { cardLinkOf } from "@/lib/subscriptions/card-link";
import { receiptsTo } from "@/lib/subscriptions/letters";
import { findStart, findStartOf, type StartRow } from "@/lib/subscriptions/link-start";
import { mandateOf } from "@/lib/subscriptions/mandate-queries";
import { getSubscription } from "@/lib/subscriptions/queries";

/** What a buyer who subscribes now agrees to; null where the link is paid once. */
export function planView({ subscription, amount }: SessionRow, at: Date): PlanView | null {
  if (!subscription) return null;
  const { interval, cycles, trial } = subscription;
  const { startAt, nextOn } = daysFrom(subscription, utcDayOf(at));
  return { interval, amount, cycles, trialDays: trial?.days ?? null, firstOn: startAt, nextOn };
}

export const startOf = async (ctx: Context, paymentId: string): Promise<StartRow | undefined> =>
  (await findStartOf(ctx, paymentId)) ?? (await findStart(ctx, paymentId));

const DAY_MS = 86_400_000;

/** As it was agreed to. Whoever else has the address of the receipt is not let into the subscription. */
export async function startedView(ctx: Context, start: StartRow, visit: string | undefined): Promise<StartedView> {
  const { id, status, terms, startAt, trialEndAt, createdAt } = start;
  const { interval, amount, cycles } = terms;
  // The page is for cards: what a bank pays the buyer changes there.
  const isOwn = status === "started" && visit !== undefined && (await isOf(ctx, start, visit));
  const page = isOwn && start.cardId !== null ? new URL(cardLinkOf(ctx, id)) : undefined;
  const view = {
    interval,
    amount,
    cycles,
    trialDays:
      trialEndAt === null ? null : Math.round((Date.parse(trialEndAt) - Date.parse(utcDayOf(createdAt))) / DAY_MS),
    firstOn: startAt,
    nextOn: cycles === 1 ? null : intervalsAfter(startAt, interval, 1),
    page: page ? `${page.pathname}${page.search}` : null,
    receiptsTo: isOwn ? await receiptsTo(ctx, await getSubscription(ctx, id)) : null,
  };
  return { ...view, nextChargeOn: (await goesOn(ctx, start)) ? toCome(view, utcDayOf(now(ctx))) : null };
}

/** What began may have been canceled since. */
async function goesOn(ctx: Context, { id, status }: StartRow): Promise<boolean> {
  if (status !== "started") return true;
  const row = await getSubscription(ctx, id);
  return row.cancelOn === null && (row.status === "active" || row.status === "trialing");
}

const toCome = ({ trialDays, firstOn, nextOn }: Pick<PlanView, "trialDays" | "firstOn" | "nextOn">, today: string) => {
  const on = trialDays === null ? nextOn : firstOn;
  return on !== null && on > today ? on : null;
};

const isOf = async (ctx: Context, start: StartRow, visit: string): Promise<boolean> => {
  const { clientId, sessionId, visitHash: hash, chargeId, startId } = checkoutAttempts;
  const mine = and(
    eq(clientId, ctx.account.id),
    eq(sessionId, start.sessionId),
    eq(hash, visitHash(visit)),
    start.chargeId === null ? eq(startId, start.id) : eq(chargeId, start.chargeId),
  );
  return (await ctx.db.$count(checkoutAttempts, mine)) > 0;
};

/**
 * The first payment of a subscription that the buyer's bank pays: its code is the one that authorizes as well, and none
 * is shown until that is known. Undefined for any other payment.
 */
export async function authorizing(
  ctx: Context,
  charge: Charge,
  visit: string | undefined,
): Promise<{ charge: Charge; plan: StartedView } | undefined> {
  const { subscriptionId, paymentType, paymentMethod } = charge.row;
  if (subscriptionId === null || paymentType !== "pix") return undefined;
  const row = await getSubscription(ctx, subscriptionId);
  const { interval, amount, cycles, startAt } = row;
  const isOwn = visit !== undefined && charge.row.status === "authorized" && (await hasPaid(ctx, charge, visit));
  const qrCodeData = (await mandateOf(ctx, subscriptionId))?.qrCodeData ?? null;
  const nextOn = cycles === 1 ? null : intervalsAfter(startAt, interval, 1);
  const plan = { interval, amount, cycles, trialDays: null, firstOn: startAt, nextOn, page: null };
  const receipts = isOwn ? await receiptsTo(ctx, row) : null;
  return {
    charge: { ...charge, row: { ...charge.row, paymentMethod: { ...paymentMethod, qrCodeData } } },
    plan: { ...plan, nextChargeOn: toCome(plan, utcDayOf(now(ctx))), receiptsTo: receipts },
  };
}

const hasPaid = async (ctx: Context, { row: { id, sessionId } }: Charge, visit: string): Promise<boolean> =>
  sessionId !== null &&
  (await ctx.db.$count(checkoutAttempts, and(ofVisit(ctx, sessionId, visit), eq(checkoutAttempts.chargeId, id)))) > 0;
