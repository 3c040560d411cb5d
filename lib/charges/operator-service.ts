import { and, eq, gte, inArray, sql } from "drizzle-orm";
import { auditLog } from "@/db/schema/accounts";
import { charges } from "@/db/schema/charges";
import { audit, operatorActor } from "@/lib/audit";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { captureCharge, type StillSo, voidCharge } from "@/lib/charges/change";
import { ChargeBusy } from "@/lib/charges/engine/lease";
import { givenBackOf, oneAtATime } from "@/lib/charges/given-back";
import { handBack } from "@/lib/charges/hand-back";
import { actionsFor, mostOf, type PaymentAction, planOf, rightFor } from "@/lib/charges/operator-actions";
import {
  approveProposal,
  type FirstPerson,
  type ProposedAction,
  proposeChange,
  proposedByOther,
} from "@/lib/charges/proposals";
import { type Charge, type ChargeRow, getCharge, lockCharge } from "@/lib/charges/queries";
import type { VoidChargeInput } from "@/lib/charges/schema";
import { type Context, inTransaction } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { checkKey } from "@/lib/http/idempotency-key";
import { Answered, findAnswer, requestFingerprint } from "@/lib/idempotency";
import { demand, type RefundLimits, usualLimits } from "@/lib/operators/permissions";
import { type AloneLimits, secondPersonAbove } from "@/lib/operators/second-person";
import type { OperatorRole } from "@/lib/operators/sessions";
import { refundLimitsOf } from "@/lib/operators/team";
import { addSeconds, realNow } from "@/lib/time";

export interface AskedChange {
  /** Made when the confirmation opened: pressing twice does it once. */
  key: string;
  /** What the confirmation was made from, see `planOf`. */
  plan: string;
  /** Of the plan that was shown, see lib/dry-runs: on another one nothing is done. */
  planHash?: string | undefined;
  amount?: number | undefined;
  /** Why money goes back, or how it did. */
  reason?: string | undefined;
}

/** Why nothing was done, to be put into words. */
export type ChangeRefusal =
  | { kind: "changed" }
  | { kind: "plan_changed" }
  | { kind: "no_reason" }
  | { kind: "busy" }
  | { kind: "too_much"; most: number; currency: string }
  | { kind: "own_limit"; left: number; currency: string }
  | { kind: "refused"; code: string };
export type Done = { kind: "done" } | { kind: "proposed"; amount: number } | ChangeRefusal;

/** What stands above charges: a card of a purchase is asked about and given back with its purchase. */
export interface Above {
  simulate: (ctx: Context, chargeId: string) => Promise<unknown>;
  look: (ctx: Context, chargeId: string) => Promise<unknown>;
  giveBack: (ctx: Context, chargeId: string, input: VoidChargeInput, isStill: StillSo) => Promise<unknown>;
}

/**
 * One action of a person on a payment: by the same services as the API, once for each key, and only on the state that
 * was confirmed. What is above the limit of one person is written down, and done when a second one confirms the same.
 */
export async function actOnPayment(
  ctx: Context,
  role: OperatorRole,
  chargeId: string,
  action: PaymentAction,
  asked: AskedChange,
  above: Above,
): Promise<Done> {
  demand(role, rightFor(action), "charge");
  const keyed = withKey(asked.reason ? { ...ctx, reason: asked.reason } : ctx, chargeId, action, asked);
  let isBegun = false;
  try {
    const answer = await inTransaction(keyed, async (inside): Promise<Done | Going | "repeated"> => {
      if (isTwoPeoples(action)) {
        // What ends a request finds it written, or the request finds what ended it.
        await lockCharge(inside, chargeId);
        await oneAtATime(inside, chargeId);
      }
      const charge = await getCharge(inside, chargeId);
      if (inside.idempotency && (await findAnswer(inside.db, inside.account.id, inside.idempotency))) return "repeated";
      const isPossible = actionsFor(role, inside.account, charge).includes(action);
      // A question changes nothing by itself: it is asked of whatever the payment is now.
      const isAsPlanned = action === "recheck" || planOf(action, charge) === asked.plan;
      if (!isPossible || !isAsPlanned) return { kind: "changed" };
      const most = mostOf(action, charge);
      if (asked.amount !== undefined && asked.amount > most)
        return { kind: "too_much", most, currency: charge.row.currency };
      if (!isTwoPeoples(action)) return ALONE;
      const amount = asked.amount ?? most;
      const isRefund = action === "refund";
      const wanted = { action, chargeId, amount, plan: asked.plan };
      const allowed = await allowedTo(inside, charge, wanted);
      const own = isRefund ? await ownInTurn(inside, role) : null;
      if (own && amount > own.left) {
        // What others asked for is not theirs to agree to; what they want themselves, somebody without this limit may.
        if (allowed.kind === "agreed") return { kind: "own_limit", left: own.left, currency: charge.row.currency };
        if (!asked.reason) return { kind: "no_reason" };
        await proposeChange(inside, charge, wanted);
        return { kind: "proposed", amount };
      }
      if (allowed.kind !== "agreed" && !asked.reason) return { kind: "no_reason" };
      if (allowed.kind === "asks") {
        await proposeChange(inside, charge, wanted);
        return { kind: "proposed", amount };
      }
      isBegun = isRefund && (await begin(inside, role, chargeId, amount));
      return allowed;
    });
    if (answer === "repeated") return { kind: "done" };
    if (answer.kind !== "alone" && answer.kind !== "agreed") return answer;
    const planned = asked.planHash ? { ...keyed, planHash: asked.planHash } : keyed;
    const by = answer.kind === "agreed" ? agreedWith(planned, answer.first) : planned;
    const isStill: StillSo = (inside) => stillAllowed(inside, chargeId, action, asked, answer);
    await perform(by, chargeId, action, asked, above, isStill);
    return { kind: "done" };
  } catch (thrown) {
    const isRefused = thrown instanceof ChargeBusy || thrown instanceof DomainError || thrown instanceof Otherwise;
    if (isBegun && isRefused) await giveUp(keyed, chargeId);
    if (thrown instanceof Answered) return { kind: "done" };
    if (thrown instanceof Otherwise) return { kind: "changed" };
    if (thrown instanceof ChargeBusy) return { kind: "busy" };
    if (!(thrown instanceof DomainError)) throw thrown;
    if (thrown.businessCode === "plan_changed") return { kind: "plan_changed" };
    return BUSY.has(thrown.businessCode) ? { kind: "busy" } : { kind: "refused", code: thrown.businessCode };
  }
}

