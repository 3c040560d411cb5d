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

export const fileReply = ({ name, contentType, stream }: ReportDownload): HttpReply => ({
  status: 200,
  body: NOTHING,
  stream: stream(),
  contentType,
  headers: fileHeaders(name),
});
