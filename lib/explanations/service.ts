import { sql } from "drizzle-orm";
import { type Context, inSnapshot, now } from "@/lib/context";
import { DomainError, invalid, RequestError } from "@/lib/errors";
import { FIGURES, type FigureName } from "@/lib/explanations/names";
import { type AskedFigure, type ExplanationBody, explanationQuery, MOST_EXPLAINED } from "@/lib/explanations/schema";
import * as balances from "@/lib/explanations/sources/balances";
import * as batches from "@/lib/explanations/sources/batches";
import * as calendar from "@/lib/explanations/sources/calendar";
import * as charges from "@/lib/explanations/sources/charges";
import * as customers from "@/lib/explanations/sources/customers";
import * as lines from "@/lib/explanations/sources/lines";
import * as prepayments from "@/lib/explanations/sources/prepayments";
import * as receivables from "@/lib/explanations/sources/receivables";
import * as reports from "@/lib/explanations/sources/reports";
import * as sellers from "@/lib/explanations/sources/sellers";
import * as settlements from "@/lib/explanations/sources/settlements";
import type { Explained } from "@/lib/explanations/sources/source";
import * as splits from "@/lib/explanations/sources/splits";
import * as subscriptions from "@/lib/explanations/sources/subscriptions";
import { isCalendarDay } from "@/lib/http/fields";
import { demand, type Right } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

/** Where each figure and its rows come from. */
const SOURCES: Record<FigureName, (ctx: Context, asked: AskedFigure) => Promise<Explained>> = {
  "balance.available": balances.balance("available"),
  "balance.receivable": balances.balance("receivable"),
  "balance.inTransit": balances.balance("inTransit"),
  "balance.debt": balances.debt,
  "balance.next": balances.next,
  "balance.broughtForward": balances.broughtForward,
  "sellers.available": sellers.figure("available"),
  "sellers.debt": sellers.figure("debt"),
  "sellers.receivable": sellers.figure("receivable"),
  "sellers.inTransit": sellers.figure("inTransit"),
  "sellers.pendingBatches": sellers.pendingBatches,
  "charge.captured": charges.chargeTotal("capturedAmount"),
  "charge.refunded": charges.chargeTotal("refundedAmount"),
  "charge.chargedBack": charges.chargeTotal("chargedBackAmount"),
  "charge.net": charges.chargeNet,
  "settlement.net": settlements.net,
  "settlement.fees": settlements.fees,
  "split.share": splits.share,
  "split.fee": splits.splitFee,
  "split.net": splits.splitNet,
  "customer.paid": customers.paid,
  "calendar.day": calendar.ofDay,
  "calendar.total": calendar.calendarTotal,
  "calendar.month": calendar.ofMonth,
  "receivable.fee": receivables.receivableFee,
  "receivable.totalFee": receivables.totalFee,
  "receivable.net": receivables.receivableNet,
  "batch.amount": batches.field("amount"),
  "batch.feeAmount": batches.field("feeAmount"),
  "batch.withdrawalFeeAmount": batches.field("withdrawalFeeAmount"),
  "batch.totalFeeAmount": batches.field("totalFeeAmount"),
  "batch.balanceAmount": batches.field("balanceAmount"),
  "batch.creditAmount": batches.field("creditAmount"),
  "batch.refundAmount": batches.field("refundAmount"),
  "batch.debitAdjustmentAmount": batches.field("debitAdjustmentAmount"),
  "batch.creditAdjustmentAmount": batches.field("creditAdjustmentAmount"),
  "batch.finalBalance": batches.field("finalBalance"),
  "batch.line": lines.line,
  "prepayment.gross": prepayments.prepaymentAmount("grossAmount"),
  "prepayment.net": prepayments.prepaymentAmount("netAmount"),
  "prepayment.cost": prepayments.cost,
  "prepayment.fee": prepayments.prepaymentAmount("feeAmount"),
  "prepayment.markup": prepayments.prepaymentAmount("markupAmount"),
  "subscriptions.monthly": subscriptions.monthly,
  "subscriptions.atRisk": subscriptions.atRisk,
  "subscriptions.declined": subscriptions.ofMonth("declined"),
  "subscriptions.recovered": subscriptions.ofMonth("recovered"),
  "subscriptions.retried": subscriptions.ofMonth("open"),
  "subscriptions.lost": subscriptions.ofMonth("lost"),
  "report.total": reports.reportTotal,
};

