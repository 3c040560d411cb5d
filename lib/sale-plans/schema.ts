import { z } from "zod";
import { RATE_METHODS, REFUNDABLE } from "@/db/schema/sale-plans";
import { BRAND_NAMES } from "@/lib/brazil/card-brand";
import { instantOut, uuid, yesNo } from "@/lib/http/fields";
import { listOf, pageQuery } from "@/lib/http/pagination";

const cents = z.int().min(0);
const percent = z.number().min(0).max(100);

const rateBody = z
  .object({
    id: z.uuid(),
    paymentMethod: z.enum(RATE_METHODS).meta({ description: "`default` stands in where no other rate fits" }),
    brand: z.enum(BRAND_NAMES).nullable().meta({ description: "null: any" }),
    installmentFrom: z.int(),
    installmentTo: z.int(),
    percentage: percent,
    fixedAmount: cents,
    refundable: z.enum(REFUNDABLE).meta({ description: "What of the fee goes back with a refund" }),
    effectiveFrom: z.iso.date(),
  })
  .meta({ id: "SalePlanRate" });

export const salePlanBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    isDefault: z.boolean(),
    status: z.enum(["active", "inactive"]),
    effectiveFrom: z.iso.date(),
    monthlyRate: percent.meta({ description: "Of money paid early, per cent in 30 days" }),
    markup: percent.meta({ description: "Added to monthlyRate" }),
    withdrawalFee: cents.meta({ description: "Of each transfer" }),
    minimumPayout: cents,
    rates: z.array(rateBody).meta({ description: "Those in force, and those to come" }),
    createdAt: instantOut,
    updatedAt: instantOut,
  })
  .meta({ id: "SalePlan", description: "What sellers pay. One plan of the account is the default." });
export type SalePlanBody = z.input<typeof salePlanBody>;

export const salePlanFilters = pageQuery.extend({ isDefault: yesNo.optional() });
export type SalePlanFilters = z.output<typeof salePlanFilters>;
export const salePlanList = listOf(salePlanBody);
export const salePlanParams = z.object({ id: uuid });
