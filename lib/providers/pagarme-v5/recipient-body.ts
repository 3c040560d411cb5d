import type {
  RecipientAddress,
  RecipientBankAccount,
  RecipientBusiness,
  RecipientPerson,
  RecipientTransferPolicy,
  SellerInput,
} from "@/lib/providers/recipients";
import { foldedText } from "@/lib/providers/text";
import { findBankByIspb } from "@/lib/reference/banks";

/** A seller in Pagar.me's words. */

const MAX_NAME = 128;
const MAX_HOLDER = 30;
const MAX_TEXT = 256;
/** The members that it wants and that we have no word for. */
const NONE = "Nenhum";

type WireBankAccount = Readonly<Record<string, string>>;

/** In Pagar.me's words, or what it would want to know besides: money follows it, so no part of it is guessed. */
export function bankAccountOf(account: RecipientBankAccount): WireBankAccount | string {
  const bank = account.ispb === undefined ? account.bank : findBankByIspb(account.ispb)?.code;
  if (bank === undefined) return "the bank has no code of three digits";
  if (!account.accountCheckDigit) return "the bank account needs its check digit";
  const isCompany = account.holderType ? account.holderType === "company" : account.holderDocument.length > 11;
  return {
    holder_name: foldedText(account.holderName, MAX_HOLDER),
    holder_type: isCompany ? "company" : "individual",
    holder_document: account.holderDocument,
    bank,
    branch_number: account.branchNumber,
    ...(account.branchCheckDigit ? { branch_check_digit: account.branchCheckDigit } : {}),
    account_number: account.accountNumber,
    account_check_digit: account.accountCheckDigit,
    type: account.type.startsWith("conta_poupanca") ? "savings" : "checking",
    ...(account.pixKey ? { pix_key: account.pixKey } : {}),
  };
}

export const transferSettingsOf = ({ transferEnabled, transferInterval, transferDay }: RecipientTransferPolicy) => ({
  transfer_enabled: transferEnabled,
  transfer_interval: transferInterval,
  // A daily transfer has no day.
  transfer_day: transferInterval === "daily" ? 0 : transferDay,
});

export const anticipationOf = ({ automaticAnticipation }: RecipientTransferPolicy) => {
  if (!automaticAnticipation) return undefined;
  const { type, volumePercentage, days, delay } = automaticAnticipation;
  return {
    enabled: true,
    type,
    ...(volumePercentage === undefined ? {} : { volume_percentage: volumePercentage }),
    ...(days === undefined ? {} : { days }),
    ...(delay === undefined ? {} : { delay }),
  };
};

/** All that it examines a seller by; `reference` is the code by which it is found again. */
export function registrationOf(reference: string, seller: SellerInput, account: WireBankAccount) {
  const { owner, business, transferPolicy } = seller;
  const anticipation = anticipationOf(transferPolicy);
  return {
    code: reference,
    register_information: business ? companyOf(business, owner) : { type: "individual", ...personOf(owner) },
    default_bank_account: account,
    transfer_settings: transferSettingsOf(transferPolicy),
    ...(anticipation ? { automatic_anticipation_settings: anticipation } : {}),
    metadata: { mcc: seller.mcc },
  };
}

const personOf = (person: RecipientPerson) => ({
  name: foldedText(person.name, MAX_NAME),
  email: person.email,
  document: person.document.number,
  birthdate: dayFirst(person.birthdate),
  monthly_income: Math.round((person.monthlyIncome ?? 0) / 100),
  professional_occupation: foldedText(person.professionalOccupation ?? NONE, MAX_TEXT),
  address: addressOf(person.address),
  phone_numbers: [phoneOf(person.phoneNumber, "mobile")],
});

const companyOf = (business: RecipientBusiness, owner: RecipientPerson) => ({
  type: "corporation",
  company_name: foldedText(business.corporateReason ?? business.name, MAX_NAME),
  trading_name: foldedText(business.name, MAX_NAME),
  email: business.email,
  document: business.document.number,
  annual_revenue: Math.round((business.annualRevenue ?? 0) / 100),
  ...(business.openingDate ? { founding_date: business.openingDate } : {}),
  ...(business.website ? { site_url: business.website } : {}),
  main_address: addressOf(business.address),
  phone_numbers: [phoneOf(business.phoneNumber, "mobile")],
  managing_partners: [
    {
      ...personOf(owner),
      self_declared_legal_representative: owner.isBusinessRepresentative ?? true,
    },
  ],
});

const addressOf = (address: RecipientAddress) => ({
  street: foldedText(address.street, MAX_TEXT),
  complementary: foldedText(address.complement ?? NONE, MAX_TEXT),
  street_number: address.streetNumber,
  neighborhood: foldedText(address.district, MAX_TEXT),
  city: foldedText(address.city, MAX_TEXT),
  state: address.state,
  zip_code: address.zipCode,
  reference_point: foldedText(address.referencePoint ?? NONE, MAX_TEXT),
});

function phoneOf(phone: string, type: string) {
  const digits = phone.replace(/\D/g, "").replace(/^55(?=\d{10,11}$)/, "");
  return { ddd: digits.slice(0, 2), number: digits.slice(2), type };
}

/** DD/MM/YYYY. */
const dayFirst = (day: string): string => day.split("-").reverse().join("/");