interface FoundRow extends Record<string, unknown> {
  id: string;
  /** To the microsecond, as a position must be. */
  at: string;
  type: string;
  amount: number;
  chargeId: string | null;
  installment: number | null;
  journalId: string | null;
  ruleId: string | null;
  requestId: string | null;
  sourceType: string;
  sourceId: string;
}

interface Paging {
  limit?: number;
  next?: string | undefined;
}

/**
 * A figure and the rows that make it, a page at a time, all read in the caller's snapshot. Rows that do not add up to
 * the figure are a bug of ours: nothing is answered then.
 */
export async function explain(
  ctx: Context,
  { next, limit = MOST_EXPLAINED, ...asked }: AskedFigure & Paging,
): Promise<ExplanationBody> {
  const after = next === undefined ? undefined : positionOf(next);
  const { value, currency, rows } = await SOURCES[asked.figure](ctx, asked);
  const [whole] = await ctx.db.execute<{ total: number; count: number }>(sql`
    select coalesce(sum(amount), 0)::float8 as total, count(*)::int as count from (${rows}) found`);
  if (whole?.total !== value) {
    throw new Error(`${asked.figure} is ${value}, and its rows add up to ${whole?.total} (${JSON.stringify(asked)})`);
  }
  const found = [
    ...(await ctx.db.execute<FoundRow>(sql`
      select found.id, to_char(found.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, found.type, found.amount::float8 as amount,
             found.charge_id as "chargeId", found.installment, found.journal_id as "journalId",
             found.rule_id as "ruleId", c.request_id as "requestId", found.source_type as "sourceType",
             found.source_id as "sourceId"
        from (${rows}) found left join charges c on c.id = found.charge_id
       where ${after ? sql`(found.at, found.id) > (${after.at}::timestamptz, ${after.id})` : sql`true`}
       order by found.at, found.id limit ${limit + 1}`)),
  ];
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    figure: asked.figure,
    value,
    currency,
    formula: FIGURES[asked.figure].formula,
    rows: page.map(({ sourceType, sourceId, at, ...rest }) => ({
      ...rest,
      at: new Date(at),
      source: { type: sourceType, id: sourceId },
    })),
    next: last && found.length > page.length ? nextOf(last) : null,
    rowCount: whole.count,
    ruleIds: distinct(page.map(({ ruleId }) => ruleId)),
    journals: distinct(page.map(({ journalId }) => journalId)),
    asOf: now(ctx),
  };
}

/** Who may see what a figure is made of. */
export const rightOf = (figure: FigureName): Right =>
  figure.startsWith("subscriptions.") ? "subscriptions.see" : "ledger.see";

/** For a page: nobody's who may not see its rows, and nothing where what it is of is not theirs. */
export async function explainForOperator(
  ctx: Context,
  role: OperatorRole,
  asked: AskedFigure & Paging,
): Promise<ExplanationBody | undefined> {
  demand(role, rightOf(asked.figure));
  const { limit, ...named } = asked;
  // An address can say anything; what the API would refuse is no figure of this page.
  if (!explanationQuery.safeParse({ ...named, limit: limit?.toString(), next: asked.next ?? undefined }).success)
    return undefined;
  try {
    return await inSnapshot(ctx, (inside) => explain(inside, asked));
  } catch (thrown) {
    if (thrown instanceof RequestError || thrown instanceof DomainError) return undefined;
    throw thrown;
  }
}

const distinct = (ids: readonly (string | null)[]): string[] => [
  ...new Set(ids.filter((id): id is string => id !== null)),
];

const nextOf = ({ at, id }: FoundRow): string => Buffer.from(`${at} ${id}`).toString("base64url");

const POSITION = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z) ([\w./-]{1,120})$/;

function positionOf(next: string): { at: string; id: string } {
  const [, at, id] = POSITION.exec(Buffer.from(next, "base64url").toString()) ?? [];
  if (at === undefined || id === undefined || !isCalendarDay(at.slice(0, 10)) || Number.isNaN(Date.parse(at))) {
    throw invalid("next: must be what an answer ended with");
  }
  return { at, id };
}
