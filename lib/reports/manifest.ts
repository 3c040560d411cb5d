import type { z } from "zod";
import type { ReportFile, ReportPosition, ReportSums } from "@/db/schema/reports";
import { DomainError } from "@/lib/errors";
import type { ReportRow } from "@/lib/reports/queries";
import type { manifestBody } from "@/lib/reports/schema";
import { SQL_VERSION } from "@/lib/reports/types/registry";
import { documentSignature, publicKeyFor } from "@/lib/signed-documents";

export type Manifest = z.output<typeof manifestBody>["manifest"];

const PURPOSE = "report manifest";
export const manifestKey = (): string => publicKeyFor(PURPOSE);

/** `<id>-1.csv`: known from its upload on. */
export const nameOfFile = ({ id, options }: Pick<ReportRow, "id" | "options">, page: number): string =>
  `${id}-${page}.${options.format}`;

export interface WrittenReport {
  files: ReportFile[];
  sums: ReportSums;
  position: ReportPosition;
  sqlVersion: number;
}

/** Of whose rows the sums are: a report of rows that end in different ways adds them up alike, unless it was narrowed. */
export type SumScope = "all_statuses" | "chosen_statuses" | "rows";

const MIXED: ReadonlySet<ReportRow["type"]> = new Set(["transactions", "transactionsHistory", "purchases", "sessions"]);
const OF_STATUSES = ["transactionStatus", "transactionState", "status"];

export function sumScopeOf({ type, filters }: Pick<ReportRow, "type" | "filters">): SumScope {
  if (!MIXED.has(type)) return "rows";
  const isNarrowed = Object.entries(filters).some(
    ([name, value]) => OF_STATUSES.includes(name) && Array.isArray(value) && value.length > 0,
  );
  return isNarrowed ? "chosen_statuses" : "all_statuses";
}

/** What a report states of itself, from its row; the same members make the same text for as long as it is kept. */
export function manifestOf(row: ReportRow): Manifest {
  const { files, sums, position } = row;
  if (!files || !sums || !position) throw new DomainError("report_not_ready", "the report has no files yet");
  return manifest(row, { files, sums, position, sqlVersion: row.sqlVersion ?? SQL_VERSION });
}

export const signManifest = (row: ReportRow, written: WrittenReport): string =>
  documentSignature(PURPOSE, manifest(row, written));

const manifest = (row: ReportRow, { files, sums, position, sqlVersion }: WrittenReport): Manifest => ({
  format: 1,
  reportId: row.id,
  clientId: row.clientId,
  type: row.type,
  sqlVersion,
  language: row.language,
  timezone: row.timezone,
  fields: row.fields,
  filters: row.filters,
  since: row.since.toISOString(),
  until: row.until.toISOString(),
  options: { ...row.options },
  rows: files.reduce((total, { rows }) => total + rows, 0),
  sums,
  files: files.map(({ rows, bytes, sha256, sums }, at) => ({
    name: nameOfFile(row, at + 1),
    rows,
    bytes,
    sha256,
    sums,
  })),
  position,
});
