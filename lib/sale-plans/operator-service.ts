import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { RATE_METHODS, REFUNDABLE, salePlanRates, salePlans } from "@/db/schema/sale-plans";
import { audit } from "@/lib/audit";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { BRANDS } from "@/lib/brazil/card-brand";
import { type Context, now } from "@/lib/context";
import { invalid } from "@/lib/errors";
import { day, text } from "@/lib/http/fields";
import { newId } from "@/lib/ids";
import { percentToBps } from "@/lib/money";
import { inForce, isSamePayments, type RateRow, shownRates } from "@/lib/sale-plans/rates";
import { salePlanAt } from "@/lib/sale-plans/service";

const percent = z
  .number()
  .min(0)
  .max(100)
  .transform((given, { addIssue }) => {
    const bps = percentToBps(given);
    if (bps === undefined) addIssue("must have at most 2 decimals");
    return bps ?? 0;
  });
const cents = z.int().min(0).max(100_000_00);
const LONGEST_NAME = 100;
const MOST_INSTALLMENTS = 24;

/** Of the plan itself; percentages become basis points. */
export const planTerms = z.object({
  name: text(LONGEST_NAME),
  monthlyRate: percent,
  markup: percent,
  withdrawalFee: cents,
  minimumPayout: cents,
});
export type PlanTerms = z.output<typeof planTerms>;

/** A row that takes the place of the one for the same payments, from its day on. */
export const newRate = z.object({
  paymentMethod: z.enum(RATE_METHODS),
  brand: z.enum(BRANDS).optional(),
  installmentFrom: z.int().min(1).max(MOST_INSTALLMENTS),
  installmentTo: z.int().min(1).max(MOST_INSTALLMENTS),
  percentage: percent,
  fixedAmount: cents,
  refundable: z.enum(REFUNDABLE),
  effectiveFrom: day,
});
export type NewRate = z.output<typeof newRate>;

const columnsOf = ({ name, monthlyRate, markup, withdrawalFee, minimumPayout }: PlanTerms) => ({
  name,
  monthlyRateBps: monthlyRate,
  markupBps: markup,
  withdrawalFee,
  minimumPayout,
});

/** Without a rate nothing is charged. */
export async function createPlan(ctx: Context, terms: PlanTerms): Promise<string> {
  const [id, at] = [newId(), now(ctx)];
  await ctx.db.insert(salePlans).values({
    id,
    clientId: ctx.account.id,
    ...columnsOf(terms),
    effectiveFrom: saoPauloDay(at),
    createdAt: at,
    updatedAt: at,
  });
  await audit(ctx, { action: "sale_plan.create", object: "sale_plan", objectId: id, after: columnsOf(terms) });
  return id;
}

/** The price of what is captured later; what was captured keeps the fees it was posted with. */
export async function changeTerms(ctx: Context, id: string, terms: PlanTerms): Promise<void> {
  const { row } = await salePlanAt(ctx, id, "update");
  await set(ctx, id, columnsOf(terms));
  const { name, monthlyRateBps, markupBps, withdrawalFee, minimumPayout } = row;
  await audit(ctx, {
    action: "sale_plan.update",
    object: "sale_plan",
    objectId: id,
    before: { name, monthlyRateBps, markupBps, withdrawalFee, minimumPayout },
    after: columnsOf(terms),
  });
}

/** One plan of the account is the default; sellers without a plan of their own pay by it from now on. */
export async function makeDefault(ctx: Context, id: string): Promise<void> {
  const { row } = await salePlanAt(ctx, id, "update");
  if (row.status !== "active") throw invalid("plan: is off");
  await ctx.db
    .update(salePlans)
    .set({ isDefault: false, updatedAt: now(ctx) })
    .where(and(eq(salePlans.clientId, ctx.account.id), eq(salePlans.isDefault, true)));
  await set(ctx, id, { isDefault: true });
  await audit(ctx, { action: "sale_plan.default", object: "sale_plan", objectId: id });
}

/** Off: no seller is given it any more; those who have it keep it. */
export async function switchPlan(ctx: Context, id: string, status: "active" | "inactive"): Promise<void> {
  const { row } = await salePlanAt(ctx, id, "update");
  if (row.isDefault && status === "inactive") throw invalid("plan: is the default");
  await set(ctx, id, { status });
  await audit(ctx, {
    action: "sale_plan.switch",
    object: "sale_plan",
    objectId: id,
    before: { status: row.status },
    after: { status },
  });
}

/** Rows are never edited: prices of days that are over stay what they were. */
export async function addRate(ctx: Context, id: string, rate: NewRate): Promise<void> {
  await salePlanAt(ctx, id, "update");
  if (rate.installmentTo < rate.installmentFrom) throw invalid("installmentTo: must not be below installmentFrom");
  if (rate.effectiveFrom < saoPauloDay(now(ctx))) throw invalid("effectiveFrom: must not be in the past");
  const { percentage, brand, ...row } = rate;
  await insertRate(ctx, id, { ...row, brand: brand ?? null, percentageBps: percentage, isRetired: false });
  await audit(ctx, { action: "sale_plan.rate", object: "sale_plan", objectId: id, after: { ...rate } });
}

/**
 * Of a rate in force: its payments fall to the next less particular row, from today on. One to come does not begin, and
 * what is in force before it stays.
 */
export async function retireRate(ctx: Context, id: string, rateId: string): Promise<void> {
  const { rates } = await salePlanAt(ctx, id, "update");
  const today = saoPauloDay(now(ctx));
  const rate = shownRates(rates, today).find((each) => each.id === rateId);
  if (!rate) throw invalid("rate: is not in force");
  const ended = { ...valuesOf(rate), isRetired: true };
  if (rate.effectiveFrom > today) {
    const before = inForce(rates, addDays(rate.effectiveFrom, -1)).find((each) => isSamePayments(each, rate));
    const stays = before === undefined ? ended : valuesOf(before);
    await insertRate(ctx, id, { ...stays, effectiveFrom: rate.effectiveFrom });
  } else {
    const later = rates.filter((each) => isSamePayments(each, rate) && each.effectiveFrom > today);
    const days = [...new Set([today, ...later.map(({ effectiveFrom }) => effectiveFrom)])];
    for (const effectiveFrom of days) await insertRate(ctx, id, { ...ended, effectiveFrom });
  }
  await audit(ctx, {
    action: "sale_plan.retire_rate",
    object: "sale_plan",
    objectId: id,
    before: {
      paymentMethod: rate.paymentMethod,
      brand: rate.brand,
      percentageBps: rate.percentageBps,
      effectiveFrom: rate.effectiveFrom,
    },
  });
}

type RateValues = Omit<RateRow, "id" | "clientId" | "planId" | "createdAt">;

const valuesOf = ({ id: _id, clientId: _client, planId: _plan, createdAt: _at, ...row }: RateRow): RateValues => row;

const insertRate = (ctx: Context, planId: string, row: RateValues) =>
  ctx.db.insert(salePlanRates).values({ ...row, id: newId(), clientId: ctx.account.id, planId, createdAt: now(ctx) });

const set = (ctx: Context, id: string, values: Partial<typeof salePlans.$inferInsert>) =>
  ctx.db
    .update(salePlans)
    .set({ ...values, updatedAt: now(ctx) })
    .where(and(eq(salePlans.clientId, ctx.account.id), eq(salePlans.id, id)));
