import { type Replaced, subscriptionTries, type TryKind } from "@/db/schema/subscriptions";
import { insertion } from "@/db/writes";
import { actorOf } from "@/lib/audit";
import { addDays, type CivilDate, saoPauloInstant } from "@/lib/brazil/bank-calendar";
import { type AcceptedCharge, acceptCharge, type ChargeOrigin, payAccepted } from "@/lib/charges/create";
import type { NewCharge } from "@/lib/charges/schema";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule, unschedule, unscheduling } from "@/lib/due-jobs/schedule";
import { type BusinessCode, DomainError } from "@/lib/errors";
import { derivedId, newId } from "@/lib/ids";
import { pipelined } from "@/lib/pipeline";
import { storedScenario } from "@/lib/providers/registry";
import { reserve } from "@/lib/sessions/places";
import type { SessionRow } from "@/lib/sessions/state";
import type { SpentReason } from "@/lib/subscriptions/allowance";
import { answerOpen } from "@/lib/subscriptions/answer";
import { chargedAt, utcDayOf } from "@/lib/subscriptions/calendar";
import { spentFact } from "@/lib/subscriptions/decide";
import { writeFailed } from "@/lib/subscriptions/letters";
import type { MandateRow } from "@/lib/subscriptions/mandate-queries";
import {
  announceSubscription,
  changeSubscription,
  changing,
  moveCycle,
  moveSubscription,
  movingCycle,
  replan,
  skipWaiting,
} from "@/lib/subscriptions/moves";
import {
  type CycleRow,
  findSettings,
  lockSubscription,
  merchantOf,
  type SubscriptionRow,
} from "@/lib/subscriptions/queries";
import { settleCycle } from "@/lib/subscriptions/settle";

/** The cycle to try now, found under the subscription's lock. */
export interface Chosen {
  row: SubscriptionRow;
  cycle: CycleRow;
  kind: TryKind;
  /** Of one that its buyer's bank pays: under what, and on which day. Without a day it is the Pix that authorizes. */
  mandated?: { mandate: MandateRow; settleOn?: CivilDate; retryOf?: string };
  /** Where another card is tried. */
  replaced?: Replaced | undefined;
}

/** Brings the subscription up to date and says what is tried now, if anything is. */
export type Choose = (ctx: Context, row: SubscriptionRow) => Promise<Chosen | undefined>;

export interface StartOptions extends Pick<ChargeOrigin, "alongside"> {
  /** Of the buyer, for the first charge within the call that creates. */
  cvv?: string | undefined;
  /** The payment link that its first payment is made on: it takes a place there. */
  session?: SessionRow;
  /** What the caller asks for besides: first in the transaction that begins the try, or refused with it. */
  before?: (ctx: Context) => Promise<unknown>;
}

interface AskedStart extends StartOptions {
  by: string;
}

/**
 * Starts at most one charge of a subscription: its intent is committed with the try and the cycle's move, so that none
 * is lost and none is made twice; then it is paid while the caller waits. Answers whether one was started.
 */
export async function startTry(
  caller: Context,
  subscriptionId: string,
  choose: Choose,
  options: StartOptions = {},
): Promise<boolean> {
  const ctx = asEngine(caller);
  const { before } = options;
  const accepted = await accept(
    ctx,
    async (inside) => {
      await before?.(within(caller, inside));
      return choose(inside, await lockSubscription(inside, subscriptionId));
    },
    { ...options, by: actorOf(caller) },
  );
  if (!accepted) return false;
  await payAccepted(ctx, accepted);
  await settleCycle(ctx, accepted.charge.row.id, subscriptionId);
  return true;
}

/** The engine charges, whoever asked it to: neither the request's key nor a browser's rights are the charge's. */
const asEngine = ({ idempotency: _own, ...ctx }: Context): Context => ({ ...ctx, principal: { kind: "system" } });

/** The caller, in the transaction of another context. */
export const within = (caller: Context, { db, isInTransaction, undo }: Context): Context => ({
  ...caller,
  db,
  isInTransaction,
  ...(undo ? { undo } : {}),
});

async function accept(
  ctx: Context,
  chosenIn: (inside: Context) => Promise<Chosen | undefined>,
  options: AskedStart,
): Promise<AcceptedCharge | undefined> {
  try {
    return await inTransaction(ctx, async (inside) => {
      const chosen = await chosenIn(inside);
      return chosen && begin(inside, chosen, options);
    });
  } catch (thrown) {
    const code = thrown instanceof DomainError ? IMPOSSIBLE[thrown.businessCode] : undefined;
    if (!code) throw thrown;
    await inTransaction(ctx, async (inside) => {
      const chosen = await chosenIn(inside);
      if (chosen) await recordImpossible(inside, chosen, code, options.by);
    });
    return undefined;
  }
}

