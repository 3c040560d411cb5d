import { z } from "zod";

/** What MIRROR and its adapter say to each other. */
export const HEADER = { key: "idempotency-key", time: "x-request-time", signature: "x-mirror-signature" } as const;

const decline = z.object({ networkCode: z.string(), adviceCode: z.string().optional() });
export type WireDecline = z.output<typeof decline>;

export const created = z.object({ id: z.string(), status: z.literal("created"), reference: z.string() });

export const confirmed = z.object({
  id: z.string(),
  reference: z.string(),
  status: z.enum(["authorized", "captured", "declined", "processing", "challenge"]),
  amount: z.number(),
  currency: z.string(),
  at: z.iso.datetime(),
  nsu: z.string().optional(),
  authCode: z.string().optional(),
  networkTransactionId: z.string().optional(),
  expiresAt: z.iso.datetime().optional(),
  /** Value of each instalment: what does not divide falls on the last. */
  installments: z.array(z.number()),
  decline: decline.optional(),
  redirectUrl: z.string().optional(),
});
export type Confirmed = z.output<typeof confirmed>;

export const received = z.object({
  id: z.string(),
  status: z.literal("received"),
  amount: z.number(),
  at: z.iso.datetime(),
  isPending: z.boolean(),
});
export type Received = z.output<typeof received>;

export const connected = z.object({ status: z.literal("connected") });

export const recipient = z.object({
  id: z.string(),
  reference: z.string(),
  state: z.enum(["WAITING", "ACCEPTED", "DENIED"]),
  expectedAt: z.iso.datetime(),
  at: z.iso.datetime(),
});
export type WireRecipient = z.output<typeof recipient>;
export const storedDocument = z.object({ id: z.string(), at: z.iso.datetime() });

export const EVENT_TYPES = [
  "PAYMENT",
  "PENDING",
  "CAPTURE",
  "CANCELLATION",
  "REFUND",
  "EXPIRE",
  "CHARGEBACK",
  "CHARGEBACK_REVERSED",
  "RECIPIENT",
] as const;

/** A notification: it says what the state is, and nothing else does. */
export const mirrorEvent = z.object({
  id: z.string().min(1).max(100),
  type: z.enum(EVENT_TYPES),
  createdAt: z.iso.datetime(),
  account: z.string().optional(),
  transactionId: z.string().optional(),
  recipientId: z.string().optional(),
  /** Of what was asked: the payment, or one change of it. */
  reference: z.string(),
  paymentReference: z.string().optional(),
  success: z.boolean().default(true),
  isPending: z.boolean().default(false),
  amount: z.number().default(0),
  currency: z.string().default("BRL"),
  captured: z.boolean().default(false),
  decline: decline.optional(),
  brand: z.string().optional(),
  reason: z.string().optional(),
  nsu: z.string().optional(),
  authCode: z.string().optional(),
  expiresAt: z.iso.datetime().optional(),
  refundId: z.string().optional(),
});
export type MirrorEvent = z.output<typeof mirrorEvent>;

const statementLine = z.object({
  id: z.string(),
  transactionId: z.string(),
  kind: z.enum(["settlement", "refund"]),
  installment: z.number(),
  amount: z.number(),
  cost: z.number(),
});
export type WireLine = z.output<typeof statementLine>;
/** Of one day that is over. */
export const statement = z.object({ lines: z.array(statementLine) });

const earlyPayment = z.object({
  transactionId: z.string(),
  installment: z.number(),
  cost: z.number(),
  amount: z.int().min(1),
  paidOn: z.iso.date(),
});
export const earlyPayments = z.object({ payments: z.array(earlyPayment) });
export const taken = z.object({ status: z.literal("taken") });
