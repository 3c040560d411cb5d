import { z } from "zod";
import { CHARGE_STATUSES } from "@/db/schema/charges";
import { fraudAnalysis, fraudAnalysisMetadata } from "@/lib/charges/fraud-analysis";
import { newBuyer } from "@/lib/customers/schema";
import { embeddedError } from "@/lib/http/errors";
import {
  amount,
  commaList,
  createdFilter,
  instantIn,
  instantOut,
  optional,
  text,
  uuid,
  yesNo,
} from "@/lib/http/fields";
import { pageQuery } from "@/lib/http/pagination";
import { MAX_CENTS } from "@/lib/money";
import { newPaymentMethod, PAYMENT_TYPES, paymentMethodBody, paymentSourceBody } from "@/lib/payments/methods";
import { vendor } from "@/lib/payments/vendor";
import { PAYMENT_KINDS } from "@/lib/providers/kinds";
import { CURRENCIES } from "@/lib/reference/currencies";
import { newSplitRule, splitRuleBody } from "@/lib/splits/schema";
import { cardData } from "@/lib/tokens/schema";

const MAX_METADATA_KEYS = 50;
const cvv = z.string().regex(/^\d{3,4}$/, "must be 3 or 4 digits");

const exactlyOne = (one: string, other: string) => ({
  check: (given: Record<string, unknown>) => (given[one] === undefined) !== (given[other] === undefined),
  message: `needs ${one} or ${other}, one of them`,
});
const cardOrId = exactlyOne("cardId", "card");
const customerOrId = exactlyOne("customerId", "customer");

const walletSource = z.object({
  sourceType: z.literal("wallet"),
  walletPayment: z.literal("credit"),
  paymentData: optional(
    z.object({
      data: z.string(),
      signature: z.string(),
      header: z.looseObject({ ephemeralPublicKey: z.string() }),
      version: z.string(),
    }),
  ),
  walletClickToPay: optional(
    z.object({ dpaId: z.string(), correlationId: z.string(), flowId: z.string(), merchantTransactionId: z.string() }),
  ),
});

export const newPaymentSource = z
  .discriminatedUnion("sourceType", [
    z
      .object({
        sourceType: z.literal("card"),
        cardId: optional(uuid),
        cardCvv: optional(cvv),
        tokenCvv: optional(uuid),
        card: optional(cardData),
      })
      .refine(cardOrId.check, cardOrId.message),
    z.object({ sourceType: z.literal("token"), tokenId: uuid }),
    z
      .object({
        sourceType: z.literal("customer"),
        customerId: optional(uuid),
        cardCvv: optional(cvv),
        customer: optional(newBuyer),
      })
      .refine(customerOrId.check, customerOrId.message),
    walletSource,
  ])
  .meta({ id: "NewPaymentSource" });
export type NewPaymentSource = z.output<typeof newPaymentSource>;

const browser = z.object({
  acceptHeader: z.string(),
  colorDepth: z.number(),
  javaEnabled: z.boolean(),
  javaScriptEnabled: optional(z.boolean()),
  language: z.string(),
  screenHeight: z.number(),
  screenWidth: z.number(),
  timeZoneOffset: z.string(),
  userAgent: z.string(),
  ip: z.string(),
  acceptBrowserValue: optional(z.string()),
  acceptContent: optional(z.string()),
});
const threeDSAddress = z.object({
  city: z.string(),
  country: z.string(),
  streetNumber: z.string(),
  zipCode: z.string(),
  state: z.string(),
  street: z.string(),
});
const https = z.url({ protocol: /^https$/, error: "must be an https address" });

