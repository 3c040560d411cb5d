import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { subscriptionMandates, subscriptionTries } from "@/db/schema/subscriptions";
import { payerOfCustomer } from "@/lib/charges/engine/card-material";
import { type Context, inTransaction, now } from "@/lib/context";
import { holdJob, schedule, unschedule } from "@/lib/due-jobs/schedule";
import { attemptsOfOne } from "@/lib/payments/attempts";
import { mandateCall } from "@/lib/payments/mandate-call";
import { providerById, type RoutedProvider } from "@/lib/payments/routing/provider";
import type {
  MandateInput,
  MandateInterval,
  MandateProvider,
  MandateResult,
  MandateState,
} from "@/lib/providers/mandates";
import type { Outcome } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";
import { closePayment } from "@/lib/session-payments/close";
import { answerOpen } from "@/lib/subscriptions/answer";
import { writeStarted } from "@/lib/subscriptions/letters";
import { settleMandated } from "@/lib/subscriptions/link-mandate";
import { isOver, mandateMachine } from "@/lib/subscriptions/machine";
import { stepOf, wordOf } from "@/lib/subscriptions/mandate-decide";
import {
  changeMandate,
  findMandate,
  firstPaymentOf,
  isOpenMandate,
  type MandateRow,
} from "@/lib/subscriptions/mandate-queries";
import { announceSubscription, cancelSubscription } from "@/lib/subscriptions/moves";
import { getSubscription, lockSubscription } from "@/lib/subscriptions/queries";
import { takeBack, takesBackAt } from "@/lib/subscriptions/take-back";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** Longer than the longest call: whoever sent it is gone, and what became of it is asked. */
const HELD_UP_SECONDS = 30;
const QUERY_DELAYS_SECONDS = [5, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 10_800, 21_600] as const;
/** Two answers that it is not there count only when they are this far apart. */
const AGREEING_SECONDS = 60;
/** Calls and questions of one turn; what is left has its turn later. */
const MOST_STEPS = 6;

interface Case {
  mandate: MandateRow;
  provider: RoutedProvider;
  mandates: MandateProvider;
}

/** When to look again; `again` at once, undefined never by itself. */
type Next = Date | "again" | undefined;

/**
 * The job of a mandate: makes it, asks about what is unknown, hears what the buyer did, takes back what was asked for,
 * and ends it. Safe to repeat.
 */
export async function workOnMandate(caller: Context, mandateId: string): Promise<void> {
  const ctx = asEngine(caller);
  const told = await takeBack(ctx, mandateId);
  let next: Next = "again";
  let ending: string | null = null;
  for (let step = 0; step < MOST_STEPS && next === "again"; step++) {
    const found = await inTransaction(ctx, (inside) => caseOf(inside, mandateId));
    ending = found?.mandate.ending ?? null;
    next = found && (await advance(ctx, found));
  }
  if (next === undefined) await closeFirstPayment(ctx, mandateId);
  await inTransaction(ctx, async (inside) => {
    await holdJob(inside, "mandate.query", mandateId);
    const mandate = await findMandate(inside, mandateId);
    // While the provider was asked somebody wanted it ended: that is not put off, nor forgotten.
    const isToEnd = mandate !== undefined && isOpenMandate(mandate) && mandate.ending !== ending;
    const at = isToEnd || next === "again" ? now(inside) : next;
    const soonest = earlier(at, mandate && (await takesBackAt(inside, mandate, told)));
    if (soonest === undefined) await unschedule(inside, "mandate.query", mandateId);
    else await schedule(inside, "mandate.query", mandateId, soonest);
  });
}

const earlier = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other ? (one < other ? one : other) : (one ?? other);

/** Whoever brought it up: what the bank says is nobody's own doing. */
const asEngine = ({ idempotency: _own, ...ctx }: Context): Context => ({ ...ctx, principal: { kind: "system" } });

