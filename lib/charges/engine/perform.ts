import { eq } from "drizzle-orm";
import { merchants } from "@/db/schema/merchants";
import { onAuthorize, onMissingShift } from "@/lib/charges/engine/authorize";
import { onCapture } from "@/lib/charges/engine/capture";
import { type CardMaterial, cardSecret, payerOf } from "@/lib/charges/engine/card-material";
import { isDangling, onDanglingVoid } from "@/lib/charges/engine/dangling-authorization";
import type { Decision, Situation } from "@/lib/charges/engine/decision";
import { onCancelOpen, onCreateOpen } from "@/lib/charges/engine/pending-payment";
import { onRefund } from "@/lib/charges/engine/refund";
import { onSurplusRefund, surplusOf } from "@/lib/charges/engine/surplus";
import { onVoid } from "@/lib/charges/engine/void-authorization";
import { isAnalysis } from "@/lib/charges/history";
import { newPaymentMethod } from "@/lib/charges/methods";
import { type Charge, type ChargeRow, type SplitRow, slotOf } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { type ShareRule, splitShares } from "@/lib/money";
import type { AttemptRow } from "@/lib/payments/attempts";
import { call, type Subject } from "@/lib/payments/call";
import type { RoutedProvider } from "@/lib/payments/routing";
import type { BoletoCharge, Decline, Outcome, Payer, SplitLine } from "@/lib/providers/provider";
import { lacksShift } from "@/lib/three-ds/liability";

export interface Performed {
  /** What the answer means, once the situation is known. */
  decide(situation: Situation): Decision;
  /** The decline of an authorisation, which another provider may be asked to do better. */
  decline?: Decline;
  /** It never left: another provider may be asked whatever the card did before. */
  isUnsent: boolean;
  responseMs: number;
}

/** Sends one attempt; the charge and the attempt are committed, nothing is written here. */
export async function perform(
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  provider: RoutedProvider,
  material: CardMaterial,
  timeoutMs: number,
): Promise<Performed> {
  const { row, analyst, attempts } = charge;
  const subject: Subject = {
    chargeId: row.id,
    scenario: row.scenario,
    clientCall: row.operationBy === "client" && row.purchaseId === null,
    analysisFollows: analyst !== undefined || attempts.some(isAnalysis),
    ...slotOf(charge),
  };
  const sent = <T>(
    timed: { result: Outcome<T>; responseMs: number },
    on: (situation: Situation, outcome: Outcome<T>) => Decision,
  ): Performed => ({
    decide: (situation) => on(situation, timed.result),
    ...(timed.result.kind === "declined" ? { decline: timed.result } : {}),
    isUnsent: timed.result.kind === "not_sent",
    responseMs: timed.responseMs,
  });
  const split = splitLines(charge, attempt.amount);
  const providerTxId = attempt.transactionId ?? row.providerTxId ?? "";
  switch (attempt.kind) {
    case "authorize": {
      material.card ??= await cardSecret(ctx, row, material);
      material.payer ??= await payerOf(ctx, row);
      const { card, payer } = material;
      if (lacksShift(row.threeDSecure2)) return { decide: onMissingShift, isUnsent: false, responseMs: 0 };
      return sent(
        await call(ctx, provider, attempt, subject, timeoutMs, (adapter, context) =>
          adapter.authorize(context, { ...authorization(charge, attempt), card, holder: payer, ...split }),
        ),
        onAuthorize,
      );
    }
    case "capture":
      return sent(
        await call(ctx, provider, attempt, subject, timeoutMs, (adapter, context) =>
          adapter.capture(context, { providerTxId, amount: attempt.amount, authorized: row.amount, ...split }),
        ),
        onCapture,
      );
    case "void": {
      const isOfCaptured = row.operation === "refund";
      const timed = await call(ctx, provider, attempt, subject, timeoutMs, (adapter, context) =>
        adapter.void(context, {
          providerTxId,
          state: isOfCaptured ? "authorized" : "pre_authorized",
          amount: row.amount,
        }),
      );
      if (isDangling(attempt)) return sent(timed, onDanglingVoid);
      return isOfCaptured ? sent(timed, onRefund) : sent(timed, onVoid);
    }
    case "refund": {
      const paymentId = surplusOf(attempt);
      const { amount } = attempt;
      const asked = paymentId
        ? { amount, captured: amount, alreadyRefunded: 0, paymentId }
        : { amount, captured: row.capturedAmount, alreadyRefunded: row.refundedAmount };
      const timed = await call(ctx, provider, attempt, subject, timeoutMs, (adapter, context) =>
        adapter.refund(context, { providerTxId, ...asked }),
      );
      return paymentId ? sent(timed, onSurplusRefund) : sent(timed, onRefund);
    }
    case "cancel_open":
      return sent(
        await call(ctx, provider, attempt, subject, timeoutMs, (adapter, context) =>
          adapter.cancelOpen(context, { providerTxId }),
        ),
        onCancelOpen,
      );
    case "pix":
    case "boleto":
    case "wallet": {
      material.payer ??= await payerOf(ctx, row);
      return sent(await createOpen(ctx, row, attempt, provider, material.payer, subject, timeoutMs), onCreateOpen);
    }
    default:
      throw new Error(`an attempt of kind ${attempt.kind} is not sent for a charge`);
  }
}

