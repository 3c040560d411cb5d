import { z } from "zod";

/** What the simulated acquirer speaks: JSON, cents. Header names are lower case on both transports. */
export interface SimulatorRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: unknown;
}

export interface SimulatorReply {
  status: number;
  headers: Record<string, string>;
  body: string;
  delayMs: number;
  /** `held`: no answer until the caller gives up. `closed`: the connection ends without one. */
  delivery: "sent" | "held" | "closed";
}

/** Longest time an answer that is lost is held. */
export const MAX_HOLD_MS = 30_000;

/** Who calls. The simulator has no session with the product: each call says whose and which instant it is. */
export const HEADER = {
  client: "x-sandbox-client",
  provider: "x-sandbox-provider",
  /** What the call is about: a charge, or a seller's registration. */
  charge: "x-sandbox-charge",
  now: "x-sandbox-now",
  scenario: "x-sandbox-scenario",
  slot: "x-sandbox-slot",
  priority: "x-sandbox-priority",
  delay: "x-sandbox-delay-seconds",
  clientCall: "x-sandbox-client-call",
  publicUrl: "x-sandbox-public-url",
  merchant: "x-sandbox-merchant",
  idempotencyKey: "idempotency-key",
} as const;

const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
const cents = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const positive = cents.min(1);
const ascii = z.string().regex(/^[\x20-\x7e]*$/);

const MAX_NAME = 64;
const MAX_DESCRIPTOR = 22;
const MAX_INSTALLMENTS = 24;
export const MAX_EXPIRY_SECONDS = 2_147_483_647;

const payer = z.object({
  name: ascii.max(MAX_NAME),
  email: z.string().optional(),
  document: z.string().optional(),
  zipCode: z.string().optional(),
});

const split = z.array(z.object({ recipientId: z.string(), amount: cents })).optional();
const reference = z.string().regex(/^[A-Za-z0-9]{26,35}$/);

export const authorizationRequest = z.object({
  reference,
  attemptId: z.string(),
  method: z.enum(["credit", "debit", "voucher"]),
  amount: cents,
  currency: z.literal("BRL"),
  capture: z.boolean(),
  installments: z.number().int().min(1).max(MAX_INSTALLMENTS),
  card: z.object({
    number: z.string().regex(/^\d{12,19}$/),
    cvv: z
      .string()
      .regex(/^\d{3,4}$/)
      .optional(),
    expMonth: z.string(),
    expYear: z.string(),
    holderName: ascii.max(MAX_NAME),
    brand: z.string(),
  }),
  payer,
  statementDescriptor: ascii.max(MAX_DESCRIPTOR).optional(),
  networkTransactionId: z.string().max(64).optional(),
  threeDS: z.boolean(),
  analysisFollows: z.boolean(),
  split,
});

export const captureRequest = z.object({ reference, amount: positive, split });
export const voidRequest = z.object({ reference, amount: cents });
export const refundRequest = z.object({ reference, amount: positive, paymentId: z.string().optional(), split });
export const cancelRequest = z.object({ reference });
export const pixRequest = z.object({
  amount: positive,
  expiresIn: z.number().int().min(1).max(MAX_EXPIRY_SECONDS),
  receiver: z.object({ name: z.string().max(25), city: z.string().max(15) }),
  payer,
  split,
  instruction: z
    .object({ mandateId: uuid, settleOn: z.string().regex(/^\d{4}-\d{2}-\d{2}$/), isRetry: z.boolean() })
    .optional(),
});
export const boletoRequest = z.object({
  reference,
  amount: positive,
  dueDate: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  payer,
  instructions: z.string().max(255).optional(),
  split,
});
export const walletRequest = z.object({
  reference,
  method: z.enum(["drip", "nupay", "picpay", "apple_pay", "click_to_pay"]),
  amount: positive,
  installments: z.number().int().min(1).max(MAX_INSTALLMENTS),
  expiresIn: z.number().int().min(1).max(MAX_EXPIRY_SECONDS),
  payer,
  split,
  returnUrl: z.string().optional(),
  cancelUrl: z.string().optional(),
});

export const analysisRequest = z.object({
  reference: z.string().min(1).max(100),
  amount: cents,
  installments: z.number().int().min(1).max(MAX_INSTALLMENTS),
  card: z.object({
    brand: z.string(),
    bin: z.string().regex(/^\d{6,8}$/),
    last4: z.string().regex(/^\d{4}$/),
    holderName: ascii.max(MAX_NAME),
  }),
  identity: z.string().optional(),
  buyerDocument: z.string().optional(),
  ip: z.string().optional(),
  /** Of an asynchronous product: the verdict comes a while later. */
  asynchronous: z.boolean(),
});
export type AnalysisRequest = z.output<typeof analysisRequest>;
export const analysisOutcome = z.object({ status: z.string().max(40) });

export const analysisReply = z.object({
  reference: z.string(),
  status: z.enum(["pending", "approved", "reproved", "failed"]),
  score: z.number().optional(),
  failure: z.enum(["timeout", "processing_error"]).optional(),
  nextEventAt: z.string().optional(),
  at: z.string(),
});
export type AnalysisReply = z.output<typeof analysisReply>;

export type AuthorizationRequest = z.output<typeof authorizationRequest>;
export type CaptureRequest = z.output<typeof captureRequest>;
export type VoidRequest = z.output<typeof voidRequest>;
export type RefundRequest = z.output<typeof refundRequest>;
export type PixRequest = z.output<typeof pixRequest>;
export type BoletoRequest = z.output<typeof boletoRequest>;
export type WalletRequest = z.output<typeof walletRequest>;

/** A call about a payment that exists. */
export interface Modification {
  operation: "capture" | "void" | "refund" | "cancel_open";
  reference: string;
  amount: number;
  paymentId?: string | undefined;
}