async function caseOf(ctx: Context, id: string): Promise<Case | undefined> {
  const mandate = await findMandate(ctx, id);
  if (!mandate || !isOpenMandate(mandate)) return undefined;
  const provider = await providerById(ctx, mandate.providerId);
  const { mandates } = providerFor(provider.kind);
  if (!mandates) throw new Error(`${provider.kind} keeps no mandates`);
  return { mandate, provider, mandates };
}

async function advance(ctx: Context, found: Case): Promise<Next> {
  const { mandate } = found;
  if (mandate.call === "sent") {
    const heldUp = addSeconds(mandate.sentAt ?? mandate.updatedAt, HELD_UP_SECONDS);
    if (heldUp > now(ctx)) return heldUp;
  }
  return STEPS[stepOf(mandate)](ctx, found);
}

const STEPS: Record<ReturnType<typeof stepOf>, (ctx: Context, found: Case) => Promise<Next>> = {
  create,
  drop: dropUnsent,
  ask,
  hear,
};

/** Nobody outside has heard of it. */
async function dropUnsent(ctx: Context, found: Case): Promise<Next> {
  const { ending } = found.mandate;
  await take(ctx, found, undefined, { status: ending === "expired" ? "expired" : "canceled" });
  return undefined;
}

async function create(ctx: Context, found: Case): Promise<Next> {
  const input = await inTransaction(ctx, (inside) => inputOf(inside, found.mandate));
  if (!input) return later(ctx, found);
  const claimed = await claim(ctx, found.mandate);
  if (!claimed) return "again";
  const mine = { ...found, mandate: claimed };
  const outcome = await found.mandates.create(contextOf(ctx, mine), input);
  switch (outcome.kind) {
    case "approved":
      await take(ctx, mine, outcome.providerTxId, outcome.data);
      return "again";
    case "declined":
    case "rejected":
      await take(ctx, mine, undefined, { status: "rejected" });
      return undefined;
    case "not_sent":
      await inTransaction(ctx, (inside) => changeMandate(inside, claimed, { call: "planned", sentAt: null }));
      return later(ctx, { ...mine, mandate: { ...claimed, call: "planned" } });
    default:
      await inTransaction(ctx, (inside) => changeMandate(inside, claimed, { call: "undetermined" }));
      return later(ctx, { ...mine, mandate: { ...claimed, call: "undetermined" } });
  }
}

/** Only one sender gets it; committed before any byte leaves. */
async function claim(ctx: Context, { id }: MandateRow): Promise<MandateRow | undefined> {
  return inTransaction(ctx, async (inside) => {
    const [claimed] = await inside.db
      .update(subscriptionMandates)
      .set({ call: "sent", sentAt: now(inside), absentSince: null, updatedAt: now(inside) })
      .where(
        and(
          eq(subscriptionMandates.id, id),
          eq(subscriptionMandates.call, "planned"),
          eq(subscriptionMandates.status, "created"),
          isNull(subscriptionMandates.ending),
        ),
      )
      .returning();
    return claimed;
  });
}

/** What became of a making whose answer nobody heard. */
async function ask(ctx: Context, found: Case): Promise<Next> {
  const { mandate } = found;
  const answer = await query(ctx, found);
  if (answer.kind === "found") {
    await take(ctx, found, answer.providerMandateId, answer);
    return "again";
  }
  if (answer.kind !== "not_found_definitive") return later(ctx, found);
  const since = mandate.absentSince;
  if (since !== null && now(ctx) >= addSeconds(since, AGREEING_SECONDS)) {
    await inTransaction(ctx, (inside) => changeMandate(inside, mandate, { call: "planned", sentAt: null }));
    return "again";
  }
  if (since === null)
    await inTransaction(ctx, (inside) => changeMandate(inside, mandate, { absentSince: now(inside) }));
  return addSeconds(since ?? now(ctx), AGREEING_SECONDS);
}

