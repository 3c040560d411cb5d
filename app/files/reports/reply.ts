import type { HttpReply } from "@/lib/http/answering";
import type { ReportDownload } from "@/lib/reports/download";

const NOTHING = Buffer.alloc(0);

/** A file to be saved, and nothing a browser would run or show. */
export const fileHeaders = (name: string): Record<string, string> => ({
  "content-disposition": `attachment; filename="${name}"`,
  "content-security-policy": "default-src 'none'; sandbox",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
});

const elsewhere = (location: string): Record<string, string> => ({
  location,
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
});

/** The file, or where the store answers it. */
export const fileReply = ({ name, contentType, stream, redirect }: ReportDownload): HttpReply =>
  redirect
    ? { status: 302, body: NOTHING, headers: elsewhere(redirect) }
    : { status: 200, body: NOTHING, stream: stream(), contentType, headers: fileHeaders(name) };

export const fileResponse = ({ name, contentType, stream, redirect }: ReportDownload): Response =>
  redirect
    ? new Response(null, { status: 302, headers: elsewhere(redirect) })
    : new Response(stream(), { headers: { ...fileHeaders(name), "content-type": contentType } });
