import { createHash, randomFillSync } from "node:crypto";
import { realNow } from "@/lib/time";

/**
 * UUID version 7 (RFC 9562, section 6.2, method 1): time-ordered, so primary keys stay close together on disk; within a
 * process each is greater than the one before, also in the same millisecond.
 */
export function newId(): string {
  const bytes = drawn();
  const { at, count } = nextMoment(realNow().getTime(), bytes.readUInt16BE(6) & LARGEST_START);
  bytes.writeUIntBE(at, 0, 6);
  bytes.writeUInt16BE(0x7000 | count, 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return dashed(bytes);
}

const ID_BYTES = 16;
/** Asking the system for random bytes costs more than the rest of an id. */
const stock = Buffer.alloc(ID_BYTES * 256);
let used = stock.length;

/** Bytes that nobody was given before. */
function drawn(): Buffer {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  used += ID_BYTES;
  return stock.subarray(used - ID_BYTES, used);
}

const LARGEST_COUNT = 0xfff;
/** Half of the counter is left for the rest of the millisecond. */
const LARGEST_START = 0x7ff;
/** A clock that was set back further than this is believed: the ids of one process are in order again from there on. */
const LONGEST_STEP_BACK_MS = 10_000;

let last = { at: 0, count: 0 };

function nextMoment(now: number, start: number): { at: number; count: number } {
  if (now > last.at || now < last.at - LONGEST_STEP_BACK_MS) last = { at: now, count: start };
  else if (last.count < LARGEST_COUNT) last = { at: last.at, count: last.count + 1 };
  else last = { at: last.at + 1, count: start };
  return last;
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

const isTimed = (id: string): boolean => /^[0-9a-f]{12}/.test(id);

/** The same, beside `near` on disk: as an id of the moment of that one, where it has one. */
export function derivedBeside(near: string, ...parts: (string | number)[]): string {
  const id = derivedId(...parts);
  const hex = near.replaceAll("-", "");
  return isTimed(hex) ? `${hex.slice(0, 8)}-${hex.slice(8, 12)}${id.slice(TIME_DIGITS + 1)}` : id;
}

function dashed(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);