export const newThreeDS = z
  .object({
    redirectURL: optional(https),
    requestorURL: optional(https),
    browser: optional(browser),
    billingAddress: optional(threeDSAddress),
    shippingAddress: optional(threeDSAddress),
    cardHolder: optional(z.object({ email: z.string(), mobilePhone: optional(z.string()) })),
    setupId: optional(uuid),
    dataOnly: optional(z.boolean()),
    requiresLiabilityShift: optional(z.boolean()),
    mpi: optional(z.looseObject({})),
  })
  .superRefine((given, issues) => {
    if (given.mpi) return;
    for (const member of ["redirectURL", "requestorURL", "browser"] as const) {
      if (given[member] === undefined)
        issues.addIssue({ code: "custom", path: [member], message: "required without mpi" });
    }
  })
  .meta({ id: "ThreeDSecure2" });

const named = z.object({ name: z.string(), version: z.string() });
const appInfo = z.object({
  platform: optional(z.object({ name: z.string(), version: z.string(), integrator: optional(z.string()) })),
  device: optional(z.object({ name: z.string(), version: z.string(), sessionId: optional(z.string()) })),
  system: optional(named),
});

export const newCharge = z
  .object({
    merchantId: uuid,
    amount: amount(1),
    paymentMethod: newPaymentMethod,
    paymentSource: newPaymentSource,
    currency: z.enum(CURRENCIES).default("BRL"),
    capture: z
      .boolean()
      .default(false)
      .meta({ description: "false pre-authorises only; Pix, boleto and wallets are paid at once" }),
    description: optional(text(255)),
    statementDescriptor: optional(text(25, 3)),
    orderId: optional(text(64)),
    providerReferenceKey: optional(text(64)),
    customerId: optional(uuid),
    fraudAnalysis: optional(fraudAnalysis),
    splitRules: optional(z.array(newSplitRule).max(100)),
    paymentFlow: optional(
      z.object({
        metadata: z
          .record(z.string(), z.unknown())
          .refine((facts) => Object.keys(facts).length <= MAX_METADATA_KEYS, `at most ${MAX_METADATA_KEYS} keys`),
      }),
    ),
    threeDSecure2: optional(newThreeDS).meta({
      description:
        "The sandbox's simulated bank continues by itself after 10 seconds of the test clock where the buyer does not; " +
        "with a frozen clock (`POST /v1/sandbox/clock`) it waits for the buyer",
    }),
    appInfo: optional(appInfo),
    vendor: optional(vendor),
  })
  .meta({ id: "NewCharge" });
export type NewCharge = z.output<typeof newCharge>;

export const captureChargeInput = z.object({ amount: optional(amount(1)) }).meta({ id: "Capture" });
export const voidChargeInput = z
  .object({
    amount: optional(amount(1)),
    splitRules: optional(z.array(z.object({ sellerId: uuid, amount: amount(1) }))),
    delayToCompose: optional(z.int().min(0)),
  })
  .meta({ id: "Void" });
export type VoidChargeInput = z.output<typeof voidChargeInput>;

const cents = z.int().min(0).max(MAX_CENTS);
const nullable = <T extends z.ZodType>(schema: T) => schema.nullable();
const words = nullable(z.string());

const transactionRequestBody = z
  .object({
    id: z.string(),
    idempotencyKey: z.string(),
    providerId: words,
    providerType: z.string(),
    transactionId: words,
    authorizationCode: words,
    authorizationNsu: words,
    amount: cents,
    requestStatus: z.enum(["running", "processing", "success", "failed", "timeout", "internal_error"]),
    requestStatusReason: words,
    requestType: z.enum([
      "pending",
      "pre_authorization",
      "authorization",
      "capture",
      "capture_pending",
      "void",
      "refund_pending",
      "revert_void",
      "probe",
      "charge_back",
      "dispute",
      "dispute_closed",
      "zero_dollar",
      "anti_fraud",
      "anti_fraud_feeding",
      "3DS_auth",
    ]),
    tokenizedPayment: z.boolean(),
    responseTs: words.meta({ examples: ["318ms"] }),
    providerError: nullable(
      z.object({
        message: z.string(),
        declinedCode: z.string(),
        retryable: z.boolean(),
        networkDeniedReason: words,
        networkDeniedMessage: words,
      }),
    ),
    providerAuthorization: nullable(z.object({ networkAuthorizationCode: words, networkResponseCode: words })),
    pix: z.looseObject({}).optional(),
    boleto: z.looseObject({}).optional(),
    nupay: z.looseObject({}).optional(),
    drip: z.looseObject({}).optional(),
    fraudAnalysis: z
      .object({ status: z.enum(["pending", "approved", "reproved", "failed"]), score: z.number().optional() })
      .optional(),
    threeds: z
      .object({
        authenticated: z.boolean(),
        liabilityShift: z.boolean().optional().meta({
          description: "whether the issuer carries the risk of fraud; absent where the provider does not say",
        }),
      })
      .optional(),
    createdAt: instantOut,
    updatedAt: instantOut,
  })
  .meta({ id: "TransactionRequest" });

