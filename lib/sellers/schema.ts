import { z } from "zod";
import { DOCUMENT_TYPES } from "@/db/schema/sellers";
import { pixKeyKind } from "@/lib/brazil/pix-ids";
import { documentInput } from "@/lib/customers/schema";
import { amount, commaList, day, freeObject, isPublicWebAddress, optional, text, uuid } from "@/lib/http/fields";
import { pageQuery } from "@/lib/http/pagination";
import { percentToBps } from "@/lib/money";

/** What is asked of a seller: spec/contract.md 13.1 to 13.3. */

const NAME = 255;
const LINE = 255;
const PHONE = 32;
const EMAIL = 254;
const URL_LENGTH = 2_048;
const DESCRIPTION = 1_000;
const MOST_PAIRS = 100;
const MOST_DOCUMENTS = 50;
const MOST_AGREEMENTS = 100;
const MOST_DAYS = 3_650;

const mcc = z
  .union([z.string().regex(/^\d{3,4}$/, "must have 3 or 4 digits"), z.int().min(100).max(9_999)])
  .transform(String)
  .meta({
    anyOf: [
      { type: "string", pattern: "^\\d{3,4}$" },
      { type: "integer", minimum: 100, maximum: 9_999 },
    ],
  });

const email = z
  .email("must be an e-mail address")
  .max(EMAIL)
  .transform((address) => address.toLowerCase())
  .meta({ type: "string", format: "email", maxLength: EMAIL });

const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, "must be a country of two letters")
  .transform((code) => code.toUpperCase())
  .meta({ type: "string", pattern: "^[A-Za-z]{2}$", examples: ["BR"] });

const line = text(LINE);
const words = optional(text(LINE, 0));

const addressShape = {
  street: line,
  streetNumber: line,
  zipCode: text(PHONE),
  country,
  state: line,
  city: line,
  district: line,
  complement: words,
  referencePoint: words,
};

const address = z.object(addressShape).meta({ id: "NewSellerAddress" });

const ownerShape = {
  name: text(NAME),
  email,
  phoneNumber: text(PHONE),
  birthdate: day,
  document: documentInput,
  address,
  businessCategory: words,
  monthlyIncome: optional(amount(0)),
  professionalOccupation: words,
  isBusinessRepresentative: optional(z.boolean()),
  annualRevenue: optional(amount(0)),
};

const webAddress = optional(text(URL_LENGTH).refine(isPublicWebAddress, "must be an https address"));
const businessShape = {
  name: text(NAME),
  email,
  phoneNumber: text(PHONE),
  document: documentInput,
  address,
  corporateReason: optional(text(NAME, 0)),
  website: webAddress,
  description: optional(text(DESCRIPTION, 0)),
  facebook: optional(text(URL_LENGTH, 0)),
  twitter: optional(text(URL_LENGTH, 0)),
  openingDate: optional(day),
  annualRevenue: optional(amount(0)),
};

const digits = (longest: number) =>
  z.string().regex(new RegExp(`^\\d{1,${longest}}$`), `must have 1 to ${longest} digits`);
const checkDigit = optional(z.string().regex(/^[0-9A-Za-z]{1,2}$/, "must have 1 or 2 characters"));
const bank = z.string().regex(/^\d{3}$/, "must have 3 digits");
const ispb = z
  .string()
  .regex(/^[0-9A-Za-z]{8}$/, "must have 8 characters")
  .transform((code) => code.toUpperCase())
  .meta({ type: "string", pattern: "^[0-9A-Za-z]{8}$" });
const pixKey = optional(text(77).refine((key) => pixKeyKind(key) !== undefined, "must be a Pix key"));

const bankAccountShape = {
  holderName: text(NAME),
  holderDocument: text(PHONE),
  bank: optional(bank).meta({ description: "COMPE code; this or `ispb`, which wins" }),
  ispb: optional(ispb),
  branchNumber: digits(10),
  branchCheckDigit: checkDigit,
  accountNumber: digits(20),
  accountCheckDigit: checkDigit,
  type: z.enum(["conta_corrente", "conta_poupanca", "conta_corrente_conjunta", "conta_poupanca_conjunta"]),
  pixKey,
  holdeType: optional(z.enum(["individual", "company"])).meta({ description: "Whose document the holder's must be" }),
};

