import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import type { TypedMember } from "@/app/(dashboard)/dashboard/sellers/typed";
import { weekdayName } from "@/app/(dashboard)/dashboard/sellers/words";
import { isUnnamedDefault } from "@/app/(dashboard)/plan-names";
import type { TaskField } from "@/components/tasks/task-input";
import type {
  SellerAddress,
  SellerBankAccount,
  SellerBusiness,
  SellerOwner,
  SellerTransferPolicy,
} from "@/db/schema/sellers";
import { centsToDecimal } from "@/lib/money";
import { BANKS } from "@/lib/reference/banks";
import type { SellerRow } from "@/lib/sellers/queries";

const ADDRESS = [
  ["street", "text"],
  ["streetNumber", "text"],
  ["complement", "text"],
  ["district", "text"],
  ["city", "text"],
  ["state", "text"],
  ["zipCode", "text"],
] as const;
const under = (group: string, members: readonly TypedMember[]): TypedMember[] =>
  members.map(([path, kind]) => [`${group}.${path}`, kind]);

const PERSON: readonly TypedMember[] = [
  ["name", "text"],
  ["email", "text"],
  ["phoneNumber", "phone"],
  ["document.number", "text"],
];
const OWNER: readonly TypedMember[] = [
  ...PERSON,
  ["birthdate", "text"],
  ["monthlyIncome", "cents"],
  ["professionalOccupation", "text"],
  ...under("address", ADDRESS),
];
const BUSINESS: readonly TypedMember[] = [
  ...PERSON,
  ["corporateReason", "text"],
  ["website", "text"],
  ["annualRevenue", "cents"],
  ...under("address", ADDRESS),
];
export const OWNER_MEMBERS = under("owner", OWNER);
export const BUSINESS_MEMBERS = under("business", BUSINESS);
export const ACCOUNT_MEMBERS = under("bankAccount", [
  ["holderName", "text"],
  ["holderDocument", "text"],
  ["bank", "text"],
  ["branchNumber", "text"],
  ["branchCheckDigit", "text"],
  ["accountNumber", "text"],
  ["accountCheckDigit", "text"],
  ["type", "text"],
  ["pixKey", "text"],
]);
export const POLICY_MEMBERS = under("transferPolicy", [
  ["transferInterval", "text"],
  ["weekday", "text"],
  ["monthDay", "text"],
  ["transferEnabled", "yes"],
]);
export const TERM_MEMBERS: readonly TypedMember[] = [
  ["planId", "text"],
  ["processingFee", "yes"],
  ["liable", "yes"],
  ["fareMdr", "percent"],
  ["fareFee", "cents"],
  ["minNegativeBalance", "cents"],
  ["maxRefundDays", "whole"],
  ["notifyOnPayout", "yes"],
];

/** What the fields begin with: of a seller that is there, else nothing. */
type Start<T> = Partial<T> | undefined;

export async function typed(): Promise<(cents: number | undefined | null) => string> {
  const locale = await getLocale();
  return (cents) => {
    if (cents === undefined || cents === null) return "";
    const text = centsToDecimal(cents);
    return locale === "en" ? text : text.replace(".", ",");
  };
}

async function addressFields(group: string, address: Start<SellerAddress>): Promise<TaskField[]> {
  const t = await getTranslations("sellers");
  const texts = {
    street: t("street"),
    streetNumber: t("streetNumber"),
    complement: t("complement"),
    district: t("district"),
    city: t("city"),
    state: t("state"),
    zipCode: t("zipCode"),
  } as const satisfies Record<(typeof ADDRESS)[number][0], string>;
  // What may be left empty.
  const hints: Partial<Record<(typeof ADDRESS)[number][0], string>> = {
    complement: t("optional"),
    city: t("cityHint"),
    state: t("stateHint"),
  };
  return ADDRESS.map(([name]) => ({
    name: `${group}.address.${name}`,
    label: texts[name],
    initial: address?.[name] ?? "",
    isRequired: hints[name] === undefined,
    hint: hints[name],
    ...(name === "zipCode" ? { kind: "number" as const } : {}),
  }));
}

