import { z } from "zod";
import { amount, day, optional, text } from "@/lib/http/fields";

/** Payment methods and sources of a request: spec/contract.md 8.2 and 8.3. */

export const MAX_INSTALLMENTS = 24;
export const MAX_PIX_SECONDS = 2_147_483_647;
const INSTRUCTIONS = 255;

const installments = z.int().min(1).max(MAX_INSTALLMENTS);
const lineItem = z.object({
  id: optional(z.string()),
  title: optional(z.string()),
  unitPrice: optional(amount(0)),
  quantity: optional(z.int().min(1)),
});
const percentage = z.number().min(0).max(100);
export const onLatePayment = z
  .object({ days: z.int().min(0), amount: optional(amount(0)), percentage: optional(percentage) })
  .refine(
    (given) => (given.amount === undefined) !== (given.percentage === undefined),
    "needs amount or percentage, one of them",
  );

export const threeDS = z.object({ enabled: z.boolean(), liabilityShiftRequired: z.boolean().default(true) });
export const RECURRENCES = ["initial", "subsequent", "unscheduled"] as const;

const credit = z.object({
  paymentType: z.literal("credit"),
  installments: installments.default(1),
  recurrence: optional(z.enum(RECURRENCES)),
  threeDS: optional(threeDS),
});
const debit = z.object({ paymentType: z.literal("debit"), installments: optional(z.literal(1)) });
const voucher = z.object({
  paymentType: z.literal("voucher"),
  installments: optional(z.literal(1)),
  items: optional(z.array(lineItem)),
  customer: optional(z.looseObject({})),
});
const pix = z.object({
  paymentType: z.literal("pix"),
  installments: optional(z.literal(1)),
  expiresIn: z.int().min(1).max(MAX_PIX_SECONDS),
  additionalInfo: optional(z.array(z.object({ name: text(50), value: text(200) })).max(50)),
  items: optional(z.array(lineItem)),
});
const boleto = z.object({
  paymentType: z.literal("boleto"),
  installments: optional(z.literal(1)),
  expiresDate: optional(day),
  instructions: optional(text(INSTRUCTIONS)),
  interest: optional(onLatePayment),
  fine: optional(onLatePayment),
  items: optional(z.array(lineItem)),
});
const nupay = z.object({
  paymentType: z.literal("nupay"),
  delayToAutoCancel: z.int().min(1).default(30),
  orderUrl: optional(z.url()),
  returnUrl: optional(z.url()),
  cancelUrl: optional(z.url()),
  taxValue: optional(amount(0)),
  recipients: optional(
    z.array(z.object({ referenceId: z.string(), name: z.string(), document: z.string(), amount: amount(0) })),
  ),
});
const drip = z.looseObject({ paymentType: z.literal("drip"), maxInstallments: optional(z.int().min(1)) });
const picpay = z.object({ paymentType: z.literal("picpay") });
const applePay = z.object({ paymentType: z.literal("apple_pay"), installments: installments.default(1) });
const clickToPay = z.object({ paymentType: z.literal("click_to_pay"), installments: installments.default(1) });

export const newPaymentMethod = z
  .discriminatedUnion("paymentType", [credit, debit, voucher, pix, boleto, nupay, drip, picpay, applePay, clickToPay])
  .meta({ id: "NewPaymentMethod" });
export type NewPaymentMethod = z.output<typeof newPaymentMethod>;
export type PaymentType = NewPaymentMethod["paymentType"];
export const PAYMENT_TYPES = [
  "credit",
  "debit",
  "voucher",
  "pix",
  "boleto",
  "nupay",
  "drip",
  "picpay",
  "apple_pay",
  "click_to_pay",
] as const;

export const CARD_METHODS: readonly PaymentType[] = ["credit", "debit", "voucher"];
export const WALLET_METHODS: readonly PaymentType[] = ["nupay", "drip", "picpay", "apple_pay", "click_to_pay"];

const lineItemBody = z.object({
  id: z.string().optional(),
  title: z.string().optional(),
  unitPrice: z.int().optional(),
  quantity: z.int().optional(),
});

/** The answer names what was asked and what the provider gave for it. */
export const paymentMethodBody = z
  .object({
    paymentType: z.enum(PAYMENT_TYPES),
    installments: z.int().optional(),
    recurrence: z.enum(RECURRENCES).optional(),
    threeDS: threeDS.optional(),
    items: z.array(lineItemBody).optional(),
    customer: z.looseObject({}).optional(),
    additionalInfo: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
    expiresIn: z.int().optional(),
    qrCodeData: z.string().optional().meta({ description: "EMV text of the Pix code" }),
    qrCodeImageUrl: z.string().optional(),
    expiresDate: z.string().optional().meta({ format: "date" }),
    instructions: z.string().optional(),
    interest: z.looseObject({}).optional(),
    fine: z.looseObject({}).optional(),
    barcodeData: z.string().optional().meta({ description: "the typed line, 47 digits" }),
    barcodeImageUrl: z.string().optional(),
    paymentUrl: z.string().optional(),
    checkoutId: z.string().optional(),
    delayToAutoCancel: z.int().optional(),
    orderUrl: z.string().optional(),
    returnUrl: z.string().optional(),
    cancelUrl: z.string().optional(),
    taxValue: z.int().optional(),
    recipients: z.array(z.looseObject({})).optional(),
    maxInstallments: z.int().optional(),
  })
  .meta({ id: "PaymentMethod" });

export const paymentSourceBody = z
  .object({
    sourceType: z.enum(["card", "token", "customer", "wallet"]),
    cardId: z.string().optional(),
    tokenId: z.string().optional(),
    customerId: z.string().optional(),
    walletPayment: z.literal("credit").optional(),
  })
  .meta({ id: "PaymentSource" });
