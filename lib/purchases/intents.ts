import { charges } from "@/db/schema/charges";
import { insertReturning } from "@/db/statements";
import { usableCard } from "@/lib/cards/service";
import { refundIntent } from "@/lib/charges/change";
import { applyReconciliation } from "@/lib/charges/engine/apply";
import type { Task } from "@/lib/charges/engine/driver";
import { withRoute } from "@/lib/charges/engine/with-lease";
import { type Charge, lockCharge, withParts } from "@/lib/charges/queries";
import { type Context, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { findMerchant } from "@/lib/merchants/queries";
import { insertAttempt, planNextOf } from "@/lib/payments/attempts";
import { decideRoute, type RouteDecision } from "@/lib/payments/routing/decide";
import { cardFacts, type RoutingFacts } from "@/lib/payments/routing/facts";
import { providerById, providersOf } from "@/lib/payments/routing/provider";
import { type Route, recordRoute, routeAmong } from "@/lib/payments/routing/record";
import { pipelined } from "@/lib/pipeline";
import type { ClaimedOperation } from "@/lib/purchases/claim";
import type { OperationRow, PaymentRow, Purchase, PurchaseRow } from "@/lib/purchases/queries";
import { moveSlot } from "@/lib/purchases/slots";
import { insertSplitRows } from "@/lib/splits/rows";

/** Row S1: the slot gets its charge and its first attempt; row S3 when no provider can ever be asked. */
export async function intendAuthorization(
  ctx: Context,
  { purchase, operation }: ClaimedOperation,
  slot: PaymentRow,
): Promise<Task | { refused: string }> {
  const routed = await routeOrRefusal(ctx, purchase, slot);
  if ("refused" in routed) return routed;
  const { facts, decision, route } = routed;
  const { providers } = route;
  const [provider] = providers;
  if (!provider) return { refused: "provider_not_available" };
  const chargeId = newId();
  const [charge, attempt] = await pipelined([
    insertCharge(ctx, chargeId, purchase, slot, operation),
    insertAttempt(ctx, { chargeId, kind: "authorize", amount: slot.amount, provider }, 1),
    moveSlot(ctx, purchase, slot, "authorize.intended", { chargeId, ...tried(operation, slot) }),
    recordRoute(ctx, chargeId, facts, decision),
  ]);
  return { do: "send", charge: { ...charge, attempts: [attempt], providers }, attempt, provider };
}

const tried = (operation: OperationRow, slot: PaymentRow) => ({
  operationId: operation.id,
  tries: slot.operationId === operation.id ? slot.tries + 1 : 1,
  refused: false,
});

type RouteOrRefusal = { facts: RoutingFacts; decision: RouteDecision; route: Route } | { refused: string };

async function routeOrRefusal(ctx: Context, { row }: Purchase, slot: PaymentRow): Promise<RouteOrRefusal> {
  const { refusal } = slot;
  const [merchant, routed] = await pipelined([
    findMerchant(ctx, row.merchantId, "key share"),
    refusal ? { refused: refusal } : routeSlot(ctx, row, slot),
  ]);
  if (!merchant) return { refused: "merchant_not_owned" };
  return merchant.status ? routed : { refused: "provider_not_available" };
}

async function routeSlot(ctx: Context, row: PurchaseRow, slot: PaymentRow): Promise<RouteOrRefusal> {
  try {
    const [, present] = await pipelined([usableCard(ctx, slot.cardId ?? ""), providersOf(ctx, row.merchantId)]);
    const facts = factsOf(row, slot);
    const decision = decideRoute(facts, present);
    if (decision.refusal) return { refused: decision.refusal.businessCode };
    return { facts, decision, route: routeAmong(present, decision) };
  } catch (thrown) {
    if (thrown instanceof DomainError) return { refused: thrown.businessCode };
    throw thrown;
  }
}

/** Whoever can be asked neither by our reference nor by the same key again is no provider for purchases. */
const factsOf = (row: PurchaseRow, slot: PaymentRow): RoutingFacts => ({
  source: "purchase",
  method: "credit",
  amount: slot.amount,
  currency: row.currency,
  installments: slot.installments,
  split: slot.splitRules ? "amount" : false,
  threeDS: false,
  authOnly: true,
  queryable: true,
  ...cardFacts("credit", slot.card),
  ...(row.customerId ? { customerId: row.customerId } : {}),
});

async function insertCharge(
  ctx: Context,
  id: string,
  { row: purchase }: Purchase,
  slot: PaymentRow,
  operation: OperationRow,
): Promise<Charge> {
  const at = now(ctx);
  const values = {
    id,
    clientId: ctx.account.id,
    merchantId: purchase.merchantId,
    customerId: purchase.customerId,
    sessionId: purchase.sessionId,
    purchaseId: purchase.id,
    status: "pending",
    amount: slot.amount,
    originalAmount: slot.amount,
    currency: purchase.currency,
    capture: purchase.capture,
    description: purchase.description,
    statementDescriptor: purchase.statementDescriptor,
    orderId: purchase.orderId,
    paymentType: "credit",
    installments: slot.installments,
    paymentMethod: { installments: slot.installments },
    sourceType: slot.sourceType,
    cardId: slot.cardId,
    tokenId: slot.tokenId,
    cvvTokenId: slot.tokenId,
    hasSplit: slot.splitRules !== null,
    scenario: operation.scenario ?? purchase.scenario,
    operation: "authorize",
    operationAmount: slot.amount,
    operationBy: "purchase",
    operationFrom: "pending",
    requestId: purchase.requestId,
    idempotencyKey: purchase.idempotencyKey,
    createdAt: at,
    updatedAt: at,
  } as const;
  const [[row], splits] = await pipelined([
    insertReturning(ctx.db, charges, [values]),
    insertSplitRows(ctx, values, slot.splitRules ?? []),
  ]);
  if (!row) throw new Error("the charge of a card was not written");
  return { row, attempts: [], splits, brand: slot.card?.brand, slotIndex: slot.slotIndex };
}

/** The charge of a slot with everything the engine needs of it. */
export async function chargeOfSlot(ctx: Context, slot: PaymentRow): Promise<Charge> {
  const row = await lockCharge(ctx, slot.chargeId ?? "");
  return { ...(await withRoute(ctx, await withParts(ctx, row))), slotIndex: slot.slotIndex };
}

/** How each intent shows on the charge while its answer is awaited (spec/purchases.md). */
const SHOWN = {
  capture: { fact: "capture.undetermined", event: "capture_pending" },
  void: { fact: "void.undetermined", event: "refund_pending" },
  refund: { fact: "refund.undetermined", event: "refund_pending" },
} as const;

/** Rows S9, S13 and S17. */
export async function intendChange(
  ctx: Context,
  { purchase, operation }: ClaimedOperation,
  slot: PaymentRow,
  call: "capture" | "void" | "refund",
): Promise<Task> {
  const charge = await chargeOfSlot(ctx, slot);
  const { row } = charge;
  const { kind, amount } =
    call === "refund"
      ? refundIntent(ctx, charge, { amount: operation.amount ?? undefined })
      : { kind: call, amount: row.amount };
  const showing = applyReconciliation(ctx, charge, {
    fact: SHOWN[call].fact,
    charge: {
      operation: call,
      operationAmount: amount,
      operationBy: "purchase",
      operationFrom: row.status,
      ...(operation.scenario ? { scenario: operation.scenario } : {}),
    },
    events: [SHOWN[call].event],
    journals: [],
    jobs: [],
    history: [],
    sendBack: [],
  });
  const [shown, provider] = await pipelined([showing, providerById(ctx, row.providerId ?? "")]);
  const [attempt] = await pipelined([
    planNextOf(ctx, charge.attempts, { chargeId: row.id, kind, amount, provider, transactionId: row.providerTxId }),
    moveSlot(ctx, purchase, slot, `${call}.intended`, tried(operation, slot)),
  ]);
  return { do: "send", charge: { ...shown, attempts: [attempt, ...shown.attempts] }, attempt, provider };
}
