import { z } from "zod";
import { SUBSCRIPTION_MAILS, type SubscriptionMail } from "@/db/schema/merchants";
import { PAYOUT_RAILS } from "@/db/schema/payouts";
import { cnpjOk, cpfOk } from "@/lib/brazil/cpf-cnpj";
import { commaList, freeObject, instantOut, isPublicWebAddress, optional, text, uuid, yesNo } from "@/lib/http/fields";
import { listOf, pageQuery } from "@/lib/http/pagination";
import { feeRuleBody } from "@/lib/platform-fees/schema";

const LONGEST_NAME = 255;
const LONGEST_URL = 2_048;
const LONGEST_PROVIDER_NAME = 100;
/** The largest integer the column holds. */
const LAST_PRIORITY = 2_147_483_647;
const MOST_PROVIDERS = 100;

const mcc = z.string().regex(/^\d{3,4}$/, "must have 3 or 4 digits");
const providerName = text(LONGEST_PROVIDER_NAME);
const priority = z.int().min(1).max(LAST_PRIORITY).meta({ description: "1 is tried first; equal ones older first" });
/** Members depend on the kind and are checked against its row in lib/providers/kinds. */
const credentials = freeObject.meta({ description: "`type` names the provider kind; the other members are its own" });
const options = freeObject.meta({ description: "What a kind lets be chosen; absent members take their defaults" });
const acquirer = freeObject.meta({ description: "Merchant numbers at the acquirer: one, or one for each BIN" });

export const newProvider = z
  .object({
    name: providerName,
    priority,
    credentials,
    options: optional(options),
    acquirer: optional(acquirer),
  })
  .meta({ id: "NewProvider" });
export type NewProvider = z.output<typeof newProvider>;

export const providerChanges = z
  .object({
    name: optional(providerName),
    priority: optional(priority),
    credentials: optional(credentials),
    options: optional(options),
    acquirer: optional(acquirer),
    paused: optional(z.boolean()).meta({ description: "true: no new payments through it; it keeps its place" }),
  })
  .meta({ id: "ProviderChanges" });
export type ProviderChanges = z.output<typeof providerChanges>;

/** It is shown to buyers in a challenge, and followed by nobody here. */
const merchantUrl = optional(text(LONGEST_URL).refine(isPublicWebAddress, "must be an https address")).meta({
  description: "https only",
});

export const newMerchant = z
  .object({
    mcc,
    name: optional(text(LONGEST_NAME)),
    merchantName: optional(text(LONGEST_NAME)).meta({ description: "Shown to the buyer in a 3-D Secure challenge" }),
    merchantUrl,
    status: optional(z.boolean())
      .transform((given) => given ?? true)
      .meta({ description: "false: no new payments; the default is true" }),
    providers: optional(z.array(newProvider).max(MOST_PROVIDERS)).transform((given) => given ?? []),
  })
  .meta({ id: "NewMerchant" });
export type NewMerchant = z.output<typeof newMerchant>;

const eachMail = <T extends z.ZodType>(schema: T): Record<SubscriptionMail, T> =>
  // Guarantee: one entry for each kind.
  Object.fromEntries(SUBSCRIPTION_MAILS.map((kind) => [kind, schema])) as Record<SubscriptionMail, T>;

const digits = (most: number) => z.string().regex(new RegExp(`^\\d{1,${most}}$`), `must have 1 to ${most} digits`);
const checkDigit = optional(z.string().regex(/^[\dXxPp]{1,2}$/, "must be one or two digits, or a letter of a bank"));
const LONGEST_AGREEMENT = 20;
const LONGEST_HOLDER = 30;

/** As wide as the fields of the layout. */
const payoutAccount = z
  .object({
    bank: z.string().regex(/^\d{3}$/, "must be a COMPE code of 3 digits"),
    agreement: text(LONGEST_AGREEMENT).meta({ description: "The bank's number of its agreement on payment files" }),
    branchNumber: digits(5),
    branchCheckDigit: optional(z.string().regex(/^[\dXxPp]$/, "must be one digit, or a letter of a bank")),
    accountNumber: digits(12),
    accountCheckDigit: checkDigit,
    holderName: text(LONGEST_HOLDER),
    holderDocument: z
      .string()
      .regex(/^(?:\d{11}|\d{14})$/, "must have the 11 or 14 digits of a CPF or CNPJ")
      .refine((given) => cpfOk(given) || cnpjOk(given), "must be a CPF or CNPJ"),
  })
  .meta({ id: "PayoutAccount", description: "The account that payment files pay sellers from" });
