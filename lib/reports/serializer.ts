import type { z } from "zod";
import type { ReportType } from "@/db/schema/reports";
import type { DefinitionRow } from "@/lib/reports/definitions";
import { type Manifest, manifestKey, manifestOf, nameOfFile } from "@/lib/reports/manifest";
import type { ReportRow } from "@/lib/reports/queries";
import type { fieldsBody, manifestBody, reportBody, scheduleBody } from "@/lib/reports/schema";
import { acceptedColumns, sourceOf } from "@/lib/reports/types/registry";
import { labelOf } from "@/lib/reports/types/type";

export function serializeReport(row: ReportRow): z.input<typeof reportBody> {
  const { id, clientId, email, language, type, status, fields, filters, timezone, options, files } = row;
  return {
    ...{ id, clientId, email, language, type, status, fields, filters, timezone },
    ...options,
    ...(files ? { pagesCount: files.length, files: files.map((_, at) => nameOfFile(row, at + 1)) } : {}),
    awaitingConfirmation: row.awaitsConfirmation,
    progress: { rows: row.done, total: row.total },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    expiredAt: row.expiredAt,
  };
}

export const serializeManifest = (row: ReportRow): z.input<typeof manifestBody> => {
  const manifest: Manifest = manifestOf(row);
  return { manifest, algorithm: "Ed25519", signature: row.signature ?? "", publicKey: manifestKey() };
};

export function serializeFields(type: ReportType): z.input<typeof fieldsBody> {
  const source = sourceOf(type);
  return {
    type,
    fields: acceptedColumns(source).map((column) => ({
      id: column.id,
      labels: { en: labelOf(column, "en"), pt: labelOf(column, "pt") },
      kind: column.kind,
      isPersonal: column.isPersonal ?? false,
      isInAll: source.columns.includes(column),
    })),
  };
}

export const serializeSchedule = ({
  id,
  name,
  cron,
  time,
  timezone,
  language,
  request,
  createdAt,
}: DefinitionRow): z.input<typeof scheduleBody> => ({
  ...{ id, name, cron, time, timezone, language, createdAt },
  report: request,
});
