import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, pgTable, smallint, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { clients } from "@/db/schema/accounts";
import { cents, clientId, createdAt, id, updatedAt } from "@/db/schema/columns";

export const RATE_METHODS = ["credit", "debit", "voucher", "pix", "boleto", "default"] as const;
export type RateMethod = (typeof RATE_METHODS)[number];

/** Which part of a fee goes back with a refund (spec/money.md section 5). */
export const REFUNDABLE = ["none", "mdr", "all"] as const;
export type Refundable = (typeof REFUNDABLE)[number];

/** What sellers pay their merchant (spec/settlement.md section 2). */
export const salePlans = pgTable(
  "sale_plans",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    name: text().notNull(),
    isDefault: boolean().notNull().default(false),
    status: text({ enum: ["active", "inactive"] })
      .notNull()
      .default("active"),
    effectiveFrom: date().notNull(),
    /** Of money paid early, per 30 days. */
    monthlyRateBps: integer().notNull(),
    markupBps: integer().notNull(),
    /** Price of a transfer. */
    withdrawalFee: cents().notNull(),
    minimumPayout: cents().notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("sale_plans_default").on(t.clientId).where(sql`${t.isDefault}`),
    index().on(t.clientId, t.createdAt, t.id),
    check("sale_plans_status", sql`${t.status} in ('active', 'inactive')`),
    check("sale_plans_default_active", sql`${t.status} = 'active' or not ${t.isDefault}`),
    check(
      "sale_plans_terms",
      sql`${t.monthlyRateBps} between 0 and 10000 and ${t.markupBps} between 0 and 10000
        and ${t.withdrawalFee} >= 0 and ${t.minimumPayout} >= 0`,
    ),
  ],
);

/** Never edited: a later row for the same payments takes its place from its own day on. */
export const salePlanRates = pgTable(
  "sale_plan_rates",
  {
    id: id(),
    clientId: clientId(),
    planId: uuid()
      .notNull()
      .references(() => salePlans.id),
    paymentMethod: text({ enum: RATE_METHODS }).notNull(),
    /** As lib/brazil/card-brand names it; null is any. */
    brand: text(),
    installmentFrom: smallint().notNull(),
    installmentTo: smallint().notNull(),
    percentageBps: integer().notNull(),
    fixedAmount: cents().notNull(),
    refundable: text({ enum: REFUNDABLE }).notNull(),
    effectiveFrom: date().notNull(),
    /** From its day on the payments it names fall to the next less particular row. */
    isRetired: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    index("sale_plan_rates_plan").on(t.planId, t.paymentMethod),
    check(
      "sale_plan_rates_method",
      sql`${t.paymentMethod} in ('credit', 'debit', 'voucher', 'pix', 'boleto', 'default')`,
    ),
    check("sale_plan_rates_refundable", sql`${t.refundable} in ('none', 'mdr', 'all')`),
    check(
      "sale_plan_rates_band",
      sql`1 <= ${t.installmentFrom} and ${t.installmentFrom} <= ${t.installmentTo} and ${t.installmentTo} <= 24`,
    ),
    check("sale_plan_rates_price", sql`${t.percentageBps} between 0 and 10000 and ${t.fixedAmount} >= 0`),
  ],
);