const callerHeaders = z.object({
  clientId: uuid,
  providerId: uuid,
  chargeId: uuid,
  now: z.coerce.date(),
  scenario: z.string().optional(),
  slot: z.coerce.number().int().optional(),
  priority: z.coerce.number().int().optional(),
  delaySeconds: z.coerce.number().int().min(0).max(60).default(5),
  clientCall: z
    .string()
    .optional()
    .transform((text) => text === "1"),
  publicUrl: z.url(),
  merchantId: uuid.optional(),
  idempotencyKey: z.string().min(1).max(128).optional(),
});

export type Caller = z.output<typeof callerHeaders>;

export const readCaller = (headers: SimulatorRequest["headers"]): Caller | undefined => {
  const read = callerHeaders.safeParse({
    clientId: headers[HEADER.client],
    providerId: headers[HEADER.provider],
    chargeId: headers[HEADER.charge],
    now: headers[HEADER.now],
    scenario: headers[HEADER.scenario],
    slot: headers[HEADER.slot],
    priority: headers[HEADER.priority],
    delaySeconds: headers[HEADER.delay],
    clientCall: headers[HEADER.clientCall],
    publicUrl: headers[HEADER.publicUrl],
    merchantId: headers[HEADER.merchant],
    idempotencyKey: headers[HEADER.idempotencyKey],
  });
  return read.success ? read.data : undefined;
};

export const accountReply = z.object({ status: z.string() });

/** Refusals of the simulated acquirer. */
export type Refusal =
  | "invalid_request"
  | "unauthenticated"
  | "not_found"
  | "reference_conflict"
  | "replay_conflict"
  | "key_expired"
  | "capture_refused"
  | "amount_refused"
  | "already_captured"
  | "partial_capture_unsupported"
  | "authorization_expired"
  | "already_settled"
  | "not_cancelable"
  | "invalid_state"
  | "amount_exceeded"
  | "insufficient_balance"
  | "refund_not_supported"
  | "refund_window_expired";

const CLASHES: readonly Refusal[] = ["reference_conflict", "replay_conflict", "key_expired"];

export const statusOf = (refusal: Refusal): number =>
  refusal === "invalid_request"
    ? 400
    : refusal === "unauthenticated"
      ? 401
      : refusal === "not_found"
        ? 404
        : CLASHES.includes(refusal)
          ? 409
          : 422;

export interface WireDecline {
  declinedCode: string;
  networkCode?: string;
  adviceCode?: string;
  retry?: string;
}

export const authorizationReply = z.object({
  id: z.string(),
  reference: z.string(),
  status: z.enum(["authorized", "captured", "declined", "processing", "challenge"]),
  amount: cents,
  currency: z.string(),
  installments: z.number(),
  cvvChecked: z.boolean(),
  nsu: z.string().optional(),
  authCode: z.string().optional(),
  networkTransactionId: z.string().optional(),
  expiresAt: z.string().optional(),
  nextEventAt: z.string().optional(),
  redirectUrl: z.string().optional(),
  at: z.string(),
  decline: z
    .object({
      declinedCode: z.string(),
      networkCode: z.string().optional(),
      adviceCode: z.string().optional(),
      retry: z.string().optional(),
    })
    .optional(),
});
export type AuthorizationReply = z.output<typeof authorizationReply>;

export const modificationReply = z.object({
  id: z.string(),
  status: z.enum(["captured", "voided", "canceled", "refunded", "refund_pending"]),
  amount: cents,
  refundId: z.string().optional(),
  at: z.string(),
  nextEventAt: z.string().optional(),
});
export type ModificationReply = z.output<typeof modificationReply>;

export const openPaymentReply = z.object({
  id: z.string(),
  reference: z.string(),
  status: z.literal("pending"),
  amount: cents,
  currency: z.string(),
  expiresAt: z.string(),
  nextEventAt: z.string().optional(),
  brCode: z.string().optional(),
  line: z.string().optional(),
  barcode: z.string().optional(),
  ourNumber: z.string().optional(),
  dueDate: z.string().optional(),
  paymentUrl: z.string().optional(),
  /** Of an instruction: the day on which the payer's bank pays. */
  settleOn: z.string().optional(),
  at: z.string(),
});
export type OpenPaymentReply = z.output<typeof openPaymentReply>;

/** What the buyer pays with. */
export const shownToBuyer = openPaymentReply.pick({
  brCode: true,
  line: true,
  barcode: true,
  ourNumber: true,
  dueDate: true,
  paymentUrl: true,
  settleOn: true,
});

export const transactionReply = z.object({
  ...shownToBuyer.shape,
  id: z.string(),
  reference: z.string(),
  state: z.enum([
    "pending",
    "pre_authorized",
    "authorized",
    "declined",
    "voided",
    "canceled",
    "expired",
    "refund_pending",
    "refunded",
    "charged_back",
  ]),
  amount: cents,
  authorized: cents,
  captured: cents,
  refunded: cents,
  chargedBack: cents,
  disputeReason: z.string().optional(),
  currency: z.string(),
  brand: z.string().optional(),
  decline: authorizationReply.shape.decline,
  refunds: z.array(
    z.object({
      refundId: z.string(),
      reference: z.string().optional(),
      amount: cents,
      status: z.enum(["pending", "done", "failed"]),
      at: z.string(),
    }),
  ),
  payments: z.array(z.object({ paymentId: z.string(), amount: cents, paidAt: z.string(), surplus: z.boolean() })),
  nsu: z.string().optional(),
  authCode: z.string().optional(),
  expiresAt: z.string().optional(),
  nextEventAt: z.string().optional(),
});
export type TransactionReply = z.output<typeof transactionReply>;
export const lookUpReply = z.object({ transactions: z.array(transactionReply) });
