import { and, eq, gte, inArray, sql } from "drizzle-orm";
import { auditLog } from "@/db/schema/accounts";
import { charges } from "@/db/schema/charges";
import { audit } from "@/lib/audit";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { captureCharge, voidCharge } from "@/lib/charges/change";
import { look } from "@/lib/charges/engine/settle";
import { ChargeBusy } from "@/lib/charges/engine/taking";
import { actionsFor, type PaymentAction, planOf, refundable, rightFor } from "@/lib/charges/operator-actions";
import { getCharge } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { checkKey, findAnswer, fingerprintOf } from "@/lib/idempotency";
import { demand, REFUND_LIMITS } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { realNow } from "@/lib/time";

export interface Asked {
  /** Made when the confirmation opened: pressing twice does it once. */
  key: string;
  /** What the confirmation was made from, see `planOf`. */
  plan: string;
  amount?: number | undefined;
}

/** Why nothing was done, to be put into words. */
export type Refusal =
  | { kind: "changed" }
  | { kind: "busy" }
  | { kind: "too_much"; most: number; currency: string }
  | { kind: "own_limit"; left: number; currency: string }
  | { kind: "refused"; code: string };
export type Done = { kind: "done" } | Refusal;

type Simulate = (ctx: Context, chargeId: string) => Promise<unknown>;

/**
 * One action of a person on a payment: by the same services as the API, once for each key, and only on the state that
 * was confirmed. `simulate` comes from the simulator's tools, which stand above charges.
 */
export async function actOnPayment(
  ctx: Context,
  role: OperatorRole,
  chargeId: string,
  action: PaymentAction,
  asked: Asked,
  simulate: Simulate,
): Promise<Done> {
  demand(role, rightFor(action), "charge");
  const keyed = withKey(ctx, chargeId, action, asked);
  try {
    const refusal = await inTransaction(keyed, async (inside): Promise<Refusal | "repeated" | undefined> => {
      const charge = await getCharge(inside, chargeId);
      if (inside.idempotency && (await findAnswer(inside.db, inside.account.id, inside.idempotency))) return "repeated";
      const isPossible = actionsFor(role, inside.account, charge).includes(action);
      if (!isPossible || planOf(charge.row) !== asked.plan) return { kind: "changed" };
      const most = action === "refund" ? refundable(charge.row) : charge.row.amount;
      if (asked.amount !== undefined && asked.amount > most)
        return { kind: "too_much", most, currency: charge.row.currency };
      return action === "refund" ? beyondLimit(inside, role, asked.amount ?? most, charge.row.currency) : undefined;
    });
    if (refusal === "repeated") return { kind: "done" };
    if (refusal) return refusal;
    await perform(keyed, chargeId, action, asked.amount, simulate);
    return { kind: "done" };
  } catch (thrown) {
    if (thrown instanceof ChargeBusy) return { kind: "busy" };
    if (!(thrown instanceof DomainError)) throw thrown;
    return BUSY.has(thrown.businessCode) ? { kind: "busy" } : { kind: "refused", code: thrown.businessCode };
  }
}

const BUSY = new Set<string>(["charge_operation_in_progress", "idempotency_key_in_progress"]);

/** Keys of people live apart from those of the client's own calls. */
function withKey(ctx: Context, chargeId: string, action: PaymentAction, { key, amount }: Asked): Context {
  const endpoint = ENDPOINTS[action];
  if (!endpoint) return ctx;
  const path = `/v1/charges/${chargeId}/${endpoint}`;
  const idempotency = {
    key: `dashboard:${checkKey(key)}`,
    method: "POST",
    path,
    fingerprint: fingerprintOf("POST", path, amount === undefined ? {} : { amount }),
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
  amount: number | undefined,
  simulate: Simulate,
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
      await voidCharge(ctx, chargeId, { ...WHOLE, amount });
      return;
    case "recheck":
      await look(ctx, chargeId);
      await inTransaction(ctx, (inside) =>
        audit(inside, { action: "charge.recheck", object: "charge", objectId: chargeId }),
      );
      return;
    case "simulate":
      await simulate(ctx, chargeId);
  }
}

/** What one person gave back today counts, whatever became of each refund since. */
async function beyondLimit(
  ctx: Context,
  role: OperatorRole,
  amount: number,
  currency: string,
): Promise<Refusal | undefined> {
  const limit = REFUND_LIMITS[role];
  if (!limit || ctx.principal.kind !== "operator") return undefined;
  const given = await ctx.db
    .select({ amount: sql<string>`coalesce(sum((${auditLog.after}->>'amount')::bigint), 0)` })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.clientId, ctx.account.id),
        eq(auditLog.actor, `operator:${ctx.principal.operatorId}`),
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
  const left = Math.max(0, Math.min(limit.each, limit.daily - Number(given[0]?.amount ?? 0)));
  return amount > left ? { kind: "own_limit", left, currency } : undefined;
}
