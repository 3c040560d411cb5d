import { createHash, randomBytes } from "node:crypto";
import { realNow } from "@/lib/time";

/** UUID version 7 (RFC 9562): time-ordered, so primary keys stay close together on disk. */
export function newId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(realNow().getTime(), 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return dashed(bytes);
}

const TIME_DIGITS = 12;
/** When an id was made, on real time; undefined for an id of another kind. */
export function timeOfId(id: string): Date | undefined {
  const hex = id.replaceAll("-", "");
  return hex[TIME_DIGITS] === "7" ? new Date(Number.parseInt(hex.slice(0, TIME_DIGITS), 16)) : undefined;
}

/** The same name always gives the same UUID (version 8, SHA-256): references that survive a repeated step. */
export function derivedId(...parts: (string | number)[]): string {
  const bytes = createHash("sha256").update(parts.join(":")).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return dashed(bytes);
}

function dashed(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);
