import type postgres from "postgres";
import { appSql } from "@/db/client";
import type { ReportFile, ReportPosition, ReportSums } from "@/db/schema/reports";
import type { Context } from "@/lib/context";
import { cellTexts, summing, sumsOf } from "@/lib/reports/cells";
import { narrowingOf } from "@/lib/reports/conditions";
import { csvLines } from "@/lib/reports/copied-lines";
import { csvFile, type SheetOptions, type WrittenFile } from "@/lib/reports/csv-file";
import type { WrittenReport } from "@/lib/reports/manifest";
import type { ReportRow } from "@/lib/reports/queries";
import { copiedLines, countStatement, type RawRow, rowsIn, rowsStatement, type Selection } from "@/lib/reports/rows";
import { newReport } from "@/lib/reports/schema";
import { columnOf, SQL_VERSION, sourceOf } from "@/lib/reports/types/registry";
import { type Column, labelOf, spokenIn } from "@/lib/reports/types/type";
import { xlsxFile } from "@/lib/reports/xlsx-file";
import { keepFile } from "@/lib/storage/files";
import { ownName } from "@/lib/storage/names";
import { monotonicMs } from "@/lib/time";
import { pause } from "@/lib/wait";

export const ROWS_PER_FILE = 50_000;
const TELL_EVERY_MS = 500;
/** Well within a lease. */
const HOLD_EVERY_MS = 15_000;
const NEWLINE = 10;

type Tell = (progress: { done: number; total?: number }) => Promise<void>;

/** The rows of a report, as its request says. */
export function selectionOf(row: ReportRow): Selection {
  const source = sourceOf(row.type);
  const columns = row.fields.map((id) => {
    const column = columnOf(source, id);
    if (!column) throw new Error(`${id} is no field of ${row.type}`);
    return spokenIn(row.language, column);
  });
  const { filters } = newReport.parse({ type: row.type, sendTo: row.email, fields: "all", filters: row.filters });
  const { conditions } = narrowingOf({ type: row.type, filters });
  const { createdByKey } = source;
  const ofKey = row.createdByKey && createdByKey ? [{ sql: createdByKey, uuid: row.createdByKey }] : [];
  const { clientId, since, until } = row;
  return { source, columns, clientId, since, until, conditions: [...conditions, ...ofKey] };
}

/**
 * Reads everything from one snapshot and stores it file by file; nothing points to the files yet. `tell` is called
 * about twice a second, and stops the work by throwing.
 */
export async function writeFiles(ctx: Context, report: ReportRow, tell: Tell): Promise<WrittenReport> {
  const selection = selectionOf(report);
  const files: ReportFile[] = [];
  const position = await inReadSnapshot(ctx.account.id, async (sql) => {
    const at = await positionOf(sql, ctx.account.id);
    const [counted] = await holding(tell, sql.unsafe<{ total: number }[]>(countStatement(selection)));
    await tell({ done: 0, total: counted?.total ?? 0 });
    const sheets = sheetsOf(ctx, report, selection, files);
    let [done, toldMs] = [0, monotonicMs()];
    for await (const lines of copiedLines(sql, rowsStatement(selection))) {
      done += await sheets.write(lines);
      if (monotonicMs() - toldMs < TELL_EVERY_MS) continue;
      await tell({ done });
      toldMs = monotonicMs();
    }
    await sheets.end();
    return at;
  });
  const none = summing(selection.columns).sums();
  return { files, sums: sumsOf([none, ...files.map(({ sums }) => sums)]), position, sqlVersion: SQL_VERSION };
}

/** A count of many rows tells nothing by itself: the lease is kept meanwhile. Whoever lost it hears so at the next rows. */
async function holding<T>(tell: Tell, work: PromiseLike<T>): Promise<T> {
  const over = new AbortController();
  const beat = async (): Promise<void> => {
    for (;;) {
      await pause(HOLD_EVERY_MS, over.signal);
      await tell({ done: 0 });
    }
  };
  beat().catch(() => undefined);
  try {
    return await work;
  } finally {
    over.abort();
  }
}

interface OpenSheet {
  /** So many lines at most, from there on. */
  take(lines: Buffer, from: number, most: number): Promise<{ rows: number; until: number }>;
  end(): Promise<WrittenFile & { sums: ReportSums }>;
}

