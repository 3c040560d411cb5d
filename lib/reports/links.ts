import { createHmac, timingSafeEqual } from "node:crypto";
import { env } from "@/lib/env";
import type { ReportRow } from "@/lib/reports/queries";
import { serverSecret } from "@/lib/secrets";

type Linked = Pick<ReportRow, "id" | "clientId" | "expiredAt">;

/** 256 bits, of one report of one account: it opens its files without a key until they are erased. */
const tokenOf = ({ id, clientId, expiredAt }: Linked): Buffer =>
  createHmac("sha256", serverSecret("report link")).update(`${clientId}:${id}:${expiredAt.toISOString()}`).digest();

export function isTokenOfReport(report: Linked, token: string): boolean {
  const [given, expected] = [Buffer.from(token, "base64url"), tokenOf(report)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** `what` is the number of a file, or `files.zip`. */
export const linkToReport = (report: Linked, what: string): string =>
  `${env().BASE_URL}/files/reports/${report.id}/${what}?token=${tokenOf(report).toString("base64url")}`;
