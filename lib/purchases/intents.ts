import type { Write } from "@/db/writes";
import type { CardRow } from "@/lib/cards/queries";
import { usableCard } from "@/lib/cards/service";
import { refundIntent } from "@/lib/charges/change";
import type { ChargeCommand } from "@/lib/charges/command";
import { reconciling } from "@/lib/charges/engine/apply";
import type { Task } from "@/lib/charges/engine/driver";
import { withRoute } from "@/lib/charges/engine/with-lease";
import { HOLD_ENDS } from "@/lib/charges/history";
import { holdReleasedAt } from "@/lib/charges/holds";
import { partDetailsOf } from "@/lib/charges/parts";
import { type Charge, type ChargeRow, lockWhole } from "@/lib/charges/queries";
import { acceptance } from "@/lib/charges/writers/acceptance";
import { type Context, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { findMerchant } from "@/lib/merchants/queries";
import { nextAttemptRow, plannedAttempt } from "@/lib/payments/attempts";
import { routeChoicesOf } from "@/lib/payments/routing/choices";
import type { RouteDecision } from "@/lib/payments/routing/decide";
import { cardFacts, drawnFacts, type RoutingFacts } from "@/lib/payments/routing/facts";
import { decideMeasured } from "@/lib/payments/routing/measures";
import {
  type ProviderRow,
  providerById,
  providersOf,
  type RoutedProvider,
  toRouted,
} from "@/lib/payments/routing/provider";
import { flowShown, type Route, routeAmong } from "@/lib/payments/routing/record";
import { pipelined } from "@/lib/pipeline";
import type { ClaimedOperation } from "@/lib/purchases/claim";
import { leaveMoves } from "@/lib/purchases/operations";
import type { SlotCall } from "@/lib/purchases/plan";
import type { OperationRow, PaymentRow, Purchase, PurchaseRow } from "@/lib/purchases/queries";
import { movingSlot } from "@/lib/purchases/slots";
import { feeTableOf } from "@/lib/splits/fee-table";
import { partiesOf, routedAmong } from "@/lib/splits/parties";
import type { SellerTerms } from "@/lib/splits/rows";

/** What an intent is made from, read while the answer before it is being written. */
export type Ahead = { slotId: string } & (
  | { call: "authorize"; routed: RouteOrRefusal }
  | { call: Exclude<SlotCall, "authorize">; changed: ToChange }
);

/** Behind the lock of the purchase: nothing of it is changed by what the answer before it writes. */
export async function readAhead(ctx: Context, purchase: Purchase, slot: PaymentRow, call: SlotCall): Promise<Ahead> {
  const slotId = slot.id;
  return call === "authorize"
    ? { slotId, call, routed: await routeOrRefusal(ctx, purchase, slot) }
    : { slotId, call, changed: await readToChange(ctx, purchase, slot) };
}

interface Leaving {
  /** What was decided before leaves in the same statement; none of it is of this slot. */
  before?: readonly Write[];
  ahead?: Ahead | undefined;
}

/**
 * Row S1: the slot gets its charge and its first attempt; row S3 when no provider can ever be asked, and then nothing is
 * written yet.
 */
export async function intendAuthorization(
  ctx: Context,
  { purchase, operation }: ClaimedOperation,
  slot: PaymentRow,
  { before = [], ahead }: Leaving = {},
): Promise<Task | { refused: string }> {
  const isRead = ahead?.call === "authorize" && ahead.slotId === slot.id;
  const routed = isRead ? ahead.routed : await routeOrRefusal(ctx, purchase, slot);
  if ("refused" in routed) return routed;
  const { facts, decision, route, card } = routed;
  const { fraudProvider: _, ...ordered } = route;
  const { providers } = ordered;
  const [provider] = providers;
  if (!provider) return { refused: "provider_not_available" };
  // Asked before: what is written next goes out in one round trip, in its order.
  const shared = await sharedOf(ctx, purchase.row, slot);
  const command = commandOf(purchase, slot, operation, { facts, decision }, provider, shared, card);
  const { charge, attempt, writes } = acceptance(ctx, command);
  if (!attempt) throw new Error("a card of a purchase without its first call");
  const moving = movingSlot(ctx, purchase, slot, "authorize.intended", {
    chargeId: command.id,
    ...tried(operation, slot),
  });
  leaveMoves(ctx, [...before, ...writes, ...moving.writes]);
  return { do: "send", charge: { ...charge, ...ordered, slotIndex: slot.slotIndex }, attempt, provider };
}

const tried = (operation: OperationRow, slot: PaymentRow) => ({
  operationId: operation.id,
  tries: slot.operationId === operation.id ? slot.tries + 1 : 1,
  refused: false,
});

type RouteOrRefusal =
  | { facts: RoutingFacts; decision: RouteDecision; route: Route; card: CardRow }
  | { refused: string };

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
    const rules = slot.splitRules ?? [];
    const [card, choices, parties] = await pipelined([
      usableCard(ctx, slot.cardId ?? ""),
      routeChoicesOf(ctx, row.merchantId, "credit"),
      partiesOf(ctx, row.merchantId, rules),
    ]);
    // Between its order and its card a seller may have been blocked.
    if (rules.some(({ sellerId }) => !parties.has(sellerId))) return { refused: "seller_not_found" };
    const shared = rules.length > 0 ? { recipients: rules.length, ...routedAmong(parties) } : {};
    const facts = { ...factsOf(row, slot), ...drawnFacts(now(ctx), row.id, card.fingerprint), ...shared };
    const decision = await decideMeasured(ctx, facts, choices);
    if (decision.refusal) return { refused: decision.refusal.businessCode };
    return { facts, decision, route: routeAmong(choices.rows, decision), card };
  } catch (thrown) {
    if (thrown instanceof DomainError) return { refused: thrown.businessCode };
    throw thrown;
  }
}