/** Why no charge could be made, in the words of `subscription.cycle_failed`. */
const IMPOSSIBLE: Partial<Record<BusinessCode, string>> = {
  card_not_found: "card_not_found",
  card_not_usable: "card_not_found",
  customer_not_found: "customer_not_found",
  merchant_not_found: "merchant_inactive",
  provider_not_available: "merchant_inactive",
  payment_method_not_supported: "merchant_inactive",
  currency_not_supported: "merchant_inactive",
  installments_not_allowed: "merchant_inactive",
  seller_not_found: "seller_not_found",
  split_not_supported: "seller_not_found",
};

/** How a try is paid: the request of its charge, and what only the engine may ask besides. */
interface Payment extends Pick<NewCharge, "paymentMethod" | "paymentSource"> {
  mandated?: ChargeOrigin["mandated"];
}

const byCard = (row: SubscriptionRow, cardId: string, cvv: string | undefined): Payment => ({
  paymentMethod: {
    paymentType: "credit",
    installments: row.installments,
    recurrence: row.isAgreed ? "subsequent" : "initial",
    threeDS: undefined,
  },
  paymentSource: { sourceType: "card", cardId, cardCvv: cvv, tokenCvv: undefined, card: undefined },
});

/** By then the bank of the payer has tried for the last time, and said so. */
const SETTLED_BY = "12:00:00";

function byBank(ctx: Context, row: SubscriptionRow, { mandate, settleOn, retryOf }: Mandated): Payment {
  const endsAt = settleOn === undefined ? mandate.expiresAt : saoPauloInstant(addDays(settleOn, 1), SETTLED_BY);
  const { providerId, providerMandateId: mandateId } = mandate;
  if (settleOn !== undefined && mandateId === null) throw new Error("an approved mandate without its name");
  return {
    paymentMethod: {
      paymentType: "pix",
      installments: undefined,
      expiresIn: Math.max(1, Math.floor((endsAt.getTime() - now(ctx).getTime()) / 1_000)),
      additionalInfo: undefined,
      items: undefined,
    },
    paymentSource: { sourceType: "customer", customerId: row.customerId, cardCvv: undefined, customer: undefined },
    mandated: {
      providerId,
      ...(settleOn === undefined || mandateId === null
        ? {}
        : { instruction: { mandateId, settleOn, ...(retryOf === undefined ? {} : { retryOf }) } }),
    },
  };
}

type Mandated = NonNullable<Chosen["mandated"]>;

function paymentOf(ctx: Context, { row, mandated }: Chosen, cvv: string | undefined): Payment {
  if (mandated) return byBank(ctx, row, mandated);
  if (row.cardId === null) throw new Error("a try with neither a card nor a mandate");
  return byCard(row, row.cardId, cvv);
}

async function begin(
  ctx: Context,
  chosen: Chosen,
  { cvv, alongside, session, by }: AskedStart,
): Promise<AcceptedCharge> {
  const { row, cycle, kind, mandated, replaced } = chosen;
  const number = cycle.attempts + 1;
  const merchantId = merchantOf(row, cycle);
  const [settings, paying] = await pipelined([findSettings(ctx), simulated(ctx, { ...row, merchantId })]);
  const amount = cycle.amount ?? row.amount;
  const splitRules = cycle.splitRules ?? row.splitRules;
  const { mandated: origin, ...payment } = paymentOf(ctx, chosen, cvv);
  const input: NewCharge = {
    merchantId,
    customerId: row.customerId,
    amount,
    currency: "BRL",
    capture: true,
    description: row.name,
    statementDescriptor: settings?.statementDescriptor ?? undefined,
    ...payment,
    // Guarantee: stored from the request schema's own output.
    splitRules: splitRules.length > 0 ? (splitRules as unknown as NewCharge["splitRules"]) : undefined,
    orderId: session?.orderId ?? undefined,
    providerReferenceKey: undefined,
    fraudAnalysis: undefined,
    paymentFlow: undefined,
    threeDSecure2: undefined,
    appInfo: undefined,
    vendor: undefined,
  };
  const chargeId = derivedId("subscription try", cycle.id, number);
  const revision = row.revision + 1;
  const attempt = insertion(subscriptionTries, {
    id: newId(),
    clientId: ctx.account.id,
    subscriptionId: row.id,
    cycleId: cycle.id,
    number,
    kind,
    status: "pending",
    chargeId,
    cardId: row.cardId,
    mandateId: mandated?.mandate.id ?? null,
    settleOn: mandated?.settleOn ?? null,
    replaced: replaced ?? null,
    actor: by,
    revision,
    createdAt: now(ctx),
  });
  const moved = movingCycle(ctx, cycle, "charge.started", {
    attempts: number,
    merchantId,
    amount,
    splitRules,
    impossible: 0,
    returnsTo: kind === "manual" && cycle.status !== "scheduled" ? returnOf(cycle) : null,
  });
  return acceptCharge(paying, chargeId, input, {
    source: session ? "link" : "subscription",
    subscriptionId: row.id,
    ...(origin ? { mandated: origin } : {}),
    ...(session ? { sessionId: session.id, claim: (claiming) => reserve(claiming, session.id) } : {}),
    writes: [attempt, moved.write, changing(row, { revision }), unscheduling("subscription.retry", cycle.id)],
    alongside,
  });
}