const payoutAccountBody = z
  .object({
    bank: z.string(),
    agreement: z.string(),
    branchNumber: z.string(),
    branchCheckDigit: z.string().optional(),
    accountNumber: z.string(),
    accountCheckDigit: z.string().optional(),
    holderName: z.string(),
    holderDocument: z.string(),
  })
  .meta({ id: "PayoutAccountBody" });

export const merchantChanges = z
  .object({
    mcc: optional(mcc),
    name: optional(text(LONGEST_NAME)),
    merchantName: optional(text(LONGEST_NAME)),
    merchantUrl,
    status: optional(z.boolean()),
    faresOnRefund: optional(z.enum(["none", "mdr", "all"])).meta({
      description: "Which part of the fares of a split goes back with a refund: nothing, the percentage, or all",
    }),
    payoutRail: optional(z.enum(PAYOUT_RAILS)).meta({
      description:
        "How sellers are paid: by the simulator (sandbox accounts alone), by CNAB 240 files for the bank of `payoutAccount` (file), or by people who mark it (none)",
    }),
    payoutAccount: optional(payoutAccount),
    subscriptionMails: optional(z.object(eachMail(optional(z.boolean())))).meta({
      description:
        "Which e-mails buyers get of their subscriptions; absent kinds stay as they are, all are on at first; `receipt` covers refunds as well",
    }),
    buyerMayCancel: optional(z.boolean()).meta({
      description: "true: buyers may cancel on the page of their subscription; the default is false",
    }),
  })
  .meta({ id: "MerchantChanges" });
export type MerchantChanges = z.output<typeof merchantChanges>;

export const merchantFilters = pageQuery.extend({ status: commaList(["true", "false"]).optional() });
export type MerchantFilters = z.output<typeof merchantFilters>;

export const providerBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    priority: z.int(),
    credentials: z
      .record(z.string(), z.string())
      .meta({ description: "`type` as given; every other member is asterisks" }),
    options: freeObject.nullable(),
    acquirer: freeObject.nullable(),
    paused: z.literal(true).optional().meta({ description: "There while it takes no new payments" }),
    createdAt: instantOut,
    updatedAt: instantOut,
    deletedAt: instantOut.nullable(),
    idempotencyKey: z.string().nullable(),
    requestId: z.string().nullable(),
  })
  .meta({ id: "Provider", description: "A merchant's account at a payment provider" });
export type ProviderBody = z.input<typeof providerBody>;

export const merchantBody = z
  .object({
    id: z.uuid(),
    createdAt: instantOut,
    updatedAt: instantOut,
    clientId: z.uuid(),
    mcc: z.string(),
    name: z.string().nullable(),
    merchantName: z.string().nullable(),
    merchantUrl: z.string().nullable(),
    status: z.boolean(),
    providers: z.array(providerBody),
    platformFeeEnabled: z.boolean(),
    faresOnRefund: z.enum(["none", "mdr", "all"]),
    payoutRail: z.enum(PAYOUT_RAILS),
    payoutAccount: payoutAccountBody.nullable(),
    subscriptionMails: z.object(eachMail(z.boolean())),
    buyerMayCancel: z.boolean(),
    platformFees: z.array(feeRuleBody),
  })
  .meta({ id: "Merchant", description: "A sub-account that holds the credentials of its payment providers" });
export type MerchantBody = z.input<typeof merchantBody>;

export const merchantList = listOf(merchantBody);
export const merchantParams = z.object({ id: uuid });
export const merchantProviderParams = z.object({ merchantId: uuid });
export const providerParams = z.object({ id: uuid });
export const providerRemoval = z.object({
  force: yesNo.optional().meta({ description: "true: also while an active flow names it" }),
});
