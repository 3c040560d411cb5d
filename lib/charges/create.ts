import { type Write, writeTogether } from "@/db/writes";
import { optionsOf } from "@/lib/antifraud/analysis";
import { type CivilDate, daysBetween, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { chargeTakenOver } from "@/lib/charges/answer";
import type { ChargeCommand, Initiator } from "@/lib/charges/command";
import { analyseFraud, insertAnalysis } from "@/lib/charges/engine/analyse";
import type { CardMaterial } from "@/lib/charges/engine/card-material";
import { driveCharge } from "@/lib/charges/engine/driver";
import { LeaseLost } from "@/lib/charges/engine/lease";
import { checkMethod, type MethodOfCharge } from "@/lib/charges/method-rules";
import { chargePlanOf } from "@/lib/charges/outcome";
import type { Charge } from "@/lib/charges/queries";
import type { NewCharge } from "@/lib/charges/schema";
import { type FoundSource, isKnownBefore, namedBy, resolveSource } from "@/lib/charges/source";
import { acceptance } from "@/lib/charges/writers/acceptance";
import { lookUpPayment } from "@/lib/charges/writers/look-up";
import { type Context, inOneStatement, inTransaction, now, publicKeyOf } from "@/lib/context";
import { type CustomerRow, findCustomer } from "@/lib/customers/queries";
import { DomainError, RequestError } from "@/lib/errors";
import type { ChallengeMode } from "@/lib/flows/rules/nodes";
import { claiming, claimKey } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { findMerchant, type MerchantRow, merchantKept } from "@/lib/merchants/queries";
import type { AttemptRow } from "@/lib/payments/attempts";
import { type Choices, routeChoicesOf } from "@/lib/payments/routing/choices";
import { decideRoute } from "@/lib/payments/routing/decide";
import { cardFacts, drawnFacts, type PaymentSourceKind, type RoutingFacts } from "@/lib/payments/routing/facts";
import { decideMeasured } from "@/lib/payments/routing/measures";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import { flowShown, type Route, routeAmong } from "@/lib/payments/routing/record";
import { pipelined } from "@/lib/pipeline";
import { holdToPlan } from "@/lib/plans/hash";
import type { PixInstruction } from "@/lib/providers/provider";
import { checkSplit, modeOf } from "@/lib/splits/check";
import { recipientsOf, routedAmong } from "@/lib/splits/parties";
import { priceKnown } from "@/lib/splits/price";
import { type SplitTerms, splitTermsOf } from "@/lib/splits/terms";
import { notUsable, TAKEN } from "@/lib/tokens/service";
import { requireVendor } from "@/lib/vendors/service";

/** Where a charge comes from that is not asked for by the shop's own server. */
export interface ChargeOrigin {
  source: PaymentSourceKind;
  sessionId?: string;
  subscriptionId?: string;
  /** Of a Pix under a mandate: it is paid by the provider that has the mandate, or by nobody. */
  mandated?: { providerId: string; instruction?: PixInstruction };
  /** Before anything is looked up or written: takes the place of the payment, or refuses. */
  claim?(ctx: Context): Promise<unknown>;
  /** What is written with the charge, behind it, in the same statement. */
  writes?: readonly Write[];
  /** Once the charge is written, still in its transaction. */
  alongside?: ((ctx: Context, payment: { chargeId: string }) => Promise<void>) | undefined;
}

export interface AcceptedCharge {
  charge: Charge;
  /** Absent while an analysis decides whether an acquirer hears of the payment at all. */
  attempt: AttemptRow | undefined;
  provider: RoutedProvider;
}

/**
 * Accepts the charge with its first intent in one transaction, pays it while the client waits, and answers what is
 * then known: a charge without an outcome is pending, and queries settle it (spec/contract.md section 8).
 */
export async function createCharge(ctx: Context, input: NewCharge, origin?: ChargeOrigin): Promise<Charge> {
  const id = newId();
  const accepted =
    (await acceptAlone(ctx, id, input, origin)) ??
    (await inTransaction(ctx, async (inside) => {
      const made = await acceptCharge(inside, id, input, origin);
      await holdToPlan(inside, (planning) => chargePlanOf(planning, made));
      return made;
    }));
  return payAccepted(ctx, accepted);
}

/** Pays what was accepted in a transaction that is committed by now. */
export async function payAccepted(ctx: Context, accepted: AcceptedCharge): Promise<Charge> {
  try {
    return await carryOut(ctx, accepted);
  } catch (thrown) {
    if (!(thrown instanceof LeaseLost)) throw thrown;
    return chargeTakenOver(ctx, accepted.charge.row.id);
  }
}

const carryOut = (ctx: Context, { charge, attempt, provider }: AcceptedCharge): Promise<Charge> =>
  attempt ? driveCharge(ctx, { do: "send", charge, attempt, provider }) : payWhenApproved(ctx, charge, provider, {});

/** Analyse, then charge (spec/contract.md 8.6). */
async function payWhenApproved(
  ctx: Context,
  accepted: Charge,
  provider: RoutedProvider,
  material: CardMaterial,
): Promise<Charge> {
  const { charge, attempt } = await analyseFraud(ctx, accepted, provider, material);
  return attempt ? driveCharge(ctx, { do: "send", charge, attempt, provider }, { material }) : charge;
}

/**
 * In two round trips: one looks everything up, one writes all of it or nothing. Undefined where that is not enough, or
 * where anything is refused: what is said then is found out in a transaction.
 */
async function acceptAlone(
  ctx: Context,
  id: string,
  input: NewCharge,
  origin: ChargeOrigin | undefined,
): Promise<AcceptedCharge | undefined> {
  const { idempotency, account } = ctx;
  if (ctx.isInTransaction || ctx.planHash || ctx.merchants || origin || !isKnownBefore(ctx, input)) return undefined;
  const { tokenId = null, cardId = null } = namedBy(input.paymentSource);
  const { namespace = null, key = null } = idempotency ?? {};
  const { paymentType } = input.paymentMethod;
  const [found, shared] = await Promise.all([
    lookUpPayment(ctx.db, account.id, [
      input.merchantId,
      tokenId,
      cardId,
      input.customerId ?? null,
      namespace,
      key,
      paymentType,
    ]),
    splitTermsOf(ctx, input.merchantId, input.splitRules ?? [], paymentType),
  ]);
  if (found.claim.length > 0 || found.flow.length > 0) return undefined;
  const [merchant, customer, token, card] = [found.merchant[0], found.customer[0], found.token[0], found.card[0]];
  const commanded = await commandOf(ctx, id, input, {
    merchant,
    choices: { rows: found.provider, flow: undefined, elsewhere: new Map() },
    origin,
    shared,
    customer,
    found: { token, card },
  }).catch(unlessRefused);
  if (!commanded || commanded.command.isAnalysedFirst) return undefined;
  const { command, route, analyst, known, writes } = commanded;
  const { charge, attempt, writes: own } = acceptance(ctx, command);
  const written = await inOneStatement(ctx, [
    ...(idempotency ? [claiming(account.id, idempotency, { resourceId: id }, now(ctx), { isMust: true })] : []),
    merchantKept(ctx, input.merchantId, { isMust: true }),
    ...writes.map((write) => (write.as === TAKEN ? { ...write, isMust: true } : write)),
    ...own,
  ]);
  return written && { charge: { ...charge, ...route, analyst, ...known }, attempt, provider: command.provider };
}

const unlessRefused = (thrown: unknown): undefined => {
  if (!(thrown instanceof DomainError || thrown instanceof RequestError)) throw thrown;
};

/** Writes the charge with its first intent in the caller's transaction; nothing is sent yet. */
export async function acceptCharge(
  ctx: Context,
  id: string,
  input: NewCharge,
  origin: ChargeOrigin | undefined,
): Promise<AcceptedCharge> {
  const { idempotency, account } = ctx;
  const { paymentType } = input.paymentMethod;
  const [, merchant, choices, shared, customer] = await pipelined([
    idempotency && claimKey(ctx.db, account.id, idempotency, { resourceId: id }, now(ctx)),
    findMerchant(ctx, input.merchantId, "key share"),
    routeChoicesOf(ctx, input.merchantId, paymentType),
    splitTermsOf(ctx, input.merchantId, input.splitRules ?? [], paymentType),
    input.customerId ? findCustomer(ctx, input.customerId) : undefined,
  ]);
  await origin?.claim?.(ctx);
  const { command, route, analyst, known, writes } = await commandOf(ctx, id, input, {
    merchant,
    choices: among(choices, origin),
    origin,
    shared,
    customer,
  });
  const { charge: made, attempt, writes: own } = acceptance(ctx, command);
  const charge = { ...made, ...route, analyst, ...known };
  const all = [...writes, ...own, ...(origin?.writes ?? [])];
  const rows = await writeTogether(ctx.db, all);
  if (all.some(({ as }, index) => as === TAKEN && rows[index] !== 1)) throw notUsable();
  await origin?.alongside?.(ctx, { chargeId: id });
  const { provider } = command;
  if (!analyst || attempt) return { charge, attempt, provider };
  const analysis = await insertAnalysis(ctx, charge, analyst, "planned");
  return { charge: { ...charge, attempts: [analysis] }, attempt: undefined, provider };
}

const instructed = (origin: ChargeOrigin | undefined) => {
  const instruction = origin?.mandated?.instruction;
  return instruction ? { instruction: { ...instruction } } : {};
};

/** A mandate leaves nothing to choose. */
const among = (choices: Choices, origin: ChargeOrigin | undefined): Choices =>
  origin?.mandated
    ? {
        rows: choices.rows.filter(({ id }) => id === origin.mandated?.providerId),
        flow: undefined,
        elsewhere: new Map(),
      }
    : choices;

interface Known {
  merchant: MerchantRow | undefined;
  choices: Choices;
  origin: ChargeOrigin | undefined;
  /** Who shares in it, and at which prices. */
  shared: SplitTerms;
  /** Of whom the request names; undefined where there is none. */
  customer: CustomerRow | undefined;
  /** Looked up already. */
  found?: FoundSource;
}

interface Commanded {
  command: ChargeCommand;
  route: Omit<Route, "fraudProvider">;
  analyst: RoutedProvider | undefined;
  /** What was looked up of its buyer, and of those who share in it. */
  known: Pick<Charge, "customer" | "recipients" | "prices">;
  /** What its source writes, in the statement that makes the charge. */
  writes: readonly Write[];
}

/** From the wire to the command: checked, looked up and routed; refused where nobody can take the payment. */
async function commandOf(ctx: Context, id: string, input: NewCharge, known: Known): Promise<Commanded> {
  const { merchant, choices, origin, shared, customer, found } = known;
  const { parties } = shared;
  const method = checkMethod(ctx, input);
  const rules = input.splitRules ?? [];
  if (rules.length > 0) checkSplit(rules, input.amount, parties);
  refuseUnpayable(merchant);
  if (input.customerId && !customer) throw new DomainError("customer_not_found", "the customer does not exist");
  const vendor = await requireVendor(ctx, input.vendor);
  const early = {
    ...factsOf(input, method, modeOf(rules), saoPauloDay(now(ctx))),
    ...(rules.length > 0 ? { recipients: rules.length, ...routedAmong(parties) } : {}),
    source: origin?.source ?? "api",
    ...(customer ? { country: customer.address?.country ?? customer.documentCountry } : {}),
  } as const;
  // A source may write to the vault, which no rollback undoes: only once somebody can take the payment.
  const { refusal } = decideRoute(early, choices.rows);
  if (refusal) throw refusal;
  const source = await resolveSource(ctx, id, input.paymentSource, method.isCard, found);
  const buyer = source.card?.fingerprint ?? customer?.id ?? source.columns.sourceCustomerId ?? undefined;
  const facts: RoutingFacts = {
    ...early,
    ...cardFacts(method.paymentType, source.card),
    ...drawnFacts(now(ctx), id, buyer),
  };
  const decision = await decideMeasured(ctx, facts, choices);
  const { fraudProvider: analyst, ...route } = routeAmong(choices.rows, decision);
  const [provider] = route.providers;
  if (!provider) throw decision.refusal ?? new Error("a route that leads nowhere, refused for no reason");
  const platformFee =
    rules.length > 0
      ? priceKnown(ctx, { ...priceable(input, method), brand: source.card?.brand }, rules, shared)
      : null;
  const { merchantId, amount, currency } = input;
  const { description, statementDescriptor, orderId, providerReferenceKey } = input;
  const { fraudAnalysis, appInfo } = input;
  const command: ChargeCommand = {
    id,
    initiator: initiatorOf(ctx, early.source, origin),
    merchantId,
    customerId: input.customerId ?? null,
    amount,
    currency,
    capture: method.capture,
    method: {
      paymentType: method.paymentType,
      installments: method.isCard ? method.installments : null,
      stored: { ...method.stored, ...instructed(origin) },
    },
    source: source.columns,
    card: source.card,
    brand: source.card?.brand,
    split: rules,
    terms: parties,
    route: { facts, decision },
    provider,
    isAnalysedFirst: analyst !== undefined && optionsOf(analyst).runBeforeCharge,
    said: {
      description,
      statementDescriptor,
      orderId,
      providerReferenceKey,
      fraudAnalysis,
      paymentFlow: flowShown(decision, input.paymentFlow),
      threeDSecure2: asAsked(input.threeDSecure2, decision.challenge),
      appInfo,
      platformFee,
      ...(vendor ? { vendor: { ...vendor } } : {}),
    },
  };
  const sharing = rules.length > 0 ? { recipients: recipientsOf(parties), prices: shared.prices } : {};
  return { command, route, analyst, known: { customer, ...sharing }, writes: source.writes };
}

const initiatorOf = (ctx: Context, source: PaymentSourceKind, origin: ChargeOrigin | undefined): Initiator => ({
  source,
  sessionId: origin?.sessionId ?? null,
  purchaseId: null,
  subscriptionId: origin?.subscriptionId ?? null,
  requestId: ctx.requestId,
  idempotencyKey: ctx.idempotency?.key ?? null,
  createdByKey: publicKeyOf(ctx) ?? null,
  scenario: ctx.scenario ?? null,
});

/** What is known of the payment before its card is. */
function factsOf(input: NewCharge, method: MethodOfCharge, split: RoutingFacts["split"], today: CivilDate) {
  const { recurrence, expiresIn, expiresDate, fine, interest } = method.stored;
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
    ...(fine || interest ? { hasLateCharges: true } : {}),
    ...(input.paymentFlow ? { metadata: input.paymentFlow.metadata } : {}),
  };
}

/** The flow says whether the issuer may challenge the buyer, where the request brought what that needs. */
const asAsked = (given: NewCharge["threeDSecure2"], challenge: ChallengeMode | null | undefined) =>
  given && challenge && !given.mpi ? { ...given, dataOnly: challenge === "data_only" } : (given ?? null);

const priceable = ({ merchantId, amount }: NewCharge, { paymentType, installments }: MethodOfCharge) => ({
  merchantId,
  amount,
  paymentType,
  installments,
});

function refuseUnpayable(merchant: MerchantRow | undefined): void {
  if (!merchant) throw new DomainError("merchant_not_found", "the merchant does not exist");
  if (!merchant.status) throw new DomainError("provider_not_available", "the merchant is inactive");
}
