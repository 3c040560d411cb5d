import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { charges } from "@/db/schema/charges";
import { merchants, providers } from "@/db/schema/merchants";
import { type LineVerdict, settlementBreaks, statementFiles, statementLines } from "@/db/schema/settlement";
import { addDays, type CivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { readPosition } from "@/lib/charges/list-position";
import { type Context, inSnapshot, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { DAYS_PER_PAGE } from "@/lib/finance/reconciliation";
import { isUuid } from "@/lib/ids";
import { sumOf } from "@/lib/money";
import { namesOf } from "@/lib/operators/names";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { statementReaderOf } from "@/lib/providers/registry";
import { keptAt, type StatementFileRow } from "@/lib/settlement/statement-files";
import { type JudgedLine, judgeLines, REFUSED } from "@/lib/settlement/upload";

const FILES_PER_PAGE = 25;
/** Lines of a file that its page shows, those that want a look first. */
const LINES_SHOWN = 100;

export interface ListedStatement {
  id: string;
  name: string;
  provider: string;
  merchant: string | null;
  createdAt: Date;
  isTaken: boolean;
  lines: number;
  refused: number;
  /** Cents that were or would be booked. */
  net: number;
}

export interface ShownStatementPage {
  items: ListedStatement[];
  next: string | undefined;
}

type Counts = StatementFileRow["verdicts"];
const linesIn = (counts: Counts): number => sumOf(Object.values(counts));
// Guarantee: the column holds verdicts alone.
const refusedIn = (counts: Counts): number =>
  sumOf(Object.entries(counts).map(([verdict, count]) => (REFUSED.has(verdict as LineVerdict) ? count : 0)));

/** The statements that people brought, the newest first. */
export async function brought(
  ctx: Context,
  role: OperatorRole,
  { after, limit = FILES_PER_PAGE }: { after?: string | undefined; limit?: number },
): Promise<ShownStatementPage> {
  demand(role, "finance.see");
  const position = readPosition(after);
  const { id, name, verdicts, net, takenAt, createdAt } = statementFiles;
  const rows = await inSnapshot(ctx, (inside) =>
    inside.db
      .select({ id, name, verdicts, net, takenAt, createdAt, provider: providers.name, merchant: merchants.name })
      .from(statementFiles)
      .innerJoin(providers, eq(providers.id, statementFiles.providerId))
      .innerJoin(merchants, eq(merchants.id, statementFiles.merchantId))
      .where(
        and(
          eq(statementFiles.clientId, inside.account.id),
          position && sql`(${createdAt}, ${id}) < (${position.at}::timestamptz, ${position.id}::uuid)`,
        ),
      )
      .orderBy(desc(createdAt), desc(id))
      .limit(limit + 1),
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(({ verdicts: counts, takenAt: at, ...file }) => ({
      ...file,
      isTaken: at !== null,
      lines: linesIn(counts),
      refused: refusedIn(counts),
    })),
    next: last && rows.length > items.length ? `${last.createdAt.toISOString()}_${last.id}` : undefined,
  };
}

export interface StatementView {
  file: StatementFileRow;
  provider: string;
  merchant: string | null;
  uploadedBy: string | undefined;
  takenBy: string | undefined;
  /** As they are judged now. */
  counts: Partial<Record<LineVerdict, number>>;
  isTakeable: boolean;
  net: number;
  lines: ShownStatementLine[];
  /** Of all its lines. */
  total: number;
}

export interface ShownStatementLine extends JudgedLine {
  paymentId: string | undefined;
  /** That a booked line of unknown origin opened. */
  breakId: string | undefined;
}

/** One file with what would become of each line now, or became of it. */
export async function statementView(ctx: Context, role: OperatorRole, id: string): Promise<StatementView> {
  demand(role, "finance.see");
  if (!isUuid(id)) throw notFound("statement");
  return inSnapshot(ctx, async (inside) => {
    const file = await keptAt(inside, id);
    const [known] = await inside.db
      .select({ provider: providers.name, merchant: merchants.name })
      .from(providers)
      .innerJoin(merchants, eq(merchants.id, providers.merchantId))
      .where(eq(providers.id, file.providerId));
    const judged = await judgeLines(inside, file.merchantId, file.providerId, file.content);
    const people = [file.uploadedBy, file.takenBy].flatMap((each) => each ?? []);
    const names = await namesOf(systemDb(), ctx.account.id, people);
    const counts: StatementView["counts"] = {};
    for (const { verdict } of judged.lines) counts[verdict] = (counts[verdict] ?? 0) + 1;
    const lines = [...judged.lines].sort((a, b) => weight(a) - weight(b) || a.number - b.number).slice(0, LINES_SHOWN);
    return {
      file,
      provider: known?.provider ?? "",
      merchant: known?.merchant ?? null,
      uploadedBy: names.get(file.uploadedBy),
      takenBy: file.takenBy === null ? undefined : names.get(file.takenBy),
      counts: file.takenAt ? file.verdicts : counts,
      isTakeable: file.takenAt === null && judged.isTakeable,
      net: file.takenAt ? file.net : judged.net,
      lines: await linked(inside, file.providerId, lines),
      total: judged.lines.length,
    };
  });
}

/** What nobody knows comes before what is known, also once it is booked. */
const weight = ({ verdict, chargeId }: JudgedLine): number =>
  REFUSED.has(verdict) ? 0 : verdict === "foreign" || chargeId === undefined ? 1 : 2;

async function linked(
  { db, account }: Context,
  providerId: string,
  lines: readonly JudgedLine[],
): Promise<ShownStatementLine[]> {
  const sales = [...new Set(lines.flatMap(({ chargeId }) => chargeId ?? []))];
  const paid = await db
    .select({ id: charges.id, paymentId: sql<string>`coalesce(${charges.purchaseId}, ${charges.id})` })
    .from(charges)
    .where(and(eq(charges.clientId, account.id), inArray(charges.id, sales)));
  const unowned = lines.flatMap(({ line, chargeId }) => (line && chargeId === undefined ? [line.id] : []));
  const opened = await db
    .select({ name: statementLines.externalId, breakId: settlementBreaks.id })
    .from(statementLines)
    .innerJoin(
      settlementBreaks,
      sql`${settlementBreaks.merchantId} = ${statementLines.merchantId} and ${settlementBreaks.kind} = 'settlement_unowned'
        and ${settlementBreaks.subject} = ${statementLines.id}::text`,
    )
    .where(and(eq(statementLines.providerId, providerId), inArray(statementLines.externalId, unowned)));
  const payments = new Map(paid.map(({ id, paymentId }) => [id, paymentId]));
  const breaks = new Map(opened.map(({ name, breakId }) => [name, breakId]));
  return lines.map((line) => ({
    ...line,
    paymentId: payments.get(line.chargeId ?? ""),
    breakId: breaks.get(line.line?.id ?? ""),
  }));
}

/** Acquirers whose statements nobody but people can bring. */
export async function providersToBring(
  ctx: Context,
  role: OperatorRole,
): Promise<{ id: string; name: string; merchant: string | null }[]> {
  demand(role, "finance.settle");
  const rows = await inSnapshot(ctx, ({ db, account }) =>
    db
      .select({ id: providers.id, name: providers.name, kind: providers.kind, merchant: merchants.name })
      .from(providers)
      .innerJoin(merchants, eq(merchants.id, providers.merchantId))
      .where(and(eq(providers.clientId, account.id), eq(providers.routable, true)))
      .orderBy(asc(merchants.name), asc(providers.name), asc(providers.id)),
  );
  return rows.flatMap(({ kind, ...provider }) => (statementReaderOf(kind) ? [] : [provider]));
}

export interface CreditedDay {
  day: CivilDate;
  providerId: string;
  provider: string;
  lines: number;
  /** Cents of sales, before the acquirer's cost. */
  sales: number;
  cost: number;
  /** Refunds, chargebacks, reversals and adjustments, as the bank saw them: negative for what was taken. */
  other: number;
  /** Of nothing known. */
  unowned: number;
  /** What the bank account received: sales - cost + other + unowned. */
  credited: number;
}

export interface Credits {
  from: CivilDate;
  until: CivilDate;
  isLast: boolean;
  days: CreditedDay[];
}

/** What acquirers say they paid into the merchants' bank accounts, by day and acquirer: a week, the newest day first. */
export async function credits(
  ctx: Context,
  role: OperatorRole,
  asked: { until?: CivilDate | undefined },
): Promise<Credits> {
  demand(role, "finance.see");
  return inSnapshot(ctx, async (inside) => {
    const today = saoPauloDay(now(inside));
    const until = asked.until ?? today;
    const from = addDays(until, 1 - DAYS_PER_PAGE);
    const { chargeId, kind, amount, cost, settledOn, providerId } = statementLines;
    const isSale = sql`(${chargeId} is not null and ${kind} = 'settlement')`;
    const rows = await inside.db
      .select({
        day: settledOn,
        providerId,
        provider: providers.name,
        lines: sql`count(*)`.mapWith(Number),
        sales: sql`coalesce(sum(${amount} + ${cost}) filter (where ${isSale}), 0)`.mapWith(Number),
        cost: sql`coalesce(sum(${cost}) filter (where ${isSale}), 0)`.mapWith(Number),
        other:
          sql`coalesce(sum(${amount}) filter (where ${chargeId} is not null and ${kind} <> 'settlement'), 0)`.mapWith(
            Number,
          ),
        unowned: sql`coalesce(sum(${amount}) filter (where ${chargeId} is null), 0)`.mapWith(Number),
        credited: sql`sum(${amount})`.mapWith(Number),
      })
      .from(statementLines)
      .innerJoin(providers, eq(providers.id, providerId))
      .innerJoin(merchants, eq(merchants.id, statementLines.merchantId))
      .where(and(eq(merchants.clientId, inside.account.id), sql`${settledOn} between ${from} and ${until}`))
      .groupBy(settledOn, providerId, providers.name)
      .orderBy(desc(settledOn), asc(providers.name), asc(providerId));
    return { from, until, isLast: until >= today, days: rows };
  });
}
