import { getLocale, getTranslations } from "next-intl/server";
import type { z } from "zod";
import type { TypedKind } from "@/app/(dashboard)/dashboard/sellers/typed";
import { typedAmounts } from "@/app/(dashboard)/typed-amounts";
import { formatCents } from "@/components/ui/money-format";

/** What was refused of a body: by its schema, or by a service that names the member. */
export type Issue = Pick<z.core.$ZodIssue, "code" | "path"> & { maximum?: number | bigint; origin?: string };

/** What each field takes: by the end of its name, the longer end first. */
const WORDS = {
  "owner.document.number": "unfitCpf",
  "business.document.number": "unfitCnpj",
  holderDocument: "unfitHolder",
  email: "unfitEmail",
  phoneNumber: "unfitPhone",
  birthdate: "unfitBirthdate",
  effectiveFrom: "unfitEffective",
  bank: "unfitBank",
  branchCheckDigit: "unfitCheckDigit",
  accountCheckDigit: "unfitCheckDigit",
  pixKey: "unfitPixKey",
  website: "unfitWebsite",
  mcc: "unfitMcc",
  weekday: "unfitChoice",
  monthDay: "unfitChoice",
  maxRefundDays: "unfitDays",
  installmentFrom: "unfitInstallments",
  installmentTo: "unfitInstallmentsTo",
  "address.country": "unfitCountry",
  "address.state": "unfitState",
  "address.zipCode": "unfitZip",
  planId: "unfitChoice",
  type: "unfitChoice",
  transferInterval: "unfitChoice",
  identityType: "unfitChoice",
  paymentMethod: "unfitChoice",
  brand: "unfitChoice",
  refundable: "unfitChoice",
} as const;
const MOST_DIGITS = { branchNumber: 10, accountNumber: 20 } as const;

const ends = (name: string, end: string): boolean => name === end || name.endsWith(`.${end}`);

/** What a refused field of a seller, a plan or a vendor needs, in the page's language. */
export async function unfitWords(): Promise<(name: string, kind: TypedKind, issue: Issue, form: FormData) => string> {
  const [t, locale, amounts] = [await getTranslations("sellers"), await getLocale(), await typedAmounts()];
  return (name, kind, issue, form) => {
    const most = issue.code === "too_big" ? Number(issue.maximum) : undefined;
    if (most !== undefined && issue.origin === "string") return t("unfitLong", { most });
    if (kind === "cents") {
      if (most === undefined || most === Number.MAX_SAFE_INTEGER)
        return amounts.problemOf(String(form.get(name) ?? ""));
      return t("unfitAmountMost", { most: formatCents(most, "BRL", locale) });
    }
    if (kind === "percent") return t("unfitPercent");
    if (ends(name, "identity")) return t(form.get("identityType") === "CPF" ? "unfitCpf" : "unfitCnpj");
    for (const [end, digits] of Object.entries(MOST_DIGITS)) {
      if (ends(name, end)) return t("unfitNumbers", { most: digits });
    }
    const end = Object.keys(WORDS).find((each) => ends(name, each));
    // Guarantee: found above as a key of it.
    return end ? t(WORDS[end as keyof typeof WORDS]) : t("unfitText");
  };
}
