import { Ban, CheckCircle2, CircleDashed, CircleX, type LucideIcon, PauseCircle } from "lucide-react";
import { getFormatter, getTranslations } from "next-intl/server";
import type { ComponentProps } from "react";
import type { Badge } from "@/components/ui/badge";
import type { DOCUMENT_TYPES, SellerBankAccount, SellerStatus, SellerTransferPolicy } from "@/db/schema/sellers";
import { maskTaxId } from "@/lib/brazil/cpf-cnpj";
import type { ChangedMember } from "@/lib/sellers/account-changes";
import type { RegistrationRow, ReviewRow, SellerProvider } from "@/lib/sellers/queries";

type Look = { icon: LucideIcon; tone: ComponentProps<typeof Badge>["tone"] };

export const SELLER_LOOKS: Record<SellerStatus, Look> = {
  pending: { icon: CircleDashed, tone: "info" },
  active: { icon: CheckCircle2, tone: "success" },
  partial: { icon: PauseCircle, tone: "warning" },
  inactive: { icon: Ban, tone: "neutral" },
  blocked: { icon: CircleX, tone: "danger" },
};
export const SELLER_STATUS_TEXTS = {
  pending: "statusPending",
  active: "statusActive",
  partial: "statusPartial",
  inactive: "statusInactive",
  blocked: "statusBlocked",
} as const satisfies Record<SellerStatus, string>;

export const REGISTRATION_LOOKS: Record<RegistrationRow["status"], Look> = {
  pending: SELLER_LOOKS.pending,
  active: SELLER_LOOKS.active,
  refused: { icon: CircleX, tone: "danger" },
  blocked: SELLER_LOOKS.blocked,
  inactive: SELLER_LOOKS.inactive,
};
export const REGISTRATION_TEXTS = {
  pending: "statusPending",
  active: "statusActive",
  refused: "registrationRefused",
  blocked: "statusBlocked",
  inactive: "statusInactive",
} as const satisfies Record<RegistrationRow["status"], string>;

export const REVIEW_LOOKS: Record<ReviewRow["status"], Look> = {
  opened: { icon: CircleDashed, tone: "warning" },
  submitted: { icon: CircleDashed, tone: "info" },
  approved: { icon: CheckCircle2, tone: "success" },
  rejected: { icon: CircleX, tone: "danger" },
  expired: { icon: CircleX, tone: "danger" },
};
export const REVIEW_TEXTS = {
  opened: "reviewOpened",
  submitted: "reviewSubmitted",
  approved: "reviewApproved",
  rejected: "reviewRejected",
  expired: "reviewExpired",
} as const satisfies Record<ReviewRow["status"], string>;

export const DOCUMENT_TEXTS = {
  SELFIE: "documentSelfie",
  CNH_FULL: "documentCnhFull",
  CNH_FRONT: "documentCnhFront",
  CNH_BACK: "documentCnhBack",
  RG_FRONT: "documentRgFront",
  RG_BACK: "documentRgBack",
} as const satisfies Record<(typeof DOCUMENT_TYPES)[number], string>;

export const ACCOUNT_TEXTS = {
  holderName: "holderName",
  holderDocument: "holderDocument",
  bank: "bank",
  branchNumber: "branch",
  branchCheckDigit: "branchDigit",
  accountNumber: "accountNumber",
  accountCheckDigit: "accountDigit",
  type: "accountType",
  pixKey: "pixKey",
} as const satisfies Record<ChangedMember["member"], string>;
export const ACCOUNT_TYPE_TEXTS = {
  conta_corrente: "checking",
  conta_poupanca: "savings",
  conta_corrente_conjunta: "checkingJoint",
  conta_poupanca_conjunta: "savingsJoint",
} as const satisfies Record<SellerBankAccount["type"], string>;

export const LINE_TEXTS = {
  credit: "lineCredit",
  refund: "lineRefund",
  refund_reversal: "lineRefundReversal",
  chargeback: "lineChargeback",
  chargeback_refund: "lineChargebackRefund",
} as const;

const PARTS = {
  name: "askedName",
  email: "email",
  phoneNumber: "phone",
  birthdate: "birthdate",
  document: "askedDocument",
  address: "askedAddress",
  businessCategory: "occupation",
  monthlyIncome: "monthlyIncome",
  professionalOccupation: "occupation",
  annualRevenue: "annualRevenue",
  corporateReason: "corporateReason",
  website: "website",
} as const;

/** What a provider asks for, as people call it; a path that is not known is shown as it is. */
export async function askedNamer(): Promise<(path: string) => string> {
  const t = await getTranslations("sellers");
  return (path) => {
    const [group = "", part = ""] = path.split(".");
    if (group === "documents" && Object.hasOwn(DOCUMENT_TEXTS, part))
      // Guarantee: looked up only where the key exists.
      return t(DOCUMENT_TEXTS[part as keyof typeof DOCUMENT_TEXTS]);
    const word = Object.hasOwn(PARTS, part) ? t(PARTS[part as keyof typeof PARTS]) : part;
    if (group === "owner") return t("askedOfOwner", { what: word });
    if (group === "bankAccount") return t("account");
    return group === "business" ? t("askedOfBusiness", { what: word }) : path;
  };
}

/** Which provider of a seller it is, by the registration there; those of one name are told apart. */
export async function providerNamer(): Promise<(registrationId: string, all: readonly SellerProvider[]) => string> {
  const t = await getTranslations("sellers");
  return (registrationId, all) => {
    const one = all.find((provider) => provider.registrationId === registrationId);
    if (!one) return t("none");
    const { id, name, priority } = one;
    const namesakes = all.filter((provider) => provider !== one && provider.name === name);
    if (namesakes.length === 0) return name;
    if (namesakes.every((provider) => provider.priority !== priority)) return t("providerNth", { name, priority });
    return t("providerMarked", { name, mark: id.slice(-MARK) });
  };
}

const MARK = 6;

/** "Every week, on Monday". */
export async function policyText({
  transferInterval,
  transferDay,
  transferEnabled,
}: SellerTransferPolicy): Promise<string> {
  const [t, format] = await Promise.all([getTranslations("sellers"), getFormatter()]);
  if (!transferEnabled) return t("policyOff");
  if (transferInterval === "daily") return t("policyDaily");
  if (transferInterval === "monthly") return t("policyMonthly", { day: Number(transferDay) });
  return t("policyWeekly", { day: weekdayName(format, transferDay) });
}

/** "Monday", of `1`: the first of January 2024 was one. */
export const weekdayName = (format: Awaited<ReturnType<typeof getFormatter>>, day: string): string =>
  format.dateTime(new Date(Date.UTC(2024, 0, Number(day), 12)), { weekday: "long", timeZone: "UTC" });

/** As far as whoever looks may see it. */
export const shownDocument = ({ document, isMasked }: { document: string | null; isMasked: boolean }): string =>
  document === null || isMasked ? (document ?? "") : maskTaxId(document);
