import { audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { findCustomer } from "@/lib/customers/queries";
import { deleteCustomer } from "@/lib/customers/service";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import { DomainError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { allowanceOf } from "@/lib/subscriptions/allowance";
import {
  answerSubscription,
  claimFor,
  cycleReply,
  lifecycleOf,
  resumed,
  resumeReply,
} from "@/lib/subscriptions/answer";
import { chargedAt, cycleDueOn, lastRetryDay, utcDayOf } from "@/lib/subscriptions/calendar";
import { newInstruction } from "@/lib/subscriptions/instruct";
import { writeCardLink } from "@/lib/subscriptions/letters";
import { isCharged, isOver } from "@/lib/subscriptions/machine";
import { cancelSubscription, moveCycle, moveSubscription, replan } from "@/lib/subscriptions/moves";
import {
  anchorsOf,
  type CycleRow,
  type CycleView,
  countsOf,
  getCycle,
  getSubscription,
  lastFailedOf,
  lockSubscription,
  oldestOf,
  openCycleOf,
  runningOf,
  type SubscriptionRow,
} from "@/lib/subscriptions/queries";
import { CUSTOMER_DELETED } from "@/lib/subscriptions/reasons";
import type { LifecycleBody } from "@/lib/subscriptions/schema";
import { type Choose, type Chosen, startTry, within } from "@/lib/subscriptions/start";
import { askToTakeBack, type OpenInstruction, openInstructionOf } from "@/lib/subscriptions/take-back";
import { addSeconds } from "@/lib/time";

/** A resumption that may not try now is looked at again then: its day is moved, or its cycle ends. */
const LEFT_SECONDS = 60;

interface Why {
  reason?: string | undefined;
}

export async function cancelById(ctx: Context, id: string, { reason }: Why): Promise<LifecycleBody> {
  return inTransaction(ctx, async (inside) => {
    const row = await lockSubscription(inside, id);
    if (isOver(row.status)) throw wrongState(row, "canceled");
    const canceled = await cancelSubscription(inside, row, reason);
    await audit(inside, { action: "subscription.cancel", object: "subscription", objectId: id, reason });
    return lifecycleOf(canceled, "subscription canceled");
  });
}

const pausedText = (asked: OpenInstruction | undefined, isTakenBack: boolean): string => {
  if (!asked) return "subscription paused";
  const { settleOn, until } = asked;
  return isTakenBack
    ? `subscription paused; the buyer's bank is told not to pay on ${settleOn}`
    : `subscription paused; the buyer's bank pays on ${settleOn} all the same: it could be told until ${until.toISOString()}`;
};

/**
 * What falls due from now on is skipped; a cycle that is being retried stays, without tries. What the buyer's bank was
 * asked to pay is taken back, until the evening before: later than that it is paid, as the network has it.
 */
export async function pauseById(ctx: Context, id: string, { reason }: Why): Promise<LifecycleBody> {
  return inTransaction(ctx, async (inside) => {
    const row = await lockSubscription(inside, id);
    if (row.status !== "active") throw wrongState(row, "paused");
    const open = await openCycleOf(inside, id);
    if (open) await unschedule(inside, "subscription.retry", open.id);
    const asked = await openInstructionOf(inside, row);
    const isTakenBack = asked !== undefined && (await askToTakeBack(inside, asked));
    const paused = await moveSubscription(inside, row, "paused", { reason });
    await audit(inside, { action: "subscription.pause", object: "subscription", objectId: id, reason });
    return lifecycleOf(paused, pausedText(asked, isTakenBack));
  });
}

/** From a pause it goes on with the next due date; an open cycle is tried at once, as is what made it unpaid. */
export async function resumeById(ctx: Context, id: string, why: Why): Promise<LifecycleBody> {
  let refusal: string | undefined;
  const concluded = (inside: Context) =>
    answerSubscription(inside, {
      read: async (last) => resumed(last, await getSubscription(last, id), refusal),
      reply: (_, body) => resumeReply(body),
    });
  const choose: Choose = async (inside, row) => {
    const cycle = await triableOf(inside, row);
    const allowed = cycle && (await allowanceOf(inside, row, cycle));
    const chosen = cycle && allowed?.allowed ? await manualTry(inside, row, cycle) : undefined;
    if (chosen) return chosen;
    refusal = allowed?.allowed === false ? allowed.reason : undefined;
    // Nothing follows that would answer it: its answer is kept with what it did.
    await concluded(within(ctx, inside));
    return undefined;
  };
  await startTry(ctx, id, choose, { before: (inside) => resume(inside, id, why) });
  return concluded(ctx);
}

async function resume(ctx: Context, id: string, { reason }: Why): Promise<SubscriptionRow> {
  await claimFor(ctx, ctx, id);
  const row = await lockSubscription(ctx, id);
  if (row.status !== "paused" && row.status !== "unpaid") throw wrongState(row, "resumed");
  await audit(ctx, { action: "subscription.resume", object: "subscription", objectId: id, reason });
  if (row.status === "unpaid") return row;
  const open = await openCycleOf(ctx, id);
  const at = now(ctx);
  if (open && isMissed(open, row, at)) {
    await moveCycle(ctx, open, "skipped", { nextRetryOn: null });
    return goOn(ctx, row, reason);
  }
  if (open?.status === "retrying") {
    if (!open.waitsForCard) await moveCycle(ctx, open, undefined, { nextRetryOn: utcDayOf(at) });
    // One that waits for a card is closed by its policy's last day.
    const closes = open.waitsForCard ? chargedAt(lastRetryDay(open) ?? utcDayOf(at)) : at;
    await schedule(ctx, "subscription.retry", open.id, closes > at ? closes : addSeconds(at, LEFT_SECONDS));
  }
  return goOn(ctx, row, reason);
}

/** A bank is instructed days ahead: what is due soon is taken up at once, as is what waited since before the pause. */
async function goOn(ctx: Context, row: SubscriptionRow, reason: string | undefined): Promise<SubscriptionRow> {
  const active = await replan(ctx, await moveSubscription(ctx, row, "resumed", { reason }));
  if (await oldestOf(ctx, row.id, "scheduled")) await schedule(ctx, "subscription.due", row.id, now(ctx));
  return active;
}

/** What the bank was not asked for, or not any more, fell due during the pause. */
const isMissed = ({ status, refusedOn, dueOn: day }: CycleRow, { method }: SubscriptionRow, at: Date): boolean =>
  method === "pix_automatic" && status === "retrying" && refusedOn === null && day <= utcDayOf(at);

/** The cycle that a person may have tried now: the one being retried, or the one that made it unpaid. */
async function triableOf(ctx: Context, row: SubscriptionRow): Promise<CycleRow | undefined> {
  if (row.status === "unpaid") {
    return (await openCycleOf(ctx, row.id)) ? undefined : lastFailedOf(ctx, row.id);
  }
  // What a bank is asked again, and when, its rules say.
  if (row.method === "pix_automatic") return undefined;
  const open = isCharged(row.status) ? await openCycleOf(ctx, row.id) : undefined;
  return open?.status === "retrying" ? open : undefined;
}

const manualTry = async (ctx: Context, row: SubscriptionRow, cycle: CycleRow): Promise<Chosen | undefined> =>
  row.method === "pix_automatic" ? newInstruction(ctx, row, cycle) : { row, cycle, kind: "manual" };

/** Tries with another card, where one waits for that. */
export const chooseTriable: Choose = async (ctx, row) => {
  const cycle = await triableOf(ctx, row);
  return cycle && (await allowanceOf(ctx, row, cycle)).allowed ? { row, cycle, kind: "manual" } : undefined;
};

/** A person's try of one cycle, outside the policy's count and within what the networks allow. */
export async function retryCycle(ctx: Context, id: string, cycleId: string): Promise<CycleView> {
  await inTransaction(ctx, (inside) => getCycle(inside, id, cycleId));
  await startTry(ctx, id, async (inside, row) => {
    await claimFor(inside, ctx, id);
    const cycle = await triableOf(inside, row);
    if (cycle?.id !== cycleId) throw new DomainError("subscription_invalid_state", "the cycle cannot be tried now");
    const allowed = await allowanceOf(inside, row, cycle);
    if (!allowed.allowed) {
      throw new DomainError("subscription_invalid_state", `the card may not be tried now: ${allowed.reason}`);
    }
    const chosen = await manualTry(inside, row, cycle);
    if (!chosen) throw new DomainError("subscription_invalid_state", "the buyer's bank cannot be asked any more");
    await audit({ ...ctx, db: inside.db }, { action: "subscription.retry", object: "subscription", objectId: id });
    return chosen;
  });
  return answerSubscription(ctx, {
    read: (inside) => getCycle(inside, id, cycleId),
    reply: (_, cycle) => cycleReply(cycle),
  });
}

/** A link to the page of the subscription, for another card; false where the customer cannot be written. */
export const sendCardLink = (ctx: Context, id: string): Promise<boolean> =>
  inTransaction(ctx, async (inside) => {
    const row = await lockSubscription(inside, id);
    if (isOver(row.status)) throw wrongState(row, "given another card");
    if (row.method !== "credit") throw new DomainError("subscription_invalid_state", "it is not paid with a card");
    await audit(inside, { action: "subscription.card_link", object: "subscription", objectId: id });
    return writeCardLink(inside, row, newId());
  });

const MOST_SHOWN = 12;

export interface CyclePreview {
  items: { cycle: number; dueDate: string; amount: number }[];
}

/** The next due dates, and what each will cost as things stand. */
export async function previewOf(ctx: Context, id: string): Promise<CyclePreview> {
  const row = await getSubscription(ctx, id);
  if (row.nextDueOn === null) return { items: [] };
  const [anchors, { newest, canceled }] = [await anchorsOf(ctx, id), await countsOf(ctx, id)];
  const left = row.cycles === null ? MOST_SHOWN : row.cycles - (newest - canceled);
  const items = Array.from({ length: Math.min(MOST_SHOWN, left) }, (_, index) => {
    const cycle = newest + 1 + index;
    return { cycle, dueDate: cycleDueOn(anchors, cycle), amount: row.amount };
  });
  return { items: items.filter(({ dueDate }) => row.cancelOn === null || dueDate < row.cancelOn) };
}

/** Deletes a customer; its subscriptions are canceled with it (rulings 16). */
export async function closeCustomer(ctx: Context, customerId: string): Promise<void> {
  if (await findCustomer(ctx, customerId)) {
    for (const { id } of await runningOf(ctx, customerId)) {
      const row = await lockSubscription(ctx, id);
      if (!isOver(row.status)) await cancelSubscription(ctx, row, CUSTOMER_DELETED);
    }
  }
  await deleteCustomer(ctx, customerId);
}

const wrongState = ({ status }: SubscriptionRow, wanted: string): DomainError =>
  new DomainError("subscription_invalid_state", `a subscription that is ${status} cannot be ${wanted}`);