/** What a registration review may ask for: a group, a member of it, or a document by its type. */
const pathsOf = (group: string, shape: z.ZodRawShape): string[] => [
  group,
  ...Object.keys(shape).map((member) => `${group}.${member}`),
];
const partsOf = (group: string): string[] => [
  ...Object.keys(addressShape).map((member) => `${group}.address.${member}`),
  ...Object.keys(documentInput.shape).map((member) => `${group}.document.${member}`),
];
export const ASKABLE_PATHS: readonly string[] = [
  ...pathsOf("owner", ownerShape),
  ...partsOf("owner"),
  ...pathsOf("business", businessShape),
  ...partsOf("business"),
  ...pathsOf("bankAccount", bankAccountShape),
  ...DOCUMENT_TYPES.map((type) => `documents.${type}`),
];

const transferDay = z
  .union([z.string().regex(/^\d{1,2}$/, "must be a whole number"), z.int().min(0).max(31)])
  .transform(String)
  .meta({ anyOf: [{ type: "string" }, { type: "integer" }] });
const transferPolicyShape = {
  transferInterval: z.enum(["daily", "weekly", "monthly"]),
  transferDay,
  transferEnabled: z.boolean(),
  automaticAnticipationEnabled: optional(z.boolean()),
  anticipatableVolumePercentage: optional(
    z.string().regex(/^(?:[1-9]\d?|100)$/, "must be a whole number from 1 to 100"),
  ),
  automaticAnticipationType: optional(z.enum(["full", "1025"])),
  automaticAnticipationDays: optional(
    z.string().regex(/^\[\d{1,2}(?:,\s?\d{1,2}){0,30}\]$/, "must be a list of days such as [10,25]"),
  ),
  automaticAnticipation1025Delay: optional(z.string().regex(/^\d{1,3}$/, "must be a whole number of days")),
};

const LAST_DAYS = { daily: [0, 1], weekly: [1, 5], monthly: [1, 31] } as const;
const ANTICIPATION_DAYS = /\d+/g;

/** What its members say together. */
export function policyProblems(policy: {
  transferInterval: keyof typeof LAST_DAYS;
  transferDay: string;
  automaticAnticipationDays?: string | undefined;
}): string[] {
  const [first, last] = LAST_DAYS[policy.transferInterval];
  const day = Number(policy.transferDay);
  const days = policy.automaticAnticipationDays?.match(ANTICIPATION_DAYS)?.map(Number) ?? [];
  return [
    ...(first <= day && day <= last
      ? []
      : [`transferPolicy.transferDay: must be ${first} to ${last} for ${policy.transferInterval}`]),
    ...(days.every((one) => 1 <= one && one <= 31)
      ? []
      : ["transferPolicy.automaticAnticipationDays: must be days from 1 to 31"]),
  ];
}

const percentText = z.number().min(0).max(100);
const rateAgreement = z
  .union([
    z.object({ type: z.literal("GlobalRate"), percent: percentText, fee: amount(0) }),
    z.object({
      type: z.literal("FeePaymentMethod"),
      fee: amount(0),
      merchantDiscountRates: z
        .array(
          z.object({
            paymentArrangement: z.object({
              product: z.enum(["CreditCard", "DebitCard"]),
              brand: z.enum(["Visa", "Master", "Amex", "Elo", "Diners", "Hipercard"]),
            }),
            initialInstallmentNumber: z.int().min(1).max(12),
            finalInstallmentNumber: z.int().min(1).max(12),
            percent: percentText,
          }),
        )
        .max(MOST_AGREEMENTS),
    }),
  ])
  .meta({
    id: "RateAgreement",
    description: "Terms for the acquirer: sent with the registration, never a fee of ours.",
  });

const plainValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const pairs = z.array(z.object({ key: text(LINE), value: plainValue.optional() })).max(MOST_PAIRS);
const metadata = z
  .union([pairs, freeObject])
  .transform(
    (given): Record<string, unknown> =>
      Array.isArray(given) ? Object.fromEntries(given.map(({ key, value }) => [key, value ?? null])) : given,
  )
  .meta({ description: "A free object, or a list of {key, value}; answered as an object" });

const fareMdr = z
  .number()
  .min(0)
  .max(100)
  .refine((given) => percentToBps(given) !== undefined, "must have at most 2 decimals");

const terms = {
  planId: optional(uuid).meta({ description: "A sale plan of the account; absent: the default plan" }),
  salesPlanId: optional(text(LINE)).meta({ description: "Sale plan at the provider" }),
  processingFee: optional(z.boolean()),
  liable: optional(z.boolean()),
  fareMdr: optional(fareMdr),
  fareFee: optional(amount(0)),
  minNegativeBalance: optional(amount(0)),
  maxRefundDays: optional(z.int().min(0).max(MOST_DAYS)),
  notifyOnPayout: optional(z.boolean()),
  rateAgreements: optional(z.array(rateAgreement).max(MOST_AGREEMENTS)),
  metadata: optional(metadata),
  documents: optional(z.array(uuid).max(MOST_DOCUMENTS)).meta({ description: "Ids of documents uploaded before" }),
  documentIds: optional(z.array(uuid).max(MOST_DOCUMENTS)).meta({ description: "As `documents`" }),
};

