import { and, eq, sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import { providers } from "@/db/schema/merchants";
import { type LineVerdict, statementLines } from "@/db/schema/settlement";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { invalid, notFound } from "@/lib/errors";
import { sumOf } from "@/lib/money";
import { statementReaderOf } from "@/lib/providers/registry";
import type { StatementLine } from "@/lib/providers/statements";
import { compareSettlement } from "@/lib/settlement/compare";
import { daysOf } from "@/lib/settlement/days";
import { type ReadLine, readStatementFile } from "@/lib/settlement/statement-file";
import { soldAt, takeLines } from "@/lib/settlement/statements";
import { type Booked, bookedRefundsOf, isRefund, refusedRefunds } from "@/lib/settlement/uploaded-refunds";

/** With one of these in it, nothing of the file is taken. */
export const REFUSED: ReadonlySet<LineVerdict> = new Set(["malformed", "wrong_sum", "doubled", "changed", "not_over"]);

export interface JudgedLine extends ReadLine {
  verdict: LineVerdict;
  /** The sale that it is of. */
  chargeId?: string | undefined;
}
export interface JudgedFile {
  lines: JudgedLine[];
  isTakeable: boolean;
  /** Cents that would be booked: of lines that are new or foreign. */
  net: number;
}

/** Every line with what would become of it; nothing is written. */
export const judgeStatement = (
  ctx: Context,
  providerId: string,
  file: string,
): Promise<JudgedFile & { merchantId: string }> =>
  inTransaction(ctx, async (inside) => {
    const { merchantId } = await uploadedTo(inside, providerId);
    return { merchantId, ...(await judgeLines(inside, merchantId, providerId, file)) };
  });

/**
 * Books a statement that an operator brings, for a provider whose own we cannot read (spec/settlement.md section 1), and
 * compares it with the books. Taken whole or not at all; the same file again changes nothing.
 */
export const takeStatement = (ctx: Context, providerId: string, file: string): Promise<JudgedFile> =>
  inTransaction(ctx, async (inside) => {
    const { merchantId } = await uploadedTo(inside, providerId);
    const judged = await judgeLines(inside, merchantId, providerId, file);
    if (!judged.isTakeable) {
      throw invalid(
        ...judged.lines.flatMap(({ number, verdict }) => (REFUSED.has(verdict) ? [`line ${number}: ${verdict}`] : [])),
      );
    }
    const fresh = judged.lines.flatMap(({ verdict, line }) => (verdict !== "known" && line ? [line] : []));
    await takeLines(inside, merchantId, providerId, fresh);
    await compare(inside, merchantId, providerId, fresh);
    return judged;
  });

/** Of sales that ended long before they were told of, too. */
async function compare(
  ctx: Context,
  merchantId: string,
  providerId: string,
  fresh: readonly StatementLine[],
): Promise<void> {
  const sold = await soldAt(ctx, merchantId, providerId, fresh);
  const through = (await daysOf(ctx, merchantId)).statementsThrough ?? addDays(saoPauloDay(now(ctx)), -1);
  await compareSettlement(ctx, merchantId, through, {
    since: fresh.map(({ settledOn }) => settledOn).sort()[0] ?? null,
    chargeIds: [...new Set([...sold.values()].map(({ chargeId }) => chargeId))],
  });
}

/** Locked: two uploads of one provider come one after the other, and its payments wait for none of them. */
async function uploadedTo(ctx: Context, providerId: string): Promise<{ merchantId: string }> {
  const [provider] = await ctx.db
    .select({ merchantId: providers.merchantId, kind: providers.kind })
    .from(providers)
    .where(and(eq(providers.clientId, ctx.account.id), eq(providers.id, providerId)))
    .for("no key update");
  if (!provider) throw notFound("provider");
  if (statementReaderOf(provider.kind)) throw invalid("the statements of this provider are read from its API");
  return provider;
}

/** Without waiting for anybody who takes one of the same provider now. */
export async function judgeLines(
  ctx: Context,
  merchantId: string,
  providerId: string,
  file: string,
): Promise<JudgedFile> {
  const read = readStatementFile(file);
  const lines = read.flatMap(({ line }) => (line ? [line] : []));
  const sold = await soldAt(ctx, merchantId, providerId, lines);
  const saleOf = (providerTxId: string | null) =>
    providerTxId === null ? undefined : sold.get(providerTxId)?.chargeId;
  const chargeIds = [...new Set([...sold.values()].map(({ chargeId }) => chargeId))];
  const booked = await bookedBefore(ctx, { merchantId, providerId }, lines, chargeIds);
  const before = knownOf(booked);
  const refunds = await bookedRefundsOf(ctx, lines.some(isRefund) ? chargeIds : []);
  const refused = refusedRefunds(lines, { booked, saleOf, refunds });
  const today = saoPauloDay(now(ctx));
  const seen = new Set<string>();
  const judged = read.map((one): JudgedLine => {
    const { line } = one;
    if (!line) return { ...one, verdict: one.problem ?? "malformed" };
    const chargeId = saleOf(line.providerTxId);
    const ofSale = { ...one, chargeId };
    const part = chargeId && line.kind === "settlement" ? partOf(chargeId, line.instalment) : undefined;
    const isDoubled = seen.has(part ?? line.id);
    seen.add(part ?? line.id);
    if (isDoubled) return { ...ofSale, verdict: "doubled" };
    const verdict =
      verdictBefore(line, before, part) ?? refused.get(line.id) ?? (line.settledOn > today ? "not_over" : undefined);
    return { ...ofSale, verdict: verdict ?? (chargeId ? "new" : "foreign") };
  });
  return {
    lines: judged,
    isTakeable: judged.length > 0 && judged.every(({ verdict }) => !REFUSED.has(verdict)),
    net: sumOf(
      judged.flatMap(({ verdict, line }) =>
        line && (verdict === "new" || verdict === "foreign") ? [line.amount] : [],
      ),
    ),
  };
}

/** An instalment of a sale is settled once, whatever day a later line says. */
const partOf = (chargeId: string, instalment: number): string => `${chargeId}:${instalment}`;

interface Known {
  lines: ReadonlyMap<string, { amount: number; cost: number }>;
  /** Instalments of sales that were settled. */
  parts: ReadonlySet<string>;
}

/** Of a line that was booked before, or whose instalment was; a line that nobody knows has none. */
function verdictBefore(line: StatementLine, before: Known, part: string | undefined): LineVerdict | undefined {
  const same = before.lines.get(line.id);
  if (same) return same.amount === line.amount && same.cost === line.cost ? "known" : "changed";
  return part !== undefined && before.parts.has(part) ? "changed" : undefined;
}

/** These lines, those of the same sales, and the refunds of the same days. */
async function bookedBefore(
  { db }: Context,
  { merchantId, providerId }: { merchantId: string; providerId: string },
  lines: readonly StatementLine[],
  chargeIds: readonly string[],
): Promise<Booked[]> {
  const { chargeId, kind, installment, externalId, providerTxId, settledOn, amount, cost } = statementLines;
  const names = textArray([...new Set(lines.map(({ id }) => id))]);
  const days = textArray([...new Set(lines.filter(isRefund).map((line) => line.settledOn))]);
  return db
    .select({ chargeId, kind, installment, externalId, providerTxId, settledOn, amount, cost })
    .from(statementLines)
    .where(
      and(
        eq(statementLines.merchantId, merchantId),
        eq(statementLines.providerId, providerId),
        sql`(${externalId} = any(${names}) or ${chargeId} = any(${textArray(chargeIds)}::uuid[])
          or (${kind} = 'refund' and ${settledOn} = any(${days}::date[])))`,
      ),
    );
}

function knownOf(rows: readonly Booked[]): Known {
  const settled = rows.filter(({ kind }) => kind === "settlement");
  return {
    lines: new Map(rows.map((row) => [row.externalId, row])),
    parts: new Set(settled.flatMap((row) => (row.chargeId === null ? [] : [partOf(row.chargeId, row.installment)]))),
  };
}
