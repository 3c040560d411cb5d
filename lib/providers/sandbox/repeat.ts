import { type Answer, refuse } from "@/lib/providers/sandbox/reply";
import { type Connection, isUniqueViolation, keptCall } from "@/lib/providers/sandbox/store";
import type { Caller } from "@/lib/providers/sandbox/wire";
import { addSeconds } from "@/lib/time";

const KEY_LIFETIME_SECONDS = 24 * 3_600;

/** The reference is taken although the key is new: the answer is a conflict, never a second payment. */
export function settleRepeat(error: unknown): Answer {
  if (isUniqueViolation(error)) return refuse("reference_conflict");
  throw error;
}

/** The answer a key was given before: the same bytes, unless the request is another or the key is too old. */
export async function repeated(sql: Connection, caller: Caller, fingerprint: Buffer | null): Promise<Answer> {
  if (caller.idempotencyKey === undefined) return refuse("reference_conflict");
  const kept = await keptCall(sql, { ...caller, idempotencyKey: caller.idempotencyKey });
  if (!kept) return refuse("reference_conflict");
  if (fingerprint === null || kept.fingerprint === null || !kept.fingerprint.equals(fingerprint)) {
    return refuse("replay_conflict");
  }
  if (addSeconds(kept.at, KEY_LIFETIME_SECONDS) <= caller.now) return refuse("key_expired");
  return { status: kept.status, body: kept.response };
}
