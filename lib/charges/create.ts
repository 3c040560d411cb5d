import { charges } from "@/db/schema/charges";
import { insertReturning } from "@/db/statements";
import { optionsOf } from "@/lib/antifraud/analysis";
import { type CivilDate, daysBetween, saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { CardRow } from "@/lib/cards/queries";
import { chargeTakenOver } from "@/lib/charges/answer";
import { insertAnalysis, judge } from "@/lib/charges/engine/analyse";
import type { CardMaterial } from "@/lib/charges/engine/card-material";
import { driveCharge } from "@/lib/charges/engine/driver";
import { LeaseLost, leaseEnd } from "@/lib/charges/engine/lease";
import { checkMethod, type MethodOfCharge } from "@/lib/charges/method-rules";
import type { Charge } from "@/lib/charges/queries";
import type { NewCharge } from "@/lib/charges/schema";
import { resolveSource } from "@/lib/charges/source";
import { type Context, inTransaction, now, publicKeyOf } from "@/lib/context";
import { getCustomer } from "@/lib/customers/service";
import { DomainError } from "@/lib/errors";
import { claimKey } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { findMerchant, type MerchantRow } from "@/lib/merchants/queries";
import { type AttemptRow, insertAttempt, type NewAttempt } from "@/lib/payments/attempts";
import { decideRoute } from "@/lib/payments/routing/decide";
import { cardFacts, type PaymentSourceKind, type RoutingFacts } from "@/lib/payments/routing/facts";
import { providersOf, type RoutedProvider } from "@/lib/payments/routing/provider";
import { recordRoute, routeAmong } from "@/lib/payments/routing/record";
import { pipelined } from "@/lib/pipeline";
import { checkSplit, modeOf } from "@/lib/splits/check";
import { insertSplitRows } from "@/lib/splits/rows";

/** Where a charge comes from that is not asked for by the shop's own server. */
export interface Origin {
  source: PaymentSourceKind;
  sessionId?: string;
  /** Before anything is looked up or written: takes the place of the payment, or refuses. */
  claim?(ctx: Context): Promise<unknown>;
  /** Once the charge is written, still in its transaction. */
  alongside?: ((ctx: Context, payment: { chargeId: string }) => Promise<void>) | undefined;
}

interface Accepted {
  charge: Charge;
  /** Absent while an analysis decides whether an acquirer hears of the payment at all. */
  attempt: AttemptRow | undefined;
  provider: RoutedProvider;
  card: CardRow | undefined;
}

/**
 * Accepts the charge with its first intent in one transaction, pays it while the client waits, and answers what is
 * then known: a charge without an outcome is pending, and queries settle it (spec/contract.md section 8).
 */
export async function createCharge(ctx: Context, input: NewCharge, origin?: Origin): Promise<Charge> {
  const id = newId();
  const accepted = await inTransaction(ctx, (inside) => accept(inside, id, input, origin));
  try {
    return await carryOut(ctx, accepted);
  } catch (thrown) {
    if (!(thrown instanceof LeaseLost)) throw thrown;
    return chargeTakenOver(ctx, id);
  }
}

async function carryOut(ctx: Context, { charge, attempt, provider, card }: Accepted): Promise<Charge> {
  const material: CardMaterial = card ? { saved: card } : {};
  return attempt
    ? driveCharge(ctx, { do: "send", charge, attempt, provider }, { material })
    : payWhenApproved(ctx, charge, provider, material);
}

/** Analyse, then charge (spec/contract.md 8.6). */
async function payWhenApproved(
  ctx: Context,
  accepted: Charge,
  provider: RoutedProvider,
  material: CardMaterial,
): Promise<Charge> {
  const { charge, attempt } = await judge(ctx, accepted, provider, material);
  return attempt ? driveCharge(ctx, { do: "send", charge, attempt, provider }, { material }) : charge;
}

async function accept(ctx: Context, id: string, input: NewCharge, origin: Origin | undefined): Promise<Accepted> {
  const { idempotency, account } = ctx;
  const at = now(ctx);
  const [, merchant] = await pipelined([
    idempotency && claimKey(ctx.db, account.id, idempotency, { resourceId: id }, at),
    findMerchant(ctx, input.merchantId, "key share"),
  ]);
  await origin?.claim?.(ctx);
  const method = checkMethod(ctx, input);
  const rules = input.splitRules ?? [];
  if (rules.length > 0) checkSplit(rules, input.amount);
  refuseUnpayable(merchant);
  const customer = input.customerId ? await getCustomer(ctx, input.customerId) : undefined;
  if (input.vendor) throw new DomainError("vendor_not_found", "the vendor does not exist");
  const known = {
    ...factsOf(input, method, modeOf(rules), saoPauloDay(at)),
    ...(rules.length > 0 ? { recipients: rules.length } : {}),
    source: origin?.source ?? "api",
    ...(customer ? { country: customer.address?.country ?? customer.documentCountry } : {}),
  } as const;
  const resolve = () => resolveSource(ctx, id, input.paymentSource, method.isCard);
  // Other sources may write to the vault, which no rollback undoes: only once somebody can take the payment.
  const [present, early] = await pipelined([
    providersOf(ctx, input.merchantId),
    input.paymentSource.sourceType === "token" ? resolve() : undefined,
  ]);
  const { refusal } = decideRoute(known, present);
  if (refusal) throw refusal;
  const source = early ?? (await resolve());
  const facts: RoutingFacts = { ...known, ...cardFacts(method.paymentType, source.card) };
  const decision = decideRoute(facts, present);
  const { providers, fraudProvider: analyst } = routeAmong(present, decision);
  const [provider] = providers;
  if (!provider) throw decision.refusal ?? new Error("a route that leads nowhere, refused for no reason");
  const newRow = {
    id,
    clientId: account.id,
    merchantId: input.merchantId,
    customerId: input.customerId ?? null,
    sessionId: origin?.sessionId ?? null,
    status: "pending",
    amount: input.amount,
    originalAmount: input.amount,
    currency: input.currency,
    capture: method.capture,
    description: input.description ?? null,
    statementDescriptor: input.statementDescriptor ?? null,
    orderId: input.orderId ?? null,
    providerReferenceKey: input.providerReferenceKey ?? null,
    paymentType: method.paymentType,
    installments: method.isCard ? method.installments : null,
    paymentMethod: method.stored,
    ...source.columns,
    fraudAnalysis: input.fraudAnalysis ?? null,
    paymentFlow: input.paymentFlow ?? null,
    threeDSecure2: input.threeDSecure2 ?? null,
    appInfo: input.appInfo ?? null,
    hasSplit: rules.length > 0,
    scenario: ctx.scenario ?? null,
    operation: "authorize",
    operationAmount: input.amount,
    operationBy: "system",
    operationFrom: "pending",
    leaseUntil: leaseEnd,
    epoch: 1,
    requestId: ctx.requestId,
    idempotencyKey: idempotency?.key ?? null,
    createdByKey: publicKeyOf(ctx) ?? null,
    createdAt: at,
    updatedAt: at,
  } as const;
  const isAnalysedFirst = analyst !== undefined && optionsOf(analyst).runBeforeCharge;
  const intent = { chargeId: id, kind: firstKind(method), amount: input.amount, provider };
  const [[row], splits, attempt] = await pipelined([
    insertReturning(ctx.db, charges, [newRow]),
    insertSplitRows(ctx, newRow, rules),
    isAnalysedFirst ? undefined : insertAttempt(ctx, intent, 1),
    recordRoute(ctx, id, facts, decision),
  ]);
  if (!row) throw new Error("the charge was not written");
  await origin?.alongside?.(ctx, { chargeId: id });
  const attempts = attempt ? [attempt] : [];
  const charge: Charge = { row, attempts, splits, brand: source.card?.brand, providers, analyst };
  if (!analyst || attempt) return { charge, attempt, provider, card: source.card };
  const analysis = await insertAnalysis(ctx, charge, analyst, "planned");
  return { charge: { ...charge, attempts: [analysis] }, attempt: undefined, provider, card: source.card };
}

/** What is known of the payment before its card is. */
function factsOf(input: NewCharge, method: MethodOfCharge, split: RoutingFacts["split"], today: CivilDate) {
  const { recurrence, expiresIn, expiresDate } = method.stored;
  return {
    method: method.paymentType,
    amount: input.amount,
    currency: input.currency,
    installments: method.installments,
    split,
    threeDS: input.threeDSecure2 !== undefined,
    authOnly: method.isCard && !input.capture,
    fraudAnalysis: method.isCard,
    ...(input.customerId ? { customerId: input.customerId } : {}),
    ...(typeof recurrence === "string" ? { recurrence } : {}),
    ...(typeof expiresIn === "number" ? { expiresInSec: expiresIn } : {}),
    ...(typeof expiresDate === "string" ? { dueInDays: daysBetween(today, expiresDate) } : {}),
    ...(input.paymentFlow ? { metadata: input.paymentFlow.metadata } : {}),
  };
}

const firstKind = ({ isCard, paymentType }: { isCard: boolean; paymentType: string }): NewAttempt["kind"] =>
  isCard ? "authorize" : paymentType === "pix" || paymentType === "boleto" ? paymentType : "wallet";

function refuseUnpayable(merchant: MerchantRow | undefined): void {
  if (!merchant) throw new DomainError("merchant_not_found", "the merchant does not exist");
  if (!merchant.status) throw new DomainError("provider_not_available", "the merchant is inactive");
}