/** By one person, or by a second one who agrees with the first. */
type Going = { kind: "alone" } | { kind: "agreed"; first: FirstPerson };
type Allowed = Going | { kind: "asks" };
const ALONE: Going = { kind: "alone" };

/** What was allowed when it was asked for is not, once nobody else can change it any more. */
class Otherwise extends Error {}

const isTwoPeoples = (action: PaymentAction): action is ProposedAction => action === "refund" || action === "hand_back";

async function allowedTo(
  ctx: Context,
  charge: Charge,
  wanted: { action: ProposedAction; chargeId: string; amount: number; plan: string },
): Promise<Allowed> {
  const { action, amount } = wanted;
  const first = await proposedByOther(ctx, charge, wanted);
  if (first) return { kind: "agreed", first };
  const alone = await aloneUpTo(ctx, action, charge.row);
  return alone && amount > alone.left ? { kind: "asks" } : { kind: "alone" };
}

async function stillAllowed(
  ctx: Context,
  chargeId: string,
  action: PaymentAction,
  asked: AskedChange,
  before: Going,
): Promise<void> {
  if (!isTwoPeoples(action)) return;
  await oneAtATime(ctx, chargeId);
  const charge = await getCharge(ctx, chargeId);
  if (planOf(action, charge) !== asked.plan) throw new Otherwise();
  const wanted = { action, chargeId, amount: asked.amount ?? mostOf(action, charge), plan: asked.plan };
  const now = await allowedTo(ctx, charge, wanted);
  if (now.kind !== before.kind) throw new Otherwise();
  if (now.kind === "agreed") await approveProposal(ctx, wanted, now.first);
}

const ALONE_UP_TO: Readonly<Record<ProposedAction, keyof AloneLimits>> = { refund: "refunds", hand_back: "reviews" };

export interface Alone {
  /** Cents of a payment that one person decides on alone. */
  limit: number;
  /** What is left of it. */
  left: number;
}

/**
 * Null: all, while there is no second one. What people gave back of a payment counts together, and so does what waits:
 * two refunds of half of it are one of all of it.
 */
export async function aloneUpTo(ctx: Context, action: ProposedAction, row: ChargeRow): Promise<Alone | null> {
  const limit = await secondPersonAbove(ctx, rightFor(action), ALONE_UP_TO[action], row.merchantId);
  if (limit === null) return null;
  if (action !== "refund") return { limit, left: limit };
  const { given, waiting } = await inTransaction(ctx, (inside) => givenBackOf(inside, row));
  return { limit, left: Math.max(0, limit - given - waiting) };
}

/** The log names both people, and the reason of the one who asked first unless the second gave another. */
const agreedWith = (ctx: Context, { operatorId, reason }: FirstPerson): Context => ({
  ...ctx,
  secondPerson: operatorId,
  ...((ctx.reason ?? reason) ? { reason: ctx.reason ?? reason ?? "" } : {}),
});

const BUSY = new Set<string>(["charge_operation_in_progress", "idempotency_key_in_progress"]);

/** Keys of people live apart from those of the client's own calls. */
function withKey(ctx: Context, chargeId: string, action: PaymentAction, { key, amount }: AskedChange): Context {
  const endpoint = ENDPOINTS[action];
  if (!endpoint) return ctx;
  const path = `/v1/charges/${chargeId}/${endpoint}`;
  const idempotency = {
    namespace: ctx.account.id,
    key: `dashboard:${checkKey(key)}`,
    method: "POST",
    path,
    fingerprint: requestFingerprint("POST", path, amount === undefined ? {} : { amount }),
    kind: `charge.${endpoint}`,
    isKept: false,
  };
  return { ...ctx, idempotency };
}