function authorization({ row }: Charge, attempt: AttemptRow) {
  const { recurrence } = row.paymentMethod;
  // Guarantee: the request schema lets nothing else into these columns.
  const method = row.paymentType as "credit" | "debit" | "voucher";
  return {
    amount: attempt.amount,
    currency: "BRL" as const,
    capture: false,
    installments: row.installments ?? 1,
    method,
    ...(typeof recurrence === "string" ? { recurrence: recurrence as "initial" | "subsequent" | "unscheduled" } : {}),
    ...(row.statementDescriptor ? { statementDescriptor: row.statementDescriptor } : {}),
    ...(row.threeDSecure2 ? { threeDS: threeDSOf(row) } : {}),
    buyerPresent: recurrence === undefined || recurrence === "initial",
    crossBorder: false,
  };
}

const threeDSOf = ({ threeDSecure2 }: ChargeRow) => ({
  returnUrl: typeof threeDSecure2?.redirectURL === "string" ? threeDSecure2.redirectURL : "",
  requiresLiabilityShift: threeDSecure2?.requiresLiabilityShift === true,
  data: threeDSecure2,
});

function splitLines(charge: Charge, amount: number): { split?: SplitLine[] } {
  if (charge.splits.length === 0) return {};
  const { rules: shares } = splitShares(amount, charge.splits.map(shareRule));
  return {
    split: charge.splits.map((rule, index) => ({
      recipientId: rule.sellerId,
      amount: shares[index] ?? 0,
      liable: rule.liable,
      processingFee: rule.processingFee,
      remainderFee: rule.chargeRemainderFee,
    })),
  };
}

const shareRule = (rule: SplitRow): ShareRule => ({
  ...(rule.percentageBps === null ? { amount: rule.amount ?? 0 } : { bps: rule.percentageBps }),
  chargeRemainderFee: rule.chargeRemainderFee,
  transactionOwner: rule.transactionOwner,
});

async function createOpen(
  ctx: Context,
  row: ChargeRow,
  attempt: AttemptRow,
  provider: RoutedProvider,
  payer: Payer,
  subject: Subject,
  timeoutMs: number,
) {
  const { amount } = row;
  // Read back through the schema that let it in: what the provider gave since is left out.
  const method = newPaymentMethod.parse({ ...row.paymentMethod, paymentType: row.paymentType });
  if (method.paymentType === "pix") {
    const receiver = await receiverOf(ctx, row);
    const { expiresIn: expiresInSec, additionalInfo } = method;
    return call(ctx, provider, attempt, subject, timeoutMs, (adapter, context) =>
      adapter.createPix(context, {
        amount,
        payer,
        receiver,
        expiresInSec,
        ...(additionalInfo ? { additionalInfo } : {}),
      }),
    );
  }
  if (method.paymentType === "boleto") {
    const { instructions, fine, interest, expiresDate } = method;
    if (!expiresDate) throw new Error("a boleto without a due date");
    return call(ctx, provider, attempt, subject, timeoutMs, (adapter, context) =>
      adapter.createBoleto(context, {
        amount,
        payer,
        dueDate: expiresDate,
        ...(instructions ? { instructions } : {}),
        ...(fine ? { fine: onLatePayment(fine) } : {}),
        ...(interest ? { interest: onLatePayment(interest) } : {}),
      }),
    );
  }
  if (method.paymentType === "credit" || method.paymentType === "debit" || method.paymentType === "voucher") {
    throw new Error("a card payment is authorised, not offered");
  }
  return call(ctx, provider, attempt, subject, timeoutMs, (adapter, context) =>
    adapter.createWallet(context, { method: method.paymentType, amount, payer, installments: row.installments ?? 1 }),
  );
}

const onLatePayment = (given: {
  days: number;
  amount?: number | undefined;
  percentage?: number | undefined;
}): BoletoCharge => ({
  days: given.days,
  ...(given.amount === undefined ? {} : { amount: given.amount }),
  ...(given.percentage === undefined ? {} : { percentage: given.percentage }),
});

async function receiverOf(ctx: Context, row: ChargeRow): Promise<{ name: string; city: string }> {
  const [merchant] = await inTransaction(ctx, ({ db }) =>
    db.select().from(merchants).where(eq(merchants.id, row.merchantId)),
  );
  return { name: merchant?.merchantName ?? merchant?.name ?? "TRILHO", city: "SAO PAULO" };
}
