import { onAuthorize, onMissingShift } from "@/lib/charges/engine/authorize";
import { onCapture } from "@/lib/charges/engine/capture";
import { namesFirstPayment } from "@/lib/charges/engine/card-credential";
import type { CardMaterial } from "@/lib/charges/engine/card-material";
import { isDangling, onDanglingVoid } from "@/lib/charges/engine/dangling-authorization";
import type { Decision, Situation } from "@/lib/charges/engine/decision";
import { hasOther } from "@/lib/charges/engine/failover";
import { onCancelOpen, onCreateOpen } from "@/lib/charges/engine/pending-payment";
import { onRefund } from "@/lib/charges/engine/refund";
import { keepCvvForReplays } from "@/lib/charges/engine/replay";
import { instructionOf, requestOf } from "@/lib/charges/engine/request";
import { onSurplusRefund, surplusOf } from "@/lib/charges/engine/surplus";
import { onVoid } from "@/lib/charges/engine/void-authorization";
import { challengeOf, challengeStepOf, isAnalysis, knownRefunds, returnOf } from "@/lib/charges/history";
import { type Charge, slotIndexOf } from "@/lib/charges/queries";
import type { Context } from "@/lib/context";
import type { AttemptRow } from "@/lib/payments/attempts";
import { type CallSubject, call, callTimeoutMs } from "@/lib/payments/call";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import type { CallContext, CardAuth, Decline, Outcome, PaymentProvider } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";
import { lacksShift } from "@/lib/three-ds/liability";

export interface Performed {
  /** What the answer means, once the situation is known. */
  decide(situation: Situation): Decision;
  kind: Outcome<unknown>["kind"];
  /** The issuer asks the buyer for one thing more. */
  asksBuyer?: boolean;
  /** The decline of an authorization, which another provider may be asked to do better. */
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
  const { row } = charge;
  const request = await requestOf(ctx, charge, attempt, material);
  const send = async <T>(
    on: (situation: Situation, outcome: Outcome<T>) => Decision,
    sends: (adapter: PaymentProvider, context: CallContext) => Promise<Outcome<T>>,
  ): Promise<Performed> => {
    const subject = { ...subjectOf(charge), hasOther: hasOther(charge, attempt) };
    const { result, responseMs } = await call(ctx, provider, attempt, subject, timeoutMs, sends);
    return {
      decide: (situation) => on(situation, result),
      kind: result.kind,
      ...(result.kind === "declined" ? { decline: result } : {}),
      isUnsent: result.kind === "not_sent",
      responseMs,
    };
  };
  switch (request.operation) {
    case "authorize":
      if (lacksShift(row.threeDSecure2) || isUnasked(charge)) {
        return { decide: onMissingShift, kind: "rejected", isUnsent: false, responseMs: 0 };
      }
      await keepCvvForReplays(ctx, charge, attempt);
      return send(
        namesFirstPayment(row) && !request.input.networkTransactionId ? onUnnamed : onAuthorize,
        (adapter, context) => adapter.authorize(context, request.input),
      );
    case "capture":
      return send(onCapture, (adapter, context) => received(adapter, adapter.capture(context, request.input)));
    case "void":
      return send(
        isDangling(attempt) ? onDanglingVoid : row.operation === "refund" ? onRefund : onVoid,
        (adapter, context) => received(adapter, adapter.void(context, request.input)),
      );
    case "refund":
      return send(surplusOf(attempt) ? onSurplusRefund : onRefund, (adapter, context) =>
        received(adapter, adapter.refund(context, request.input)),
      );
    case "cancel_open":
      return send(onCancelOpen, (adapter, context) => received(adapter, adapter.cancelOpen(context, request.input)));
    case "pix":
      return send(onCreateOpen, (adapter, context) => adapter.createPix(context, request.input));
    case "boleto":
      return send(onCreateOpen, (adapter, context) => adapter.createBoleto(context, request.input));
    case "wallet":
      return send(onCreateOpen, (adapter, context) => adapter.createWallet(context, request.input));
  }
}

/** Sent without the network's id of the first payment, since none is known: the history says so. */
function onUnnamed(situation: Situation, outcome: Outcome<CardAuth>): Decision {
  const decided = onAuthorize(situation, outcome);
  if (outcome.kind !== "approved") return decided;
  return { ...decided, attempt: { ...decided.attempt, requestStatusReason: "no_network_id" } };
}

export const subjectOf = (charge: Charge): CallSubject => {
  const { row, analyst, attempts } = charge;
  return {
    chargeId: row.id,
    scenario: row.scenario,
    requestId: row.requestId,
    clientCall: row.operationBy === "client" && row.purchaseId === null,
    analysisFollows: analyst !== undefined || attempts.some(isAnalysis),
    refunds: knownRefunds(charge),
    ...slotIndexOf(charge),
    ...instructionOf(row),
  };
};

/** Goes on with an authorization whose challenge is over, at kinds that wait to be told; undefined at the others. */
export async function performContinuation(
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  provider: RoutedProvider,
): Promise<Performed | undefined> {
  const details = returnOf(charge);
  const providerTxId = attempt.transactionId;
  if (attempt.kind !== "authorize" || details === undefined || providerTxId === null) return undefined;
  if (!providerFor(provider.kind).continueAuthentication) return undefined;
  const request = await requestOf(ctx, charge, attempt, {});
  if (request.operation !== "authorize") return undefined;
  const { kept } = challengeStepOf(challengeOf(charge));
  const { result, responseMs } = await call<CardAuth>(
    ctx,
    provider,
    attempt,
    subjectOf(charge),
    callTimeoutMs(attempt),
    async (adapter, context) =>
      (await adapter.continueAuthentication?.(context, {
        providerTxId,
        details,
        ...(kept ? { kept } : {}),
        payment: request.input,
      })) ?? {
        kind: "rejected",
        problem: "unsupported",
        detail: "no challenge to continue",
      },
  );
  return {
    decide: (situation) => onAuthorize(situation, result),
    kind: result.kind,
    asksBuyer: result.kind === "pending" && result.nextAction !== undefined,
    isUnsent: false,
    responseMs,
  };
}

/** Where modifications are asynchronous, an approval says that the request was received: how it ended is told later. */
async function received<T>({ capabilities }: PaymentProvider, sent: Promise<Outcome<T>>): Promise<Outcome<T>> {
  const outcome = await sent;
  if (outcome.kind !== "approved" || capabilities.modifications === "sync") return outcome;
  const { providerTxId, nextEventAt, raw } = outcome;
  return { kind: "pending", providerTxId, pollAfterMs: 0, ...(nextEventAt ? { nextEventAt } : {}), raw };
}

/** The flow asks for a challenge, and the request brought nothing to ask for one with. */
const isUnasked = ({ row, challenge }: Charge): boolean => challenge === "required" && row.threeDSecure2 === null;