export const chargeBody = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    clientId: z.string(),
    merchantId: z.string(),
    customerId: words,
    sessionId: words,
    purchaseId: words,
    subscriptionId: words,
    status: z.enum(CHARGE_STATUSES),
    amount: cents.meta({ description: "present value: requested, then captured, less confirmed partial refunds" }),
    originalAmount: cents,
    capturedAmount: cents,
    refundedAmount: cents,
    currency: z.string(),
    capture: z.boolean(),
    description: words,
    statementDescriptor: words,
    orderId: words,
    providerReferenceKey: words,
    isDispute: z.boolean(),
    responsibleProviderType: words,
    paymentMethod: paymentMethodBody,
    paymentSource: paymentSourceBody,
    fraudAnalysisMetadata: nullable(fraudAnalysisMetadata),
    paymentFlow: nullable(z.looseObject({})),
    splitRules: z.array(splitRuleBody),
    platformFee: z.looseObject({}).optional(),
    threeDSecure2: nullable(z.looseObject({})),
    appInfo: nullable(z.looseObject({})),
    vendor: nullable(z.looseObject({})),
    transactionRequests: z.array(transactionRequestBody),
    expiresAt: nullable(instantOut),
    createdAt: instantOut,
    updatedAt: instantOut,
    error: embeddedError.optional().meta({ description: "only in the answer of a refused payment, capture or void" }),
  })
  .meta({ id: "Charge" });

/** What a payment of a session answers: its buyer asks, so nothing is told that is the merchant's alone. */
export const sessionChargeBody = chargeBody
  .pick({
    id: true,
    clientId: true,
    merchantId: true,
    sessionId: true,
    customerId: true,
    description: true,
    orderId: true,
    createdAt: true,
    updatedAt: true,
    amount: true,
    originalAmount: true,
    currency: true,
    statementDescriptor: true,
    status: true,
    paymentMethod: true,
    paymentSource: true,
    transactionRequests: true,
    threeDSecure2: true,
    platformFee: true,
    error: true,
  })
  .meta({ id: "SessionCharge" });

const KINDS = Object.keys(PAYMENT_KINDS) as [string, ...string[]];

export const chargeFilters = pageQuery.extend({
  id: uuid.optional(),
  merchantId: uuid.optional(),
  customerId: uuid.optional(),
  sessionId: uuid.optional(),
  purchaseId: uuid.optional(),
  subscriptionId: uuid.optional(),
  originalAmount: z
    .string()
    .regex(/^\d{1,16}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().max(MAX_CENTS))
    .optional()
    .meta({ type: "integer" }),
  status: commaList(CHARGE_STATUSES).optional(),
  paymentType: commaList(PAYMENT_TYPES).optional(),
  providerType: commaList(KINDS).optional(),
  orderId: z.string().optional(),
  splitRules: yesNo.optional(),
  isDispute: yesNo.optional(),
  created: createdFilter.optional(),
  "created.gt": instantIn.optional(),
  "created.lt": instantIn.optional(),
});
