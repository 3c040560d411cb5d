import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { invalid } from "@/lib/errors";
import type { AskedFigure } from "@/lib/explanations/schema";
import { type Explained, row } from "@/lib/explanations/sources/source";
import { manifestOf } from "@/lib/reports/manifest";
import { getReport } from "@/lib/reports/queries";

/** A total of the manifest, file by file: the rows themselves stand in the files. */
export async function reportTotal(
  ctx: Context,
  { reportId = "", column = "", currency = "BRL" }: AskedFigure,
): Promise<Explained> {
  const report = await getReport(ctx, reportId);
  const { sums, files } = manifestOf(report);
  if (!Object.hasOwn(sums, column)) throw invalid("column: must be an amount column of the report");
  const given = files.map((file, at) => ({
    name: file.name,
    page: at + 1,
    amount: file.sums[column]?.[currency] ?? 0,
  }));
  const rows = sql`
    select ${row({
      id: sql`f.name`,
      at: sql`${report.updatedAt.toISOString()}`,
      type: sql`'file'`,
      amount: sql`f.amount`,
      sourceType: "file",
      sourceId: sql`f.page`,
    })}
      from json_to_recordset(${JSON.stringify(given)}::json) as f (name text, page int, amount bigint)`;
  return { value: sums[column]?.[currency] ?? 0, currency, rows };
}
