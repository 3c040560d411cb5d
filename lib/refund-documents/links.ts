import { createHmac, timingSafeEqual } from "node:crypto";
import type { refundDocuments } from "@/db/schema/refund-documents";
import { env } from "@/lib/env";
import { serverSecret } from "@/lib/secrets";

export type RefundDocumentRow = typeof refundDocuments.$inferSelect;
type Linked = Pick<RefundDocumentRow, "id" | "clientId">;

/** 256 bits, of one document of one account until one moment. */
const tokenOf = ({ id, clientId }: Linked, expiresAt: Date): Buffer =>
  createHmac("sha256", serverSecret("refund document link"))
    .update(`${clientId}:${id}:${expiresAt.toISOString()}`)
    .digest();

export function isTokenOfDocument(document: Linked, expiresAt: Date, token: string): boolean {
  const [given, expected] = [Buffer.from(token, "base64url"), tokenOf(document, expiresAt)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export const linkToDocument = (document: Linked, expiresAt: Date): string =>
  `${env().BASE_URL}/files/refund-documents/${document.id}?until=${expiresAt.getTime()}&token=${tokenOf(document, expiresAt).toString("base64url")}`;
