import { charges, transactionRequests } from "@/db/schema/charges";
import { storedRow, withoutNulls } from "@/db/stored";
import { insertion, type Write } from "@/db/writes";
import type { ChargeCommand } from "@/lib/charges/command";
import { CHARGE_LEASE_SECONDS, leaseEnd } from "@/lib/charges/engine/lease";
import type { Charge } from "@/lib/charges/queries";
import { type Context, now } from "@/lib/context";
import { type AttemptRow, attemptRow, type NewAttempt } from "@/lib/payments/attempts";
import type { PaymentType } from "@/lib/payments/methods";
import { routeRecorded } from "@/lib/payments/routing/record";
import { isCardMethod } from "@/lib/providers/capabilities";
import { rulesKept, splitRowsOf } from "@/lib/splits/rows";
import { addSeconds, realNow } from "@/lib/time";

/** An accepted charge, and the writes that make it so. */
export interface Acceptance {
  charge: Charge;
  /** Absent while an analysis decides whether an acquirer hears of the payment at all. */
  attempt: AttemptRow | undefined;
  writes: Write[];
}

/** The charge with its split, its route and its first intent: written by one statement of whoever asks for it. */
export function acceptance(ctx: Context, command: ChargeCommand): Acceptance {
  const { id, amount, method, initiator, route, provider } = command;
  const at = now(ctx);
  const isOfPurchase = initiator.purchaseId !== null;
  const given = {
    description: null,
    statementDescriptor: null,
    orderId: null,
    providerReferenceKey: null,
    fraudAnalysis: null,
    paymentFlow: null,
    threeDSecure2: null,
    appInfo: null,
    vendor: null,
    platformFee: null,
    ...defined(command.said),
    id,
    clientId: ctx.account.id,
    merchantId: command.merchantId,
    customerId: command.customerId,
    sessionId: initiator.sessionId,
    purchaseId: initiator.purchaseId,
    subscriptionId: initiator.subscriptionId,
    status: "pending",
    amount,
    originalAmount: amount,
    currency: command.currency,
    capture: command.capture,
    paymentType: method.paymentType,
    installments: method.installments,
    paymentMethod: method.stored,
    ...command.source,
    hasSplit: command.split.length > 0,
    scenario: initiator.scenario,
    operation: "authorize",
    operationAmount: amount,
    operationBy: isOfPurchase ? "purchase" : "system",
    operationFrom: "pending",
    // A card of a purchase is held by the lease of its operation.
    epoch: isOfPurchase ? 0 : 1,
    requestId: initiator.requestId,
    idempotencyKey: initiator.idempotencyKey,
    createdByKey: initiator.createdByKey,
    createdAt: at,
    updatedAt: at,
  } as const;
  const row = storedRow(charges, {
    ...given,
    // Only the database's clock is compared: this one is for whoever looks at the row in memory.
    leaseUntil: isOfPurchase ? null : addSeconds(realNow(), CHARGE_LEASE_SECONDS),
  });
  const splits = splitRowsOf({ id, clientId: ctx.account.id, createdAt: at }, command.split, command.terms);
  const intent = { chargeId: id, kind: kindOf(method.paymentType), amount, provider };
  const attempt = command.isAnalysedFirst ? undefined : attemptRow(ctx, intent, 1);
  return {
    charge: { row, attempts: attempt ? [attempt] : [], splits, brand: command.brand, paidWith: command.card },
    attempt,
    writes: [
      insertion(charges, { ...given, leaseUntil: isOfPurchase ? null : leaseEnd }),
      ...rulesKept(splits),
      ...(attempt ? [insertion(transactionRequests, withoutNulls(attempt))] : []),
      routeRecorded(ctx, id, route.facts, route.decision),
    ],
  };
}

const defined = <T extends object>(given: T): Partial<T> =>
  // Guarantee: the same object without some of its members.
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;

const kindOf = (paymentType: PaymentType): NewAttempt["kind"] => {
  if (isCardMethod(paymentType)) return "authorize";
  return paymentType === "pix" || paymentType === "boleto" ? paymentType : "wallet";
};
