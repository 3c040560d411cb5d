import type { SellerAddress, SellerDocument } from "@/db/schema/sellers";
import { derivedId } from "@/lib/ids";
import { bpsToPercent } from "@/lib/money";
import { findBank, findBankByIspb } from "@/lib/reference/banks";
import type { DocumentBody, ReviewBody, SellerBody } from "@/lib/sellers/answer-schema";
import type { SellerDocumentRow } from "@/lib/sellers/documents";
import type { ReviewRow, Seller, SellerRow } from "@/lib/sellers/queries";

export function serializeSeller({ row, registrations, documents }: Seller): SellerBody {
  const { owner, business, bankAccount, transferPolicy } = row;
  return {
    id: row.id,
    merchantId: row.merchantId,
    clientId: row.clientId,
    planId: row.planId,
    salesPlanId: row.salesPlanId,
    mcc: row.mcc,
    status: row.status,
    statusReason: row.statusReason,
    providers: registrations.map((registration) => ({
      providerType: registration.providerType,
      externalId: registration.externalId,
      externalStatus: registration.externalStatus,
      externalStatusReason: registration.externalStatusReason,
      status: registration.status,
      createdAt: registration.createdAt,
      updatedAt: registration.updatedAt,
    })),
    owner: {
      ...partOf(row, "owner"),
      ...personOf(row, "owner", owner),
      birthdate: `${owner.birthdate}T00:00:00.000Z`,
      businessCategory: owner.businessCategory ?? null,
      monthlyIncome: owner.monthlyIncome ?? null,
      professionalOccupation: owner.professionalOccupation ?? null,
      isBusinessRepresentative: owner.isBusinessRepresentative ?? null,
      annualRevenue: owner.annualRevenue ?? null,
    },
    business: business && {
      ...partOf(row, "business"),
      ...personOf(row, "business", business),
      corporateReason: business.corporateReason ?? null,
      website: business.website ?? null,
      description: business.description ?? null,
      facebook: business.facebook ?? null,
      twitter: business.twitter ?? null,
      openingDate: business.openingDate ?? null,
      annualRevenue: business.annualRevenue ?? null,
    },
    bankAccount: {
      ...partOf(row, "bankAccount"),
      holderName: bankAccount.holderName,
      holderDocument: bankAccount.holderDocument,
      bank: bankAccount.bank ?? findBankByIspb(bankAccount.ispb ?? "")?.code ?? null,
      ispb: bankAccount.ispb ?? findBank(bankAccount.bank ?? "")?.ispb ?? null,
      branchNumber: bankAccount.branchNumber,
      branchCheckDigit: bankAccount.branchCheckDigit ?? null,
      accountNumber: bankAccount.accountNumber,
      accountCheckDigit: bankAccount.accountCheckDigit ?? null,
      type: bankAccount.type,
      pixKey: bankAccount.pixKey ?? null,
      holdeType: bankAccount.holdeType ?? null,
    },
    transferPolicy: {
      ...partOf(row, "transferPolicy"),
      transferDay: transferPolicy.transferDay,
      transferEnabled: transferPolicy.transferEnabled,
      transferInterval: transferPolicy.transferInterval,
      automaticAnticipationEnabled: transferPolicy.automaticAnticipationEnabled ?? false,
      anticipatableVolumePercentage: transferPolicy.anticipatableVolumePercentage ?? null,
      automaticAnticipationType: transferPolicy.automaticAnticipationType ?? null,
      automaticAnticipationDays: transferPolicy.automaticAnticipationDays ?? null,
      automaticAnticipation1025Delay: transferPolicy.automaticAnticipation1025Delay ?? null,
    },
    rateAgreements: row.rateAgreements ?? [],
    documents,
    notifyOnPayout: row.notifyOnPayout,
    metadata: row.metadata,
    processingFee: row.processingFee,
    liable: row.liable,
    fareMdr: bpsToPercent(row.fareMdrBps),
    fareFee: row.fareFee,
    minNegativeBalance: row.minNegativeBalance,
    maxRefundDays: row.maxRefundDays,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Nested objects carry ids too; they live and change with their seller. */
const partOf = ({ id, createdAt, updatedAt }: SellerRow, name: string) => ({
  id: derivedId("seller part", id, name),
  createdAt,
  updatedAt,
});

interface Person {
  name: string;
  email: string;
  phoneNumber: string;
  document: SellerDocument;
  address: SellerAddress;
}

const personOf = (row: SellerRow, name: string, { document, address, ...person }: Person) => ({
  name: person.name,
  email: person.email,
  phoneNumber: person.phoneNumber,
  document: {
    ...partOf(row, `${name}.document`),
    type: document.type,
    number: document.number,
    country: document.country,
  },
  address: {
    ...partOf(row, `${name}.address`),
    street: address.street,
    streetNumber: address.streetNumber,
    complement: address.complement ?? null,
    zipCode: address.zipCode,
    country: address.country,
    state: address.state,
    city: address.city,
    district: address.district,
    referencePoint: address.referencePoint ?? null,
  },
});

export const serializeReview = (review: ReviewRow): ReviewBody => ({
  id: review.id,
  sellerId: review.sellerId,
  status: review.status,
  requestedFields: review.requestedFields,
  reason: review.reason,
  deadline: review.deadline,
  submittedAt: review.submittedAt,
  closedAt: review.closedAt,
  createdAt: review.createdAt,
  updatedAt: review.updatedAt,
});

export const serializeDocument = ({ id, type, status, expiresAt, createdAt }: SellerDocumentRow): DocumentBody => ({
  id,
  type,
  status,
  expiresAt,
  createdAt,
});
