import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { serverSecret } from "@/lib/secrets";

const VISIT_BYTES = 16;
const VISIT = /^[\w-]{22}$/;
const ATTEMPT = /^([0-9a-f-]{36})\.([\w-]{22})\.([\w-]{22})$/;
const SIGNATURE_BYTES = 16;

/** 128 random bits that tell one browser's visits apart; kept as a hash only. */
export const newVisit = (): string => randomBytes(VISIT_BYTES).toString("base64url");

export const isVisit = (text: string | undefined): text is string => text !== undefined && VISIT.test(text);

export const visitHash = (visit: string): Buffer => createHash("sha256").update(visit).digest();

export interface AttemptKey {
  readonly key: string;
  /** The visit the form was rendered for: it stands in the signed key, so it holds with cookies blocked too. */
  readonly visit: string;
}

/** What a form carries: the key, the visit and the server's word that both belong to this session. */
export const signAttempt = (sessionId: string, { key, visit }: AttemptKey): string =>
  `${key}.${visit}.${signature(sessionId, key, visit).toString("base64url")}`;

/** Undefined for a key that is not ours, or another session's. */
export function readAttempt(sessionId: string, signed: string): AttemptKey | undefined {
  const [, key, visit, given] = ATTEMPT.exec(signed) ?? [];
  if (key === undefined || visit === undefined || given === undefined) return undefined;
  const sent = Buffer.from(given, "base64url");
  const expected = signature(sessionId, key, visit);
  return sent.length === expected.length && timingSafeEqual(sent, expected) ? { key, visit } : undefined;
}

const signature = (sessionId: string, key: string, visit: string): Buffer =>
  createHmac("sha256", serverSecret("checkout attempt"))
    .update(`${sessionId}:${key}:${visit}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES);