const ENDPOINTS: Partial<Record<PaymentAction, string>> = {
  capture: "capture",
  release: "void",
  cancel: "void",
  refund: "void",
};

/** Sellers give back in proportion. */
const WHOLE = { amount: undefined, splitRules: undefined, delayToCompose: undefined };

async function perform(
  ctx: Context,
  chargeId: string,
  action: PaymentAction,
  { amount, plan }: AskedChange,
  { simulate, look, giveBack }: Above,
  isStill: StillSo,
): Promise<void> {
  switch (action) {
    case "capture":
      await captureCharge(ctx, chargeId, { amount });
      return;
    case "release":
    case "cancel":
      await voidCharge(ctx, chargeId, { ...WHOLE });
      return;
    case "refund":
      await giveBack(ctx, chargeId, { ...WHOLE, amount }, isStill);
      return;
    case "recheck":
      await look(ctx, chargeId);
      await inTransaction(ctx, (inside) =>
        audit(inside, { action: "charge.recheck", object: "charge", objectId: chargeId }),
      );
      return;
    case "hand_back":
      await handBack(ctx, chargeId, plan, isStill);
      return;
    case "simulate":
      await simulate(ctx, chargeId);
  }
}

const BEGUN = "charge.refund.begin";
const GIVEN_UP = "charge.refund.give-up";
/** Apart from what is told of the charge itself: they keep the limit. */
const LIMIT_OBJECT = "refund_limit";
/** Longer than any refund is under way before its own row says so. */
const UNDER_WAY_SECONDS = 120;

/** Written with the check: of refunds asked for in the same moment, each counts for the next. */
async function begin(ctx: Context, role: OperatorRole, chargeId: string, amount: number): Promise<boolean> {
  if (!usualLimits(role)) return false;
  await audit(ctx, { action: BEGUN, object: LIMIT_OBJECT, objectId: chargeId, after: { amount } });
  return true;
}

const giveUp = (ctx: Context, chargeId: string): Promise<void> =>
  inTransaction(ctx, (inside) => audit(inside, { action: GIVEN_UP, object: LIMIT_OBJECT, objectId: chargeId }));

/** Begun by the same person and neither given up nor written as a refund yet: their rows carry the same request. */
async function underWay({ db, account }: Context, actor: string): Promise<number> {
  const since = addSeconds(realNow(), -UNDER_WAY_SECONDS).toISOString();
  const [row] = await db.execute<{ amount: string }>(sql`
    select coalesce(sum((b.after->>'amount')::bigint), 0)::text as amount from audit_log b
     where b.client_id = ${account.id} and b.at >= ${since}::timestamptz and b.actor = ${actor} and b.action = ${BEGUN}
       and not exists (select from audit_log e where e.client_id = b.client_id and e.at >= b.at and e.actor = b.actor
                          and e.request_id = b.request_id and e.action in ('charge.void', ${GIVEN_UP}))`);
  return Number(row?.amount ?? 0);
}

export interface OwnRefunds extends RefundLimits {
  /** Cents that one more refund of today may have. */
  left: number;
}

/** One of a person's refunds is looked at after the other. */
async function ownInTurn(ctx: Context, role: OperatorRole): Promise<OwnRefunds | null> {
  if (ctx.principal.kind !== "operator" || !usualLimits(role)) return null;
  const turn = `${ctx.account.id} refunds ${operatorActor(ctx.principal.operatorId)}`;
  await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${turn}, 0))`);
  return ownLeft(ctx, role);
}

/** Null: without a limit of their own. What one person gave back today counts, whatever became of each refund since. */
async function ownLeft(ctx: Context, role: OperatorRole): Promise<OwnRefunds | null> {
  if (ctx.principal.kind !== "operator") return null;
  const limit = await refundLimitsOf(ctx, ctx.principal.operatorId, role);
  if (!limit) return null;
  const actor = operatorActor(ctx.principal.operatorId);
  const pending = await underWay(ctx, actor);
  const given = await ctx.db
    .select({ amount: sql<string>`coalesce(sum((${auditLog.after}->>'amount')::bigint), 0)` })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.clientId, ctx.account.id),
        eq(auditLog.actor, actor),
        eq(auditLog.action, "charge.void"),
        gte(auditLog.at, new Date(`${saoPauloDay(realNow())}T00:00:00-03:00`)),
        // A hold that was let go was never captured: no money went back.
        inArray(
          auditLog.objectId,
          ctx.db
            .select({ id: sql<string>`${charges.id}::text` })
            .from(charges)
            .where(and(eq(charges.clientId, ctx.account.id), sql`${charges.capturedAmount} > 0`)),
        ),
      ),
    );
  const left = Math.max(0, Math.min(limit.each, limit.daily - pending - Number(given[0]?.amount ?? 0)));
  return { ...limit, left };
}

/** As a confirmation names them: above what is left, somebody without this limit is asked. */
export const ownRefunds = (ctx: Context, role: OperatorRole): Promise<OwnRefunds | null> =>
  inTransaction(ctx, (inside) => ownLeft(inside, role));