export async function ownerFields(owner?: SellerOwner): Promise<TaskField[]> {
  const [t, say] = [await getTranslations("sellers"), await typed()];
  return [
    { name: "owner.name", label: t("ownerName"), initial: owner?.name, isRequired: true },
    {
      name: "owner.document.number",
      label: t("cpf"),
      kind: "number",
      initial: owner?.document.number,
      isRequired: true,
    },
    { name: "owner.birthdate", label: t("birthdate"), kind: "day", initial: owner?.birthdate, isRequired: true },
    { name: "owner.email", label: t("email"), kind: "email", initial: owner?.email, isRequired: true },
    {
      name: "owner.phoneNumber",
      kind: "phone",
      label: t("phone"),
      hint: t("phoneHint"),
      initial: owner?.phoneNumber,
      isRequired: true,
    },
    {
      name: "owner.professionalOccupation",
      label: t("occupation"),
      hint: t("optional"),
      initial: owner?.professionalOccupation ?? "",
    },
    {
      name: "owner.monthlyIncome",
      label: t("monthlyIncome"),
      hint: t("optional"),
      kind: "amount",
      initial: say(owner?.monthlyIncome),
    },
    ...(await addressFields("owner", owner?.address)),
  ];
}

export async function businessFields(business?: SellerBusiness | null): Promise<TaskField[]> {
  const [t, say] = [await getTranslations("sellers"), await typed()];
  return [
    { name: "business.name", label: t("businessName"), initial: business?.name, isRequired: true },
    {
      name: "business.corporateReason",
      label: t("corporateReason"),
      hint: t("optional"),
      initial: business?.corporateReason ?? "",
    },
    { name: "business.document.number", label: t("cnpj"), initial: business?.document.number, isRequired: true },
    { name: "business.email", label: t("email"), kind: "email", initial: business?.email, isRequired: true },
    {
      name: "business.phoneNumber",
      kind: "phone",
      label: t("phone"),
      hint: t("phoneHint"),
      initial: business?.phoneNumber,
      isRequired: true,
    },
    { name: "business.website", label: t("website"), hint: t("websiteHint"), initial: business?.website ?? "" },
    {
      name: "business.annualRevenue",
      kind: "amount",
      label: t("annualRevenue"),
      hint: t("optional"),
      initial: say(business?.annualRevenue),
    },
    ...(await addressFields("business", business?.address)),
  ];
}

export async function accountFields(account?: SellerBankAccount): Promise<TaskField[]> {
  const t = await getTranslations("sellers");
  return [
    { name: "bankAccount.holderName", label: t("holderName"), initial: account?.holderName, isRequired: true },
    {
      name: "bankAccount.holderDocument",
      label: t("holderDocument"),
      hint: t("holderDocumentHint"),
      initial: account?.holderDocument,
      isRequired: true,
    },
    {
      name: "bankAccount.bank",
      label: t("bank"),
      hint: t("bankHint"),
      suggestions: BANKS.filter(({ ispb }) => ispb !== null).map(({ code, name }) => ({ value: code, label: name })),
      initial: account?.bank ?? "",
      isRequired: true,
    },
    {
      name: "bankAccount.branchNumber",
      label: t("branch"),
      kind: "number",
      initial: account?.branchNumber,
      isRequired: true,
    },
    {
      name: "bankAccount.branchCheckDigit",
      label: t("branchDigit"),
      hint: t("optional"),
      initial: account?.branchCheckDigit ?? "",
    },
    {
      name: "bankAccount.accountNumber",
      label: t("accountNumber"),
      kind: "number",
      initial: account?.accountNumber,
      isRequired: true,
    },
    {
      name: "bankAccount.accountCheckDigit",
      label: t("accountDigit"),
      hint: t("optional"),
      initial: account?.accountCheckDigit ?? "",
    },
    {
      name: "bankAccount.type",
      label: t("accountType"),
      kind: "choice",
      initial: account?.type ?? "conta_corrente",
      options: [
        { value: "conta_corrente", label: t("checking") },
        { value: "conta_poupanca", label: t("savings") },
        { value: "conta_corrente_conjunta", label: t("checkingJoint") },
        { value: "conta_poupanca_conjunta", label: t("savingsJoint") },
      ],
    },
    { name: "bankAccount.pixKey", label: t("pixKey"), hint: t("pixKeyHint"), initial: account?.pixKey ?? "" },
  ];
}

