import { type Context, now } from "@/lib/context";
import { cellTexts } from "@/lib/reports/cells";
import { narrowingOf } from "@/lib/reports/conditions";
import { copyRows, countStatement, type RawRow, rowsStatement, type Selection } from "@/lib/reports/rows";
import type { NewReport } from "@/lib/reports/schema";
import { type ReportVoice, reportColumnsOf } from "@/lib/reports/service";
import { spanOf } from "@/lib/reports/span";
import { sourceOf } from "@/lib/reports/types/registry";
import { labelOf, spokenIn } from "@/lib/reports/types/type";
import { inReadSnapshot } from "@/lib/reports/write";

export interface ReportPreview {
  labels: string[];
  rows: string[][];
  total: number;
}

const FIRST_ROWS = 20;

/** What a report would begin with, as its file would say it, and how many rows it would have; nothing is written. */
export async function previewReport(
  ctx: Context,
  asked: NewReport,
  voice: ReportVoice,
  isPersonalBarred: boolean,
): Promise<ReportPreview> {
  const columns = reportColumnsOf(asked, isPersonalBarred).map((column) => spokenIn(voice.language, column));
  const { span, member, conditions } = narrowingOf(asked);
  const { since, until } = spanOf(span, { zone: voice.timezone, now: now(ctx), member });
  const source = sourceOf(asked.type);
  const selection: Selection = { source, columns, clientId: ctx.account.id, since, until, conditions };
  const { rows, total } = await inReadSnapshot(ctx.account.id, async (sql) => {
    const first: RawRow[] = [];
    for await (const some of copyRows(sql, rowsStatement(selection, FIRST_ROWS))) first.push(...some);
    const [counted] = await sql.unsafe<{ total: number }[]>(countStatement(selection));
    return { rows: first, total: counted?.total ?? 0 };
  });
  const texts = cellTexts(columns, { ...voice, amounts: asked.amounts });
  return {
    labels: columns.map((column) => labelOf(column, voice.language)),
    rows: rows.map((row) =>
      texts.map((text, at) => {
        const cell = row[at];
        return cell === null || cell === undefined ? "" : text(cell, row[columns.length] ?? null);
      }),
    ),
    total,
  };
}
