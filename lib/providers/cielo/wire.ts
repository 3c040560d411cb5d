import { z } from "zod";

/** What is read of the answers of Cielo and Braspag; everything else is dropped, so that no outcome can carry more. */

const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);
const text = optional(z.string());
/** A text in some answers and a number in others. */
const code = optional(z.union([z.string(), z.number()]).transform(String));
const cents = z.int().min(0);

const refund = z.object({ Amount: cents, Status: z.int(), ReceivedDate: text });
export type WireRefund = z.output<typeof refund>;

const payment = z.object({
  PaymentId: z.string().min(1),
  Type: text,
  Provider: text,
  Status: z.int(),
  Amount: cents,
  // One that cannot be read is not none: a part that was taken would be the whole, a refund would be asked for again.
  CapturedAmount: cents.nullish(),
  VoidedAmount: cents.nullish(),
  Refunds: z.array(refund).nullish(),
  Chargebacks: z.array(z.object({ Amount: cents, Date: text, ReasonMessage: text, Status: text })).nullish(),
  Currency: text,
  ReceivedDate: text,
  CapturedDate: text,
  VoidedDate: text,
  Installments: optional(z.int()),
  Capture: optional(z.boolean()),
  ReturnCode: code,
  ProviderReturnCode: code,
  MerchantAdviceCode: code,
  ReasonCode: code,
  ProofOfSale: text,
  AuthorizationCode: text,
  IssuerTransactionId: text,
  CreditCard: optional(z.object({ Brand: text })),
  DebitCard: optional(z.object({ Brand: text })),
  EndToEndId: text,
  QrCodeString: text,
  DigitableLine: text,
  BarCodeNumber: text,
  Url: text,
  BoletoNumber: text,
  ExpirationDate: text,
});
export type WirePayment = z.output<typeof payment>;

export const sale = z.object({ MerchantOrderId: z.string(), Payment: payment });
export type WireSale = z.output<typeof sale>;

/** Of a capture or a void. */
export const change = z.object({
  Status: z.int(),
  ReasonCode: code,
  ReturnCode: code,
  ProviderReturnCode: code,
});
export type WireChange = z.output<typeof change>;

const listed = z.array(z.object({ PaymentId: z.string().min(1) })).nullish();
/** The two products name the list differently. */
export const saleList = z.object({ Payment: listed, Payments: listed }).nullable();

/** One product says whether the card is valid, the other how the check ended: 1 valid, 0 not, 99 not checked. */
export const zeroAuth = z.object({
  Valid: optional(z.boolean()),
  Status: optional(z.int()),
  ReturnCode: code,
  ProviderReturnCode: code,
  IssuerTransactionId: text,
});

const problem = z.object({ Code: code });
export const errorAnswer = z.union([z.array(problem), problem.transform((one) => [one])]);

export const event = z.object({
  PaymentId: z.string().min(1).max(64),
  ChangeType: z.union([z.int(), z.string().max(4)]).transform(Number),
});