/** Splits the rows into files of so many, each stored as soon as it is full. */
function sheetsOf(ctx: Context, report: ReportRow, selection: Selection, files: ReportFile[]) {
  const { language, options } = report;
  const isWorkbook = options.format === "xlsx";
  const sheet: SheetOptions = {
    labels: selection.columns.map((column) => labelOf(column, language)),
    kinds: selection.columns.map(({ kind }) => kind),
    delimiter: options.delimiter === "comma" ? "," : ";",
    bom: options.bom,
  };
  const begin = (): OpenSheet => (isWorkbook ? workbook : table)(sheet, report, selection.columns);
  let open: { sheet: OpenSheet; rows: number } | undefined;
  const close = async (): Promise<void> => {
    if (!open) return;
    const { content, bytes, sha256, sums } = await open.sheet.end();
    const stored = ownName("report", isWorkbook ? "xlsx" : "gz");
    await keepFile(ctx, stored, content);
    files.push({ stored, rows: open.rows, bytes, sha256, sums });
    open = undefined;
  };
  return {
    /** Answers how many rows they were. */
    async write(lines: Buffer): Promise<number> {
      let count = 0;
      for (let from = 0; from < lines.length; ) {
        open ??= { sheet: begin(), rows: 0 };
        const { rows, until } = await open.sheet.take(lines, from, ROWS_PER_FILE - open.rows);
        from = until;
        count += rows;
        open.rows += rows;
        if (open.rows === ROWS_PER_FILE) await close();
      }
      return count;
    },
    end: close,
  };
}

function table(sheet: SheetOptions, { timezone, language, options }: ReportRow, columns: readonly Column[]): OpenSheet {
  const file = csvFile(sheet);
  const lines = csvLines(columns, { timezone, language, amounts: options.amounts }, sheet.delimiter);
  return {
    async take(copied, from, most) {
      const { rows, until, text } = lines.convert(copied, from, most);
      await file.write(text);
      return { rows, until };
    },
    end: async () => ({ ...(await file.end()), sums: lines.sums() }),
  };
}

function workbook(sheet: SheetOptions, { timezone, options }: ReportRow, columns: readonly Column[]): OpenSheet {
  const file = xlsxFile(sheet);
  const sum = summing(columns);
  // A workbook holds numbers, and shows them in the words of whoever opens it.
  const texts = cellTexts(columns, { timezone, language: "en", amounts: options.amounts });
  const said = (row: RawRow): RawRow => {
    const currency = row[columns.length] ?? null;
    return texts.map((text, at) => {
      const cell = row[at];
      return cell === null || cell === undefined ? null : text(cell, currency);
    });
  };
  return {
    async take(copied, from, most) {
      let until = from;
      for (let left = most; left > 0 && until < copied.length; left--) until = copied.indexOf(NEWLINE, until) + 1;
      const rows = rowsIn(copied.subarray(from, until));
      for (const row of rows) sum.add(row);
      await file.write(rows.map(said));
      return { rows: rows.length, until };
    },
    end: async () => ({ ...(await file.end()), sums: sum.sums() }),
  };
}

/** Of this account's rows alone, as they were at one moment. */
export async function inReadSnapshot<T>(
  clientId: string,
  run: (sql: postgres.TransactionSql) => Promise<T>,
): Promise<T> {
  const result = await appSql().begin("isolation level repeatable read read only", async (sql) => {
    await sql`select set_config('app.client_id', ${clientId}, true)`;
    return { value: await run(sql) };
  });
  // Guarantee: the driver answers what the function answered; its type unwraps promises inside arrays.
  return result.value as T;
}

/** The newest journal and event that the snapshot contains; each account of the books keeps its transfers in order. */
async function positionOf(sql: postgres.TransactionSql, clientId: string): Promise<ReportPosition> {
  const [found] = await sql<{ at: Date; journal: string | null; event: string | null }[]>`
    select now() as at,
      (select x.journal_id from ledger_accounts a cross join lateral (
         (select journal_id, tx from transfers where debit_account = a.id order by tx desc limit 1) union all
         (select journal_id, tx from transfers where credit_account = a.id order by tx desc limit 1)) x
        where a.client_id = ${clientId} order by x.tx desc, x.journal_id desc limit 1) as journal,
      (select id from events where client_id = ${clientId} order by created_at desc, id desc limit 1) as event`;
  if (!found) throw new Error("a select without rows");
  return { at: found.at.toISOString(), journalId: found.journal, eventId: found.event };
}