/** What the buyer, their bank or time has done with it; one that is to end is ended where it still stands. */
async function hear(ctx: Context, found: Case): Promise<Next> {
  const { mandate } = found;
  const answer = await query(ctx, found);
  if (answer.kind !== "found") return later(ctx, found);
  if (answer.status !== mandate.status) {
    await take(ctx, found, answer.providerMandateId, answer);
    return isOpenMandate(answer) ? "again" : undefined;
  }
  if (mandate.ending !== null) return end(ctx, found);
  const at = now(ctx);
  if (answer.status === "created" && mandate.expiresAt <= at) {
    await inTransaction(ctx, (inside) => changeMandate(inside, mandate, { ending: "expired" }));
    return "again";
  }
  const named = answer.nextEventAt ? new Date(answer.nextEventAt) : undefined;
  const scheduled = answer.status === "created" ? await later(ctx, found) : watchedAt(ctx);
  const soonest = [named, scheduled, answer.status === "created" ? mandate.expiresAt : undefined]
    .filter((one): one is Date => one instanceof Date && one > at)
    .sort((a, b) => a.getTime() - b.getTime())[0];
  return soonest;
}

/** A bank may end it without a word that reaches us. */
const watchedAt = (ctx: Context): Date | undefined =>
  ctx.account.mode === "live" ? addSeconds(now(ctx), DAY_SECONDS) : undefined;

async function end(ctx: Context, found: Case): Promise<Next> {
  const { mandate, mandates } = found;
  const { providerMandateId, ending } = mandate;
  if (providerMandateId === null) throw new Error("a known mandate without its name");
  const outcome: Outcome<MandateState> = await mandates.end(contextOf(ctx, found), { providerMandateId });
  // What is unknown, or was refused, is asked about: the next turn hears first.
  if (outcome.kind !== "approved" || isOpenMandate(outcome.data)) return later(ctx, found);
  const isLapsed = ending === "expired" && outcome.data.status === "canceled";
  await take(ctx, found, providerMandateId, isLapsed ? { ...outcome.data, status: "expired" } : outcome.data);
  return undefined;
}

async function query(ctx: Context, found: Case): Promise<MandateResult> {
  const { providerMandateId, sentAt, createdAt } = found.mandate;
  const firstPayment = await inTransaction(ctx, (inside) => firstPaymentNameOf(inside, found.mandate));
  return found.mandates.query(contextOf(ctx, found), {
    ...(providerMandateId === null ? {} : { providerMandateId }),
    ...(firstPayment === undefined ? {} : { firstPayment }),
    sentUntil: addSeconds(sentAt ?? createdAt, HELD_UP_SECONDS),
  });
}

/** Writes what the provider says, with what it means for the subscription, in one transaction. */
async function take(
  ctx: Context,
  { mandate }: Case,
  providerMandateId: string | undefined,
  told: MandateState,
): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const row = await lockSubscription(inside, mandate.subscriptionId);
    const seen = await findMandate(inside, mandate.id);
    const word = seen ? wordOf(seen, told.status) : "none";
    // Whoever was first wrote it; a word that leads back, such as an old answer, is none.
    if (!seen || word === "none") return;
    const at = now(inside);
    const isNews = word === "news";
    const isFirst = seen.call !== "known";
    const isEnd = !isOpenMandate(told);
    const changed = await changeMandate(inside, seen, {
      ...(providerMandateId === undefined ? {} : { call: "known", providerMandateId }),
      ...(told.qrCodeData === undefined ? {} : { qrCodeData: told.qrCodeData }),
      ...(isNews ? { status: mandateMachine.next(seen.status, `mandate.${told.status}`), queries: 0 } : {}),
      ...(told.status === "approved" && isNews ? { approvedAt: instantOf(told.approvedAt) ?? at } : {}),
      ...(isEnd ? { endedAt: instantOf(told.endedAt) ?? at, endReason: reasonOf(seen, told) } : {}),
    });
    if (!changed) throw new Error("a mandate changed under its subscription's lock");
    if (isFirst) await answerOpen(inside, { subscriptionId: row.id, cycleId: undefined });
    if (isEnd) await lookAtOpen(inside, row.id);
    const isBegun = told.status === "approved" && isNews && seen.ending === null && !isOver(row.status);
    if (isEnd || isBegun) await settleMandated(inside, row.id, isBegun);
    // Where nothing is charged for a while this is the first that the buyer hears of it.
    if (isBegun && row.status === "trialing") await writeStarted(inside, row);
    if (isOver(row.status)) return;
    if (isEnd) await cancelSubscription(inside, row, reasonOf(seen, told));
    else if (isNews || isFirst) {
      await announceSubscription(inside, row, "updated", { detail: { mandate: told.status } });
      if (told.status === "approved") await schedule(inside, "subscription.due", row.id, at);
    }
  });
}

const instantOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

/** The subscription is canceled with this reason; `payer` is the buyer in their bank. */
function reasonOf({ ending }: MandateRow, { status, endedBy }: MandateState): string {
  if (status === "rejected") return endedBy === "payer" ? "payer_refused" : "mandate_refused";
  if (status === "expired") return "mandate_expired";
  return ending !== null && endedBy !== "payer" ? ending : "payer";
}

/** With the mandate the bank drops what it was to pay: that is heard of by asking. */
async function lookAtOpen(ctx: Context, subscriptionId: string): Promise<void> {
  const open = await ctx.db
    .select({ chargeId: subscriptionTries.chargeId })
    .from(subscriptionTries)
    .where(
      and(
        eq(subscriptionTries.subscriptionId, subscriptionId),
        eq(subscriptionTries.status, "pending"),
        isNotNull(subscriptionTries.settleOn),
      ),
    );
  for (const { chargeId } of open) if (chargeId) await schedule(ctx, "charge.watch", chargeId, now(ctx));
}

/** Of a mandate that is over: the code that was to authorize it could be paid for the rest of its day. */
async function closeFirstPayment(ctx: Context, id: string): Promise<void> {
  const chargeId = await inTransaction(ctx, async (inside) => {
    const mandate = await findMandate(inside, id);
    return mandate && !isOpenMandate(mandate) ? firstPaymentOf(inside, mandate) : undefined;
  });
  if (chargeId) await closePayment(ctx, chargeId);
}

/** Undefined while the Pix that authorizes it has no name yet. */
async function inputOf(ctx: Context, mandate: MandateRow): Promise<MandateInput | undefined> {
  const row = await getSubscription(ctx, mandate.subscriptionId);
  const firstPayment = await firstPaymentNameOf(ctx, mandate);
  return {
    name: row.name,
    amount: mandate.amount,
    // Guarantee: checked when it was written.
    interval: mandate.interval as MandateInterval,
    retry: mandate.retry,
    startOn: mandate.startOn,
    payer: await payerOfCustomer(ctx, mandate.customerId),
    expiresAt: mandate.expiresAt.toISOString(),
    ...(firstPayment === undefined ? {} : { firstPayment }),
  };
}

/** Our name of the Pix that authorizes it by being paid, as its provider has it. */
async function firstPaymentNameOf(ctx: Context, mandate: MandateRow): Promise<string | undefined> {
  const chargeId = mandate.journey === "qr_with_first_payment" ? await firstPaymentOf(ctx, mandate) : undefined;
  return chargeId && (await attemptsOfOne(ctx, chargeId)).find(({ kind }) => kind === "pix")?.reference;
}

const contextOf = (ctx: Context, { mandate, provider }: Case) =>
  mandateCall(ctx, provider, { reference: mandate.id, idempotencyKey: mandate.id, begunAt: mandate.createdAt });

async function later(ctx: Context, { mandate }: Case): Promise<Date> {
  const queries = mandate.queries + 1;
  await inTransaction(ctx, (inside) =>
    inside.db.update(subscriptionMandates).set({ queries }).where(eq(subscriptionMandates.id, mandate.id)),
  );
  const delay = QUERY_DELAYS_SECONDS[Math.min(queries, QUERY_DELAYS_SECONDS.length) - 1] ?? DAY_SECONDS;
  return addSeconds(now(ctx), delay);
}
