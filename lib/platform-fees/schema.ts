import { z } from "zod";
import { amount, instantOut, optional, uuid } from "@/lib/http/fields";
import { FULL_BPS } from "@/lib/money";

export const FEE_METHODS = ["credit", "pix", "boleto", "default"] as const;
export type FeeMethod = (typeof FEE_METHODS)[number];

const MOST_INSTALLMENTS = 24;
/** More than the seven rules that can exist: a repeated one is then told from a long list. */
const MOST_RULES = 50;
const BPS_PER_PERCENT = 100;
const DECIMALS = /^(\d{1,3})(?:\.(\d{1,2}))?$/;

/** Read from the decimal text, so that 3.99 is 399 and no float is multiplied (spec/money.md section 1). */
const percentage = z
  .number()
  .min(0)
  .max(100)
  .transform((given, issues) => {
    const [, whole, decimals = ""] = DECIMALS.exec(String(given)) ?? [];
    if (whole === undefined) issues.addIssue({ code: "custom", message: "must have at most 2 decimals" });
    return whole === undefined ? z.NEVER : Number(whole) * BPS_PER_PERCENT + Number(decimals.padEnd(2, "0"));
  })
  .meta({ type: "number", minimum: 0, maximum: FULL_BPS / BPS_PER_PERCENT, description: "At most 2 decimals" });

export const percentOf = (bps: number): number => bps / BPS_PER_PERCENT;

export const newFeeRule = z
  .object({
    paymentMethod: z.enum(FEE_METHODS),
    percentage: optional(percentage),
    fixedAmount: optional(amount(0)),
    installment: optional(z.int().min(1).max(MOST_INSTALLMENTS)),
    refundable: optional(z.enum(["none", "mdr", "all"])).meta({
      description: "What of the fee goes back with a refund; the default is mdr, the percentage",
    }),
  })
  .superRefine((rule, issues) => {
    const refuse = (path: string, message: string) => issues.addIssue({ code: "custom", path: [path], message });
    if (rule.percentage === undefined && rule.fixedAmount === undefined) {
      refuse("percentage", "percentage or fixedAmount is required");
    }
    const isCredit = rule.paymentMethod === "credit";
    if (isCredit && rule.installment === undefined) refuse("installment", "is required for credit");
    if (!isCredit && rule.installment !== undefined) refuse("installment", "is for credit only");
  })
  .meta({
    id: "NewPlatformFeeRule",
    description: "At least one of percentage and fixedAmount; installment for credit only",
  });
/** `percentage` is in basis points once parsed. */
export type NewFeeRule = z.output<typeof newFeeRule>;

export const newFeeRules = z.array(newFeeRule).min(1).max(MOST_RULES);
export const replacedFeeRules = z.array(newFeeRule).max(MOST_RULES);
export const feeSwitch = z.object({ enabled: z.boolean() }).meta({ id: "PlatformFeeSwitch" });

export const feeRuleBody = z
  .object({
    id: z.uuid(),
    percentage: z.number().optional(),
    fixedAmount: amount(0).optional(),
    paymentMethod: z.enum(FEE_METHODS),
    installment: z.int().optional(),
    refundable: z.enum(["none", "mdr", "all"]).optional().meta({ description: "Absent: mdr" }),
    createdAt: instantOut,
    updatedAt: instantOut,
  })
  .meta({ id: "PlatformFeeRule", description: "Part of a split charge that stays with the merchant" });
export type FeeRuleBody = z.input<typeof feeRuleBody>;

export const feeRulesBody = z.array(feeRuleBody);
export const feeSwitchBody = z.object({ platformFeeEnabled: z.boolean() }).meta({ id: "PlatformFeeState" });
export const platformFeeBody = z
  .object({ platformFeeEnabled: z.boolean(), rules: feeRulesBody })
  .meta({ id: "PlatformFee" });

export const feeParams = z.object({ merchantId: uuid });
export const feeRuleParams = z.object({ merchantId: uuid, platformFeeId: uuid });