/** Whoever can be asked neither by our reference nor by the same key again is no provider for purchases. */
const factsOf = (row: PurchaseRow, slot: PaymentRow): Omit<RoutingFacts, keyof ReturnType<typeof drawnFacts>> => ({
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

interface Shared {
  terms: ReadonlyMap<string, SellerTerms>;
  /** `platformFee` of the card's charge. */
  platformFee: Record<string, string | number> | null;
}

/** What sellers have to do with the card; nothing where nobody shares in it. */
async function sharedOf(ctx: Context, { merchantId }: PurchaseRow, slot: PaymentRow): Promise<Shared> {
  const rules = slot.splitRules;
  if (!rules) return { terms: new Map(), platformFee: null };
  const { amount, installments } = slot;
  const sale = { merchantId, paymentType: "credit", installments, brand: slot.card?.brand, amount };
  const { applied } = await feeTableOf(ctx, sale, rules);
  return { terms: await partiesOf(ctx, merchantId, rules), platformFee: applied ? { ...applied } : null };
}

/** The card of a purchase as the charge it becomes. */
function commandOf(
  { row: purchase }: Purchase,
  slot: PaymentRow,
  operation: OperationRow,
  route: ChargeCommand["route"],
  provider: RoutedProvider,
  shared: Shared,
  card: CardRow,
): ChargeCommand {
  const { description, statementDescriptor, orderId } = purchase;
  return {
    id: newId(),
    initiator: {
      subscriptionId: null,
      source: "purchase",
      sessionId: purchase.sessionId,
      purchaseId: purchase.id,
      requestId: purchase.requestId,
      idempotencyKey: purchase.idempotencyKey,
      createdByKey: null,
      scenario: operation.scenario ?? purchase.scenario,
    },
    merchantId: purchase.merchantId,
    customerId: purchase.customerId,
    amount: slot.amount,
    currency: purchase.currency,
    capture: purchase.capture,
    method: {
      paymentType: "credit",
      installments: slot.installments,
      stored: { installments: slot.installments },
    },
    source: {
      sourceType: slot.sourceType,
      cardId: slot.cardId,
      holder: slot.holder,
      tokenId: slot.tokenId,
      cvvTokenId: slot.tokenId,
      sourceCustomerId: null,
    },
    card,
    brand: slot.card?.brand,
    split: slot.splitRules ?? [],
    terms: shared.terms,
    route,
    provider,
    isAnalysedFirst: false,
    said: {
      description,
      statementDescriptor,
      orderId,
      paymentFlow: flowShown(route.decision, undefined),
      platformFee: shared.platformFee,
    },
  };
}

/** The charge of a slot with everything the engine needs of it. */
export async function chargeOfSlot(ctx: Context, slot: PaymentRow): Promise<Charge> {
  const known = { cardId: slot.cardId, hasSplit: slot.splitRules !== null };
  const charge = await lockWhole(ctx, slot.chargeId ?? "", known);
  return { ...(await withRoute(ctx, charge)), slotIndex: slot.slotIndex };
}

/** How each intent shows on the charge while its answer is awaited (spec/purchases.md). */
const SHOWN = {
  capture: { fact: "capture.undetermined", event: "capture_pending" },
  void: { fact: "void.undetermined", event: "refund_pending" },
  refund: { fact: "refund.undetermined", event: "refund_pending" },
} as const;

/** The charge of a card that is held or paid, and the providers there are. */
type ToChange = readonly [charge: Charge, present: readonly ProviderRow[]];

const readToChange = (ctx: Context, { row }: Purchase, slot: PaymentRow): Promise<ToChange> =>
  pipelined([chargeOfSlot(ctx, slot), providersOf(ctx, row.merchantId)]);

/** Released because nobody captured it in time; the other cards go with it. */
const isHoldEnd = (ctx: Context, { type, requestedBy }: OperationRow, { expiresAt }: ChargeRow): boolean =>
  type === "void" && requestedBy === "system" && expiresAt !== null && now(ctx) >= holdReleasedAt(expiresAt);

/** Rows S9, S13 and S17. */
export async function intendChange(
  ctx: Context,
  { purchase, operation }: ClaimedOperation,
  slot: PaymentRow,
  call: "capture" | "void" | "refund",
  { before = [], ahead }: Leaving,
): Promise<Task> {
  const isRead = ahead?.call === call && ahead.slotId === slot.id;
  const [charge, present] = isRead ? ahead.changed : await readToChange(ctx, purchase, slot);
  const { row } = charge;
  const there = present.find(({ id }) => id === row.providerId);
  // It took the payment, and may have been removed from the merchant since.
  const provider = there ? toRouted(there) : await providerById(ctx, row.providerId ?? "");
  const { kind, amount, parts } =
    call === "refund"
      ? refundIntent(ctx, charge, {
          amount: operation.amount ?? undefined,
          splitRules: operation.splitRules ?? undefined,
        })
      : { kind: call, amount: row.amount, parts: undefined };
  const { after: shown, writes: showing } = reconciling(ctx, charge, {
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
  const attempt = nextAttemptRow(ctx, charge.attempts, {
    chargeId: row.id,
    kind,
    amount,
    provider,
    transactionId: row.providerTxId,
    ...(isHoldEnd(ctx, operation, row) ? { details: HOLD_ENDS } : partDetailsOf(parts)),
  });
  const moving = movingSlot(ctx, purchase, slot, `${call}.intended`, tried(operation, slot));
  leaveMoves(ctx, [...before, ...showing, plannedAttempt(attempt), ...moving.writes]);
  return { do: "send", charge: { ...shown, attempts: [attempt, ...shown.attempts] }, attempt, provider };
}