/** The request's own scenario, else one that was stored for what no request pays (spec/sandbox.md section 6). */
async function simulated(ctx: Context, { cardId, customerId, merchantId }: SubscriptionRow): Promise<Context> {
  if (ctx.account.mode !== "sandbox" || ctx.scenario !== undefined) return ctx;
  const about = { ...(cardId === null ? {} : { cardId }), customerId, merchantId };
  const scenario = await storedScenario(ctx.account.id, about);
  return scenario === undefined ? ctx : { ...ctx, scenario };
}

const returnOf = ({ status }: CycleRow): "retrying" | "failed" => (status === "failed" ? "failed" : "retrying");

/** The first day, and three more. */
const MOST_IMPOSSIBLE = 4;

async function recordImpossible(
  ctx: Context,
  { row, cycle, kind }: Chosen,
  errorCode: string,
  by: string,
): Promise<void> {
  const at = now(ctx);
  const number = cycle.attempts + 1;
  await ctx.db.insert(subscriptionTries).values({
    id: newId(),
    clientId: ctx.account.id,
    subscriptionId: row.id,
    cycleId: cycle.id,
    number,
    kind,
    status: "failed",
    cardId: row.cardId,
    error: errorCode,
    actor: by,
    revision: row.revision + 1,
    createdAt: at,
    endedAt: at,
  });
  const known = await changeSubscription(ctx, row, { revision: row.revision + 1 });
  if (kind === "manual") {
    await moveCycle(ctx, cycle, undefined, { attempts: number });
    await announceSubscription(ctx, known, "cycle_failed", { errorCode });
    await answerOpen(ctx, { subscriptionId: row.id, cycleId: cycle.id });
    return;
  }
  const impossible = cycle.impossible + 1;
  const isOver = impossible >= MOST_IMPOSSIBLE;
  const tomorrow = addDays(utcDayOf(at), 1);
  const waiting = await moveCycle(ctx, cycle, cycle.status === "scheduled" ? "charge.impossible" : undefined, {
    attempts: number,
    impossible,
    nextRetryOn: isOver ? null : tomorrow,
  });
  if (!isOver) await schedule(ctx, "subscription.retry", cycle.id, chargedAt(tomorrow));
  const told = await announceSubscription(ctx, known, "cycle_failed", { errorCode });
  if (isOver) await endRetries(ctx, told, waiting);
  if (cycle.cycle === 1 && number === 1) await answerOpen(ctx, { subscriptionId: row.id, cycleId: cycle.id });
}

/** Nothing is left to try: the cycle has failed, and the subscription is what the settings say. */
export async function endRetries(
  ctx: Context,
  row: SubscriptionRow,
  cycle: CycleRow,
  reason?: SpentReason,
): Promise<SubscriptionRow> {
  const failed = await moveCycle(ctx, cycle, "retries.ended", { nextRetryOn: null, waitsForCard: false });
  await unschedule(ctx, "subscription.retry", cycle.id);
  await skipWaiting(ctx, row);
  const settings = await findSettings(ctx);
  const spent = await moveSubscription(ctx, row, spentFact(settings?.cancelAfterAllRetries ?? false), { reason });
  if (spent.status === "unpaid") await writeFailed(ctx, spent, failed);
  return replan(ctx, spent);
}