const adopted = z
  .object({ providerType: text(NAME), externalId: text(LINE) })
  .meta({ id: "AdoptedRegistration", description: "A registration that exists at the provider already." });

export const newSeller = z
  .object({
    merchantId: uuid,
    mcc,
    owner: z.object(ownerShape).meta({ id: "NewSellerOwner" }),
    business: optional(z.object(businessShape).meta({ id: "NewSellerBusiness" })),
    bankAccount: z.object(bankAccountShape).meta({ id: "NewSellerBankAccount" }),
    transferPolicy: optional(z.object(transferPolicyShape).meta({ id: "NewTransferPolicy" })),
    ...terms,
    createAsync: optional(z.boolean()).meta({
      description: "true: answered at once as pending, registered at the providers afterwards",
    }),
    providers: optional(z.array(adopted).max(MOST_DOCUMENTS)),
  })
  .meta({ id: "NewSeller", description: "A person, or with `business` a company." });
export type NewSeller = z.output<typeof newSeller>;

type Loose<S extends z.ZodRawShape> = {
  [Name in keyof S]: z.ZodType<z.output<S[Name]> | undefined, z.input<S[Name]> | null | undefined>;
};

/** Every member of a group may be left out: what is there stays. */
const loose = <S extends z.ZodRawShape>(shape: S): Loose<S> =>
  // Guarantee: the same names, each made optional.
  Object.fromEntries(
    Object.entries(shape).map(([name, member]) => [name, optional(member as z.ZodType)]),
  ) as unknown as Loose<S>;

const addressChange = optional(z.object(loose(addressShape)).meta({ id: "SellerAddressChange" }));
const documentChange = optional(documentInput);
const { address: _ownerAddress, document: _ownerDocument, ...ownerLines } = ownerShape;
const { address: _businessAddress, document: _businessDocument, ...businessLines } = businessShape;

export const ownerChange = z
  .object({ ...loose(ownerLines), address: addressChange, document: documentChange })
  .meta({ id: "SellerOwnerChange" });
export const businessChange = z
  .object({ ...loose(businessLines), address: addressChange, document: documentChange })
  .meta({ id: "SellerBusinessChange" });
const bankAccountChange = z.object(loose(bankAccountShape)).meta({ id: "SellerBankAccountChange" });
const transferPolicyChange = z.object(loose(transferPolicyShape)).meta({ id: "TransferPolicyChange" });

/** The groups as they must be once a change is merged into them. */
export const wholeGroups = z.object({
  owner: z.object(ownerShape),
  business: z.object(businessShape).optional(),
  bankAccount: z.object(bankAccountShape),
  transferPolicy: z.object(transferPolicyShape),
});

const changes = {
  mcc: optional(mcc),
  owner: optional(ownerChange),
  business: optional(businessChange),
  transferPolicy: optional(transferPolicyChange),
  ...terms,
  status: optional(z.enum(["pending", "active", "partial", "inactive", "blocked"])).meta({
    description: "inactive switches the seller off, active takes that back; nothing else can be asked for",
  }),
  statusReason: optional(text(LINE)),
  reasonType: optional(z.enum(["other", "funds"])),
};

export const sellerChange = z
  .object({ ...changes, bankAccount: optional(bankAccountChange) })
  .meta({ id: "SellerChange", description: "Nested groups merge member by member." });
/** The form with the id in the query, where the bank account must be sent. */
export const sellerChangeWithAccount = z
  .object({ ...changes, bankAccount: bankAccountChange })
  .meta({ id: "SellerChangeWithAccount" });
export type SellerChange = z.output<typeof sellerChange>;

export const sellerDeletion = z.object({ merchantId: uuid }).meta({ id: "SellerDeletion" });
export const sellerParams = z.object({ id: uuid });
export const sellerQuery = z.object({ id: uuid });

export const sellerFilters = pageQuery.extend({
  id: uuid.optional(),
  email: z
    .string()
    .max(EMAIL)
    .transform((address) => address.toLowerCase())
    .optional()
    .meta({ type: "string", description: "Of the owner or the business" }),
  status: commaList(["pending", "active", "partial", "inactive", "blocked"]).optional(),
  businessName: z.string().min(3).max(100).optional().meta({ description: "A part of it, in any letter case" }),
  merchantId: uuid.optional(),
});
export type SellerFilters = z.output<typeof sellerFilters>;
