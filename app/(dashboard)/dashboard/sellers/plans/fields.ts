import { getTranslations } from "next-intl/server";
import { typed } from "@/app/(dashboard)/dashboard/sellers/fields";
import type { TypedMember } from "@/app/(dashboard)/dashboard/sellers/typed";
import type { TaskField } from "@/components/tasks/task-input";
import { RATE_METHODS, REFUNDABLE } from "@/db/schema/sale-plans";
import { BRAND_NAMES, BRANDS } from "@/lib/brazil/card-brand";
import type { SalePlanRow } from "@/lib/sale-plans/queries";
import type { RateRow } from "@/lib/sale-plans/rates";

export const PLAN_MEMBERS: readonly TypedMember[] = [
  ["name", "text"],
  ["withdrawalFee", "cents"],
  ["minimumPayout", "cents"],
  ["monthlyRate", "percent"],
  ["markup", "percent"],
];
export const RATE_MEMBERS: readonly TypedMember[] = [
  ["paymentMethod", "text"],
  ["brand", "text"],
  ["installmentFrom", "whole"],
  ["installmentTo", "whole"],
  ["percentage", "percent"],
  ["fixedAmount", "cents"],
  ["refundable", "text"],
  ["effectiveFrom", "text"],
];

export const METHOD_TEXTS = {
  credit: "credit",
  debit: "debit",
  voucher: "voucher",
  pix: "pix",
  boleto: "boleto",
  default: "other",
} as const satisfies Record<(typeof RATE_METHODS)[number], string>;
export const REFUNDABLE_TEXTS = { none: "backNone", mdr: "backPercent", all: "backAll" } as const satisfies Record<
  (typeof REFUNDABLE)[number],
  string
>;

export async function planFields(row?: SalePlanRow): Promise<TaskField[]> {
  const [t, say] = [await getTranslations("salePlans"), await typed()];
  return [
    { name: "name", label: t("name"), initial: row?.name, isRequired: true },
    {
      name: "withdrawalFee",
      label: t("withdrawalFee"),
      hint: t("withdrawalHint"),
      initial: say(row?.withdrawalFee ?? 0),
      isRequired: true,
    },
    {
      name: "minimumPayout",
      label: t("minimum"),
      hint: t("minimumHint"),
      initial: say(row?.minimumPayout ?? 0),
      isRequired: true,
    },
    {
      name: "monthlyRate",
      label: t("monthlyRate"),
      hint: t("monthlyHint"),
      initial: say(row?.monthlyRateBps ?? 0),
      isRequired: true,
    },
    { name: "markup", label: t("markup"), hint: t("markupHint"), initial: say(row?.markupBps ?? 0), isRequired: true },
  ];
}

/** A new row, or one that takes the place of `rate`. */
export async function rateFields(today: string, rate?: RateRow): Promise<TaskField[]> {
  const [t, say] = [await getTranslations("salePlans"), await typed()];
  return [
    {
      name: "paymentMethod",
      label: t("method"),
      kind: "choice",
      initial: rate?.paymentMethod ?? "credit",
      options: RATE_METHODS.map((method) => ({ value: method, label: t(METHOD_TEXTS[method]) })),
    },
    {
      name: "brand",
      label: t("brand"),
      kind: "choice",
      initial: rate?.brand ?? "",
      options: [
        { value: "", label: t("anyBrand") },
        ...BRANDS.filter((brand) => BRAND_NAMES[brand] !== "Unknown").map((brand) => ({
          value: brand,
          label: BRAND_NAMES[brand],
        })),
      ],
    },
    {
      name: "installmentFrom",
      label: t("from"),
      kind: "number",
      initial: String(rate?.installmentFrom ?? 1),
      isRequired: true,
    },
    {
      name: "installmentTo",
      label: t("to"),
      kind: "number",
      initial: String(rate?.installmentTo ?? 1),
      isRequired: true,
    },
    { name: "percentage", label: t("percentage"), initial: say(rate?.percentageBps ?? 0), isRequired: true },
    { name: "fixedAmount", label: t("fixed"), initial: say(rate?.fixedAmount ?? 0), isRequired: true },
    {
      name: "refundable",
      label: t("back"),
      kind: "choice",
      initial: rate?.refundable ?? "mdr",
      options: REFUNDABLE.map((value) => ({ value, label: t(REFUNDABLE_TEXTS[value]) })),
    },
    { name: "effectiveFrom", label: t("validFrom"), kind: "day", initial: today, isRequired: true },
  ];
}
