import { and, eq, sql } from "drizzle-orm";
import { type ChargeOperation, charges } from "@/db/schema/charges";
import { audit } from "@/lib/audit";
import { chargeTakenOver } from "@/lib/charges/answer";
import { driveCharge } from "@/lib/charges/engine/driver";
import { LeaseLost, leaseEnd } from "@/lib/charges/engine/lease";
import { openAnalysis } from "@/lib/charges/history";
import { chargePlanOf } from "@/lib/charges/outcome";
import { type ChosenPart, checkParts, partDetailsOf } from "@/lib/charges/parts";
import { type Charge, type ChargeRow, lockCharge, withParts } from "@/lib/charges/queries";
import type { VoidChargeInput } from "@/lib/charges/schema";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { claimKey } from "@/lib/idempotency";
import { type AttemptRow, type NewAttempt, planAttempt } from "@/lib/payments/attempts";
import { type AskedIntent as Asked, capabilityRefusal, type Facts, returnedBy } from "@/lib/payments/refusals";
import { providerById, type RoutedProvider } from "@/lib/payments/routing/provider";
import { holdToPlan } from "@/lib/plans/hash";
import type { Capabilities } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";

const IN_PROGRESS_RETRY_SECONDS = 5;

export interface ChangeIntent {
  operation: ChargeOperation;
  kind: NewAttempt["kind"];
  amount: number;
  /** Whose parts of a refund go back, where the request says so. */
  parts?: readonly ChosenPart[];
  /** Kept with its attempt. */
  details?: NewAttempt["details"];
  /** Where it is done, when that is not the provider the charge is at. */
  providerId?: string | null;
}

/** Captures a hold, in full or once in part; the rest is released (spec/contract.md 8.9). */
export const captureCharge = (ctx: Context, id: string, input: CaptureInput): Promise<Charge> =>
  changeCharge(ctx, id, "capture", captureIntent(ctx, input));

/** Releases a hold, closes an unpaid Pix or boleto, or gives captured money back, in full or in part. */
export const voidCharge = (ctx: Context, id: string, input: VoidChargeInput, isStill?: StillSo): Promise<Charge> =>
  changeCharge(ctx, id, "void", voidIntent(ctx, input), isStill);

/** Asked once nobody else can change it any more, in the transaction that accepts the change: throws where it is not. */
export type StillSo = (inside: Context) => Promise<void>;

interface CaptureInput {
  amount?: number | undefined;
}
type IntentOf = (row: ChargeRow, charge: Charge) => ChangeIntent;

export const captureIntent =
  (ctx: Context, input: CaptureInput): IntentOf =>
  (row, charge) => {
    if (openAnalysis(charge)) throw new DomainError("antifraud_pending", "the anti-fraud analysis is not finished");
    refuseWhileBusy(row);
    if (row.status !== "pre_authorized") throw invalidState(row, "captured");
    const amount = input.amount ?? row.amount;
    refuseImpossible(ctx, charge, { do: "capture", amount });
    return { operation: "capture", kind: "capture", amount };
  };

export const voidIntent =
  (ctx: Context, input: VoidChargeInput): IntentOf =>
  (row, charge) => {
    refuseWhileBusy(row);
    refuseStrangers(charge, input);
    switch (row.status) {
      case "pre_authorized":
        refuseImpossible(ctx, charge, { do: "void", amount: input.amount ?? row.amount });
        return { operation: "void", kind: "void", amount: row.amount };
      case "pending":
        return { operation: "void", kind: "cancel_open", amount: row.amount };
      case "authorized":
        return refundIntent(ctx, charge, input);
      default:
        throw invalidState(row, "voided");
    }
  };

/** Only who shares in a charge can give a part of it back. */
export function refuseStrangers({ splits }: Charge, { splitRules = [] }: Pick<VoidChargeInput, "splitRules">): void {
  const strangers = splitRules
    .map(({ sellerId }) => sellerId)
    .filter((id) => !splits.some((one) => one.sellerId === id));
  if (strangers.length === 0) return;
  throw new DomainError("seller_not_found", "a seller of the split rules has no part in this charge", {
    details: strangers,
  });
}

export function refundIntent(
  ctx: Context,
  charge: Charge,
  { amount: asked, splitRules }: Partial<VoidChargeInput>,
): ChangeIntent {
  const { row } = charge;
  const amount = asked ?? row.capturedAmount - row.refundedAmount;
  const { capabilities, facts } = refuseImpossible(ctx, charge, {
    do: "refund",
    amount,
    chosenParts: splitRules !== undefined,
  });
  const parts = splitRules && splitRules.length > 0 ? splitRules : undefined;
  const kind = parts ? "refund" : returnedBy(capabilities, amount, facts);
  return { operation: "refund", kind, amount, ...(parts ? { parts } : {}) };
}

