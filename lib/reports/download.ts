import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { and, eq, inArray } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { reports } from "@/db/schema/reports";
import { loadAccount } from "@/lib/accounts/service";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now, systemContext } from "@/lib/context";
import { env } from "@/lib/env";
import { DomainError, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { type ArchivedFile, fromBytes, fromGzip, zipped } from "@/lib/reports/archive";
import { downloadName } from "@/lib/reports/download-name";
import { isTokenOfReport } from "@/lib/reports/links";
import { statesBefore } from "@/lib/reports/machine";
import { nameOfFile } from "@/lib/reports/manifest";
import { getReport, type ReportRow } from "@/lib/reports/queries";
import { contentTypeOf } from "@/lib/storage/names";
import { fileStore } from "@/lib/storage/storage";

export interface ReportDownload {
  name: string;
  contentType: string;
  /** The plain file, piece by piece. */
  stream(): ReadableStream<Uint8Array>;
  /** Where the store itself answers it; undefined where we do. */
  redirect?: string | undefined;
}

const REDIRECT_SECONDS = 300;

/** Stored small: the store says so, and whoever fetches it unpacks it. */
async function redirectTo({ name, contentType }: ReportDownload, stored: string): Promise<string | undefined> {
  const { linkTo } = fileStore();
  if (env().REPORT_REDIRECT !== "on" || !linkTo) return undefined;
  return linkTo(stored, REDIRECT_SECONDS, {
    "content-disposition": `attachment; filename="${name}"`,
    "content-type": contentType,
    ...(stored.endsWith(".gz") ? { "content-encoding": "gzip" } : {}),
  });
}

/** A file of a report; the first download opens it, and every one is in the audit log. */
export async function openReportFile(ctx: Context, id: string, pageNumber: number): Promise<ReportDownload> {
  const row = await inTransaction(ctx, async (inside) => {
    const known = await getReport(inside, id);
    refuseUnready(known);
    if (pageNumber > (known.files?.length ?? 0)) throw notFound("file");
    await opened(inside, known, { file: pageNumber });
    return known;
  });
  return download(row, pageNumber);
}

/** All of its files in one archive. */
export async function openReportArchive(ctx: Context, id: string): Promise<ReportDownload> {
  const row = await inTransaction(ctx, async (inside) => {
    const known = await getReport(inside, id);
    refuseUnready(known);
    await opened(inside, known, { file: "all" });
    return known;
  });
  return {
    name: downloadName(row, undefined, "zip"),
    contentType: "application/zip",
    stream: () => streamOf(zipped(archived(row))),
  };
}

/** By the link of its e-mail, without a key; undefined for a link of no report. */
export async function openLinkedReport(
  id: string,
  token: string,
): Promise<{ ctx: Context; row: ReportRow } | undefined> {
  const [row] = await systemDb().select().from(reports).where(eq(reports.id, id));
  if (!row || !isTokenOfReport(row, token)) return undefined;
  return { ctx: systemContext(await loadAccount(row.clientId), newId()), row };
}

export function refuseUnready({ status, files }: ReportRow): void {
  if (status === "expired") throw new DomainError("report_expired", "the files of this report were erased");
  if (!files) throw new DomainError("report_not_ready", "the report has no files yet");
}

async function opened(ctx: Context, { id }: ReportRow, what: Record<string, unknown>): Promise<void> {
  await ctx.db
    .update(reports)
    .set({ status: "opened", openedAt: now(ctx), updatedAt: now(ctx) })
    .where(
      and(eq(reports.clientId, ctx.account.id), eq(reports.id, id), inArray(reports.status, statesBefore("opened"))),
    );
  await audit(ctx, { action: "report.download", object: "report", objectId: id, after: what });
}

async function download(row: ReportRow, pageNumber: number): Promise<ReportDownload> {
  const file = row.files?.[pageNumber - 1];
  if (!file) throw notFound("file");
  const own = {
    name: downloadName(row, pageNumber, row.options.format),
    contentType: row.options.format === "csv" ? "text/csv; charset=utf-8" : contentTypeOf(file.stored),
    stream: () => plain(file.stored),
  };
  return { ...own, redirect: await redirectTo(own, file.stored) };
}

async function* archived(row: ReportRow): AsyncGenerator<ArchivedFile> {
  for (const [at, { stored }] of (row.files ?? []).entries()) {
    // As the manifest beside them names them.
    const name = nameOfFile(row, at + 1);
    const content = await storedContent(stored);
    yield stored.endsWith(".gz") ? fromGzip(name, content) : fromBytes(name, content);
  }
}

// Guarantee: a stream of Node without objects in it carries bytes.
const streamOf = (pieces: AsyncIterable<Buffer>): ReadableStream<Uint8Array> =>
  Readable.toWeb(Readable.from(pieces, { objectMode: false })) as ReadableStream<Uint8Array>;

async function storedContent(stored: string): Promise<Buffer> {
  const content = await fileStore().get(stored);
  if (!content) throw new Error("a file of a report is not in the store");
  return content;
}

/** Stored small, sent plain: only what is stored is ever in memory as a whole. */
function plain(stored: string): ReadableStream<Uint8Array> {
  const source = Readable.from(contentOf(stored));
  const content = stored.endsWith(".gz") ? source.pipe(createGunzip()) : source;
  source.on("error", (error) => content.destroy(error));
  // Guarantee: a stream of Node without objects in it carries bytes.
  return Readable.toWeb(content) as ReadableStream<Uint8Array>;
}

async function* contentOf(stored: string): AsyncGenerator<Buffer> {
  yield await storedContent(stored);
}
