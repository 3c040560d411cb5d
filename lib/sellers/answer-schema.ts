import { z } from "zod";
import {
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  REGISTRATION_STATUSES,
  REVIEW_STATUSES,
  SELLER_STATUSES,
} from "@/db/schema/sellers";
import { freeObject, instantOut } from "@/lib/http/fields";
import { listOf } from "@/lib/http/pagination";

const words = z.string().nullable();
const cents = z.int().min(0);
const part = { id: z.uuid(), createdAt: instantOut, updatedAt: instantOut };
const birthday = z.string().meta({ format: "date-time" });

const address = z
  .object({
    ...part,
    street: z.string(),
    streetNumber: z.string(),
    complement: words,
    zipCode: z.string(),
    country: z.string(),
    state: z.string(),
    city: z.string(),
    district: z.string(),
    referencePoint: words,
  })
  .meta({ id: "SellerAddress" });
const document = z
  .object({ ...part, type: z.string(), number: z.string(), country: z.string() })
  .meta({ id: "SellerDocumentNumber" });
const person = { ...part, name: z.string(), email: z.string(), phoneNumber: z.string(), document, address };

export const sellerBody = z
  .object({
    id: z.uuid(),
    merchantId: z.uuid(),
    clientId: z.uuid(),
    planId: z.uuid().nullable().meta({ description: "null: the account's default plan" }),
    salesPlanId: words,
    mcc: z.string(),
    status: z.enum(SELLER_STATUSES),
    statusReason: words,
    providers: z.array(
      z
        .object({
          providerType: z.string(),
          externalId: words,
          externalStatus: words.meta({ description: "The provider's own word" }),
          externalStatusReason: words,
          status: z.enum(REGISTRATION_STATUSES),
          createdAt: instantOut,
          updatedAt: instantOut,
        })
        .meta({ id: "SellerRegistration" }),
    ),
    owner: z.object({
      ...person,
      birthdate: birthday,
      businessCategory: words,
      monthlyIncome: cents.nullable(),
      professionalOccupation: words,
      isBusinessRepresentative: z.boolean().nullable(),
      annualRevenue: cents.nullable(),
    }),
    business: z
      .object({
        ...person,
        corporateReason: words,
        website: words,
        description: words,
        facebook: words,
        twitter: words,
        openingDate: words,
        annualRevenue: cents.nullable(),
      })
      .nullable(),
    bankAccount: z.object({
      ...part,
      holderName: z.string(),
      holderDocument: z.string(),
      bank: words,
      ispb: words,
      branchNumber: z.string(),
      branchCheckDigit: words,
      accountNumber: z.string(),
      accountCheckDigit: words,
      type: z.string(),
      pixKey: words,
      holdeType: words,
    }),
    transferPolicy: z.object({
      ...part,
      transferDay: z.string(),
      transferEnabled: z.boolean(),
      transferInterval: z.string(),
      automaticAnticipationEnabled: z.boolean(),
      anticipatableVolumePercentage: words,
      automaticAnticipationType: words,
      automaticAnticipationDays: words,
      automaticAnticipation1025Delay: words,
    }),
    rateAgreements: z.array(freeObject),
    documents: z.array(z.uuid()),
    notifyOnPayout: z.boolean(),
    metadata: freeObject.nullable(),
    processingFee: z.boolean(),
    liable: z.boolean(),
    fareMdr: z.number(),
    fareFee: cents,
    minNegativeBalance: cents,
    maxRefundDays: z.int().nullable(),
    createdAt: instantOut,
    updatedAt: instantOut,
  })
  .meta({ id: "Seller", description: "Who receives a part of split payments." });
export type SellerBody = z.input<typeof sellerBody>;
export const sellerList = listOf(sellerBody);

export const sellerEventData = z
  .object({
    origin: z
      .object({ provider: z.string(), providerId: z.uuid(), status: z.string() })
      .nullable()
      .meta({ description: "Which registration changed, and its status; null when the account's own change did it" }),
    seller: sellerBody,
  })
  .meta({ id: "SellerEvent" });

export const reviewBody = z
  .object({
    id: z.uuid(),
    sellerId: z.uuid(),
    status: z.enum(REVIEW_STATUSES),
    requestedFields: z.array(z.string()).meta({ description: "Paths such as `owner.address` or `documents.SELFIE`" }),
    reason: words,
    deadline: instantOut,
    submittedAt: instantOut.nullable(),
    closedAt: instantOut.nullable(),
    createdAt: instantOut,
    updatedAt: instantOut,
  })
  .meta({ id: "RegistrationReview", description: "What a provider asks of a seller's data." });
export type ReviewBody = z.input<typeof reviewBody>;
export const reviewList = listOf(reviewBody);

export const documentBody = z
  .object({
    id: z.uuid(),
    type: z.enum(DOCUMENT_TYPES),
    status: z.enum(DOCUMENT_STATUSES),
    expiresAt: instantOut.nullable().meta({ description: "While nobody names it" }),
    createdAt: instantOut,
  })
  .meta({ id: "SellerDocument" });
export type DocumentBody = z.input<typeof documentBody>;
export const documentList = listOf(documentBody);