function refuseImpossible(ctx: Context, charge: Charge, intent: Asked): { capabilities: Capabilities; facts: Facts } {
  const { capabilities } = providerFor(charge.row.providerType ?? "");
  const facts = factsOf(charge, now(ctx));
  const refusal = capabilityRefusal(intent, capabilities, facts);
  if (refusal) throw refusal;
  return { capabilities, facts };
}

const factsOf = ({ row, attempts, splits }: Charge, at: Date): Facts => ({
  paymentType: row.paymentType,
  isCard: row.cardId !== null,
  isSplit: splits.length > 0,
  amount: row.amount,
  captured: row.capturedAmount,
  refunded: row.refundedAmount,
  holdEndsAt: row.expiresAt,
  capturedAt: row.capturedAt ?? row.createdAt,
  voidAskedAt: attempts.find(({ kind }) => kind === "void")?.sentAt ?? undefined,
  now: at,
});

function refuseWhileBusy(row: ChargeRow): void {
  if (row.operation !== null || row.reviewReason !== null) {
    throw new DomainError("charge_operation_in_progress", "an earlier operation of this charge is not settled", {
      retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS,
    });
  }
}

const invalidState = (row: ChargeRow, done: string): DomainError =>
  new DomainError("charge_invalid_state", `a ${row.status} charge cannot be ${done}`);

export interface Begun {
  charge: Charge;
  attempt: AttemptRow;
  provider: RoutedProvider;
}

/** Accepts the change with its intent in one transaction, then carries it out while the client waits. */
export async function changeCharge(
  ctx: Context,
  id: string,
  asked: "capture" | "void",
  intentOf: IntentOf,
  isStill?: StillSo,
): Promise<Charge> {
  const begun = await inTransaction(ctx, async (inside) => {
    const made = await beginChange(inside, id, asked, intentOf, isStill);
    await holdToPlan(inside, (planning) => chargePlanOf(planning, made));
    return made;
  });
  return driveCharge(ctx, { do: "send", ...begun }).catch((thrown: unknown) => {
    if (!(thrown instanceof LeaseLost)) throw thrown;
    return chargeTakenOver(ctx, id);
  });
}

/** In the transaction of the change: refused where it is impossible, else its intent. */
export async function beginChange(
  ctx: Context,
  id: string,
  asked: "capture" | "void",
  intentOf: IntentOf,
  isStill?: StillSo,
): Promise<Begun> {
  const { idempotency, account } = ctx;
  if (idempotency) await claimKey(ctx.db, account.id, idempotency, { resourceId: id }, now(ctx));
  const locked = await lockCharge(ctx, id);
  if (locked.purchaseId) throw new DomainError("purchase_slot_charge", "this charge is changed with its purchase");
  const charge = await withParts(ctx, locked);
  await isStill?.(ctx);
  const intent = intentOf(locked, charge);
  const { amount } = intent;
  // Asked for with one word: the log says what happens to the money, whatever the provider's operation is called.
  const kind = intent.operation === "refund" ? "refund" : intent.kind;
  const after = asked === "void" ? { amount, kind } : { amount };
  await audit(ctx, { action: `charge.${asked}`, object: "charge", objectId: id, after });
  return beginModification(ctx, charge, intent, "client");
}

/** Commits the intent: the charge is claimed under a new epoch and its attempt is written before anything is sent. */
export async function beginModification(
  ctx: Context,
  charge: Charge,
  intent: ChangeIntent,
  by: "client" | "system",
): Promise<Begun> {
  const { row } = charge;
  if (intent.parts) await checkParts(ctx, charge, intent.parts, intent.amount);
  const providerId = intent.providerId ?? row.providerId;
  if (!providerId) throw new Error("a charge without a provider has nothing to change");
  const provider = await providerById(ctx, providerId);
  const [taken] = await ctx.db
    .update(charges)
    .set({
      operation: intent.operation,
      operationAmount: intent.amount,
      operationBy: by,
      operationFrom: row.status,
      ...(ctx.scenario ? { scenario: ctx.scenario } : {}),
      epoch: sql`${charges.epoch} + 1`,
      leaseUntil: leaseEnd,
      updatedAt: now(ctx),
    })
    .where(and(eq(charges.id, row.id), eq(charges.epoch, row.epoch)))
    .returning();
  // The system held the charge when it looked: it was held up for longer than its lease, and somebody else has it now.
  if (!taken && by === "system") throw new LeaseLost();
  if (!taken)
    throw new DomainError("charge_operation_in_progress", "the charge is being changed", {
      retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS,
    });
  const attempt = await planAttempt(ctx, {
    chargeId: row.id,
    kind: intent.kind,
    amount: intent.amount,
    provider,
    transactionId: row.providerTxId,
    ...(intent.details ? { details: intent.details } : partDetailsOf(intent.parts)),
  });
  return { charge: { ...charge, row: taken, attempts: [attempt, ...charge.attempts] }, attempt, provider };
}
