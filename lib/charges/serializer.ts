import type { z } from "zod";
import type { Charge, ChargeRow } from "@/lib/charges/queries";
import { chargeBody } from "@/lib/charges/schema";
import { env } from "@/lib/env";
import { bpsToPercent } from "@/lib/money";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { SplitRow } from "@/lib/splits/rows";

type ChargeBody = z.input<typeof chargeBody>;

/** The only place where a charge becomes a wire object. */
export function serializeCharge({ row, attempts, splits }: Charge): ChargeBody {
  return {
    id: row.id,
    clientId: row.clientId,
    merchantId: row.merchantId,
    customerId: row.customerId ?? row.sourceCustomerId,
    sessionId: row.sessionId,
    purchaseId: row.purchaseId,
    subscriptionId: row.subscriptionId,
    status: row.status,
    amount: row.amount,
    originalAmount: row.originalAmount,
    capturedAmount: row.capturedAmount,
    refundedAmount: row.refundedAmount,
    currency: row.currency,
    capture: row.capture,
    description: row.description,
    statementDescriptor: row.statementDescriptor,
    orderId: row.orderId,
    providerReferenceKey: row.providerReferenceKey,
    isDispute: row.isDispute,
    responsibleProviderType: row.providerType,
    // Guarantee: written from the request schema and the provider's offer; the reply schema checks it again.
    paymentMethod: {
      paymentType: row.paymentType,
      ...row.paymentMethod,
      ...pictures(row),
    } as ChargeBody["paymentMethod"],
    paymentSource: sourceOf(row),
    fraudAnalysisMetadata: row.fraudAnalysis ? metadataOf(row.fraudAnalysis) : null,
    paymentFlow: row.paymentFlow,
    splitRules: splits.map(serializeSplit),
    ...(row.platformFee ? { platformFee: row.platformFee } : {}),
    threeDSecure2: row.threeDSecure2,
    appInfo: row.appInfo,
    vendor: row.vendor,
    transactionRequests: attempts.map(serializeAttempt),
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

const checked = new WeakMap<Charge, z.output<typeof chargeBody>>();

/** As it leaves. An answer and the event of the same change say the same: checked once for both. */
export function chargeBodyOf(charge: Charge): z.output<typeof chargeBody> {
  const known = checked.get(charge);
  if (known) return known;
  const body = chargeBody.parse(serializeCharge(charge));
  checked.set(charge, body);
  return body;
}

/** The snapshot of an event: spec/contract.md 20.3. */
export const transactionEvent = (charge: Charge) => ({
  ...chargeBodyOf(charge),
  idempotencyKey: charge.row.idempotencyKey,
  requestId: charge.row.requestId,
  installments: charge.row.installments,
  fee: null,
  feeAmount: null,
});

function pictures(row: ChargeRow): Record<string, string> {
  const address = `${env().BASE_URL}/v1/charges/${row.id}`;
  const { qrCodeData, barcodeData } = row.paymentMethod;
  return {
    ...(qrCodeData ? { qrCodeImageUrl: `${address}/qrcode` } : {}),
    ...(barcodeData ? { barcodeImageUrl: `${address}/barcode` } : {}),
  };
}

function sourceOf(row: ChargeRow): ChargeBody["paymentSource"] {
  switch (row.sourceType) {
    case "card":
      return { sourceType: "card", ...given("cardId", row.cardId) };
    case "token":
      return { sourceType: "token", ...given("tokenId", row.tokenId), ...given("cardId", row.cardId) };
    case "customer":
      return { sourceType: "customer", ...given("customerId", row.sourceCustomerId) };
    case "wallet":
      return { sourceType: "wallet", walletPayment: "credit" };
  }
}

const given = <const N extends string>(name: N, value: string | null): { [K in N]?: string } =>
  // Guarantee: the one member of the object is the name itself.
  (value === null ? {} : { [name]: value }) as { [K in N]?: string };

/** sla, customer without its browser, and cart, as sent. */
function metadataOf(analysis: Record<string, unknown>): Record<string, unknown> {
  const { sla, customer, cart } = analysis;
  const { browser: _browser, ...buyer } =
    typeof customer === "object" && customer !== null ? { browser: undefined, ...customer } : { browser: undefined };
  return { ...(sla === undefined ? {} : { sla }), ...(customer ? { customer: buyer } : {}), ...(cart ? { cart } : {}) };
}

const SHOWN_DETAILS = ["pix", "boleto", "nupay", "drip", "fraudAnalysis", "threeds"] as const;

export function serializeAttempt(attempt: AttemptRow): ChargeBody["transactionRequests"][number] {
  const shown = Object.fromEntries(
    SHOWN_DETAILS.filter((name) => attempt.details?.[name]).map((name) => [name, attempt.details?.[name]]),
  );
  // Guarantee: the columns are only written with values of the reply schema, which checks them again.
  return {
    id: attempt.id,
    idempotencyKey: attempt.reference,
    providerId: attempt.providerId,
    providerType: attempt.providerType,
    transactionId: attempt.transactionId,
    authorizationCode: attempt.authorizationCode,
    authorizationNsu: attempt.authorizationNsu,
    amount: attempt.amount,
    requestStatus: attempt.requestStatus,
    requestStatusReason: attempt.requestStatusReason,
    requestType: attempt.requestType,
    tokenizedPayment: false,
    responseTs: attempt.responseMs === null ? null : `${attempt.responseMs}ms`,
    providerError: attempt.providerError,
    providerAuthorization: attempt.providerAuthorization,
    ...shown,
    createdAt: attempt.createdAt,
    updatedAt: attempt.updatedAt,
  } as ChargeBody["transactionRequests"][number];
}

const serializeSplit = (rule: SplitRow): ChargeBody["splitRules"][number] => ({
  id: rule.id,
  sellerId: rule.sellerId,
  ...(rule.percentageBps === null ? {} : { percentage: bpsToPercent(rule.percentageBps) }),
  ...(rule.amount === null ? {} : { amount: rule.amount }),
  processingFee: rule.processingFee,
  liable: rule.liable,
  chargeEntireFee: rule.chargeEntireFee,
  chargeRemainderFee: rule.chargeRemainderFee,
  transactionOwner: rule.transactionOwner,
  fareMdr: rule.fareMdrBps === null ? null : bpsToPercent(rule.fareMdrBps),
  fareFee: rule.fareFee,
  createdAt: rule.createdAt,
  updatedAt: rule.updatedAt,
});