const WEEKDAYS = ["1", "2", "3", "4", "5"];
const MONTH_DAYS = Array.from({ length: 31 }, (_, index) => String(index + 1));

export async function policyFields(policy?: SellerTransferPolicy): Promise<TaskField[]> {
  const [t, format] = [await getTranslations("sellers"), await getFormatter()];
  const dayOf = (interval: "weekly" | "monthly"): string =>
    policy?.transferInterval === interval ? policy.transferDay : "1";
  return [
    {
      name: "transferPolicy.transferInterval",
      label: t("interval"),
      kind: "choice",
      initial: policy?.transferInterval ?? "weekly",
      options: [
        { value: "daily", label: t("daily") },
        { value: "weekly", label: t("weekly") },
        { value: "monthly", label: t("monthly") },
      ],
    },
    {
      name: "transferPolicy.weekday",
      label: t("weekday"),
      kind: "choice",
      when: "weekly",
      initial: dayOf("weekly"),
      options: WEEKDAYS.map((value) => ({ value, label: weekdayName(format, value) })),
    },
    {
      name: "transferPolicy.monthDay",
      label: t("monthDay"),
      hint: t("monthDayHint"),
      kind: "choice",
      when: "monthly",
      initial: dayOf("monthly"),
      options: MONTH_DAYS.map((value) => ({ value, label: value })),
    },
    {
      name: "transferPolicy.transferEnabled",
      label: t("transfersOn"),
      kind: "check",
      initial: (policy?.transferEnabled ?? true) ? "yes" : "",
    },
  ];
}

export interface PlanChoice {
  id: string;
  name: string;
  isDefault: boolean;
}

export async function termFields(plans: readonly PlanChoice[], row?: SellerRow): Promise<TaskField[]> {
  const [t, say] = [await getTranslations("sellers"), await typed()];
  const usual = plans.find(({ isDefault }) => isDefault);
  const yes = (value: boolean | undefined) => (value ? "yes" : "");
  return [
    {
      name: "planId",
      label: t("plan"),
      kind: "choice",
      initial: row?.planId ?? "",
      options: [
        {
          value: "",
          label: usual && !isUnnamedDefault(usual) ? t("planDefault", { name: usual.name }) : t("planUsual"),
        },
        ...plans.filter(({ isDefault }) => !isDefault).map(({ id, name }) => ({ value: id, label: name })),
      ],
    },
    {
      name: "fareMdr",
      kind: "amount",
      label: t("fareMdr"),
      hint: t("fareMdrHint"),
      initial: say(row?.fareMdrBps ?? 0),
    },
    { name: "fareFee", kind: "amount", label: t("fareFee"), hint: t("fareFeeHint"), initial: say(row?.fareFee ?? 0) },
    {
      name: "minNegativeBalance",
      kind: "amount",
      label: t("floor"),
      hint: t("floorHint"),
      initial: say(row?.minNegativeBalance ?? 0),
    },
    {
      name: "maxRefundDays",
      label: t("refundDays"),
      hint: t("refundDaysHint"),
      kind: "number",
      initial: row?.maxRefundDays === null || row === undefined ? "" : String(row.maxRefundDays),
    },
    {
      name: "processingFee",
      label: t("paysFee"),
      hint: t("paysFeeHint"),
      kind: "check",
      initial: yes(row?.processingFee),
    },
    { name: "liable", label: t("liable"), hint: t("liableHint"), kind: "check", initial: yes(row?.liable) },
    { name: "notifyOnPayout", label: t("notifies"), kind: "check", initial: yes(row?.notifyOnPayout ?? true) },
  ];
}
