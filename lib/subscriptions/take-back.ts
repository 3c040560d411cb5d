import { and, eq, isNotNull, sql } from "drizzle-orm";
import { subscriptionTries } from "@/db/schema/subscriptions";
import { addDays, type CivilDate, saoPauloInstant } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { providerFor } from "@/lib/providers/registry";
import { closePayment } from "@/lib/session-payments/close";
import { type MandateRow, mandateOf } from "@/lib/subscriptions/mandate-queries";
import type { SubscriptionRow, TryRow } from "@/lib/subscriptions/queries";
import { addSeconds } from "@/lib/time";

/** The error of a try whose instruction a pause takes back; set when that is decided, before the bank is told. */
export const TAKEN_BACK = "taken_back";

export interface OpenInstruction {
  attempt: TryRow;
  mandate: MandateRow;
  settleOn: CivilDate;
  /** Until then the bank can be told not to pay it. */
  until: Date;
}

/** What the buyer's bank was asked to pay and has not answered. */
export async function openInstructionOf(ctx: Context, row: SubscriptionRow): Promise<OpenInstruction | undefined> {
  if (row.method !== "pix_automatic") return undefined;
  const [attempt] = await pendingOf(ctx, eq(subscriptionTries.subscriptionId, row.id));
  const mandate = attempt && (await mandateOf(ctx, row.id));
  if (!mandate || attempt.settleOn === null) return undefined;
  return { attempt, mandate, settleOn: attempt.settleOn, until: untilOf(mandate, attempt.settleOn) };
}

function untilOf({ providerType }: MandateRow, settleOn: CivilDate): Date {
  const { mandates } = providerFor(providerType).capabilities;
  if (mandates === false) throw new Error(`${providerType} keeps no mandates`);
  return saoPauloInstant(addDays(settleOn, -1), mandates.takenBackUntil);
}

/** Decides it, where the network still allows it; whoever works on the mandate tells the bank. */
export async function askToTakeBack(ctx: Context, { attempt, mandate, until }: OpenInstruction): Promise<boolean> {
  if (now(ctx) >= until) return false;
  await ctx.db.update(subscriptionTries).set({ error: TAKEN_BACK }).where(eq(subscriptionTries.id, attempt.id));
  await schedule(ctx, "mandate.query", mandate.id, now(ctx));
  return true;
}

/** Tells the bank of what was decided; one that it pays all the same keeps its true result. Answers which had its turn. */
export async function takeBack(ctx: Context, mandateId: string): Promise<string | undefined> {
  const attempt = await inTransaction(ctx, (inside) => toTakeBack(inside, mandateId));
  if (attempt?.chargeId) await closePayment(ctx, attempt.chargeId);
  return attempt?.id;
}

/** Between two attempts to tell a bank that could not be told. */
const AGAIN_SECONDS = 300;

/**
 * When the bank is told next, undefined where nothing is left or it is too late: the charge was in other hands, the
 * provider could not be asked, or it was decided while `told`, whose turn was last, had its turn.
 */
export async function takesBackAt(
  ctx: Context,
  mandate: MandateRow,
  told: string | undefined,
): Promise<Date | undefined> {
  const attempt = await toTakeBack(ctx, mandate.id);
  if (!attempt?.settleOn) return undefined;
  const at = attempt.id === told ? addSeconds(now(ctx), AGAIN_SECONDS) : now(ctx);
  return at < untilOf(mandate, attempt.settleOn) ? at : undefined;
}

async function toTakeBack(ctx: Context, mandateId: string): Promise<TryRow | undefined> {
  const { mandateId: of, error, chargeId } = subscriptionTries;
  const isOpen = sql`exists (select from charges c where c.id = ${chargeId} and c.status = 'pending')`;
  const [attempt] = await pendingOf(ctx, and(eq(of, mandateId), eq(error, TAKEN_BACK), isOpen));
  return attempt;
}

const pendingOf = (ctx: Context, which: ReturnType<typeof and>): Promise<TryRow[]> =>
  ctx.db
    .select()
    .from(subscriptionTries)
    .where(and(which, eq(subscriptionTries.status, "pending"), isNotNull(subscriptionTries.settleOn)));
