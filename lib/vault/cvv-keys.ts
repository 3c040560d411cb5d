import { newId } from "@/lib/ids";
import { newDataKey } from "@/lib/secrets";
import { monotonicMs } from "@/lib/time";
import { unwrap, wrap } from "@/lib/vault/records";

/** A key seals for ten minutes and is dropped two hours after it was made, whatever was sealed with it. */
const SEALS_FOR_MS = 600_000;
export const KEY_LIFE_SECONDS = 7_200;
const PURPOSE = "cvv key";

export interface CvvKey {
  id: string;
  secret: Buffer;
  /** What siblings read it from. */
  wrapped: Buffer;
}

let current: (CvvKey & { sealsUntilMs: number }) | undefined;

/** The key of this process, made when it is first needed and kept in memory alone besides its wrapped form. */
export function sealingKey(): CvvKey {
  if (current && monotonicMs() < current.sealsUntilMs) return current;
  const id = newId();
  const secret = newDataKey();
  current = { id, secret, wrapped: wrap(secret, PURPOSE, id), sealsUntilMs: monotonicMs() + SEALS_FOR_MS };
  return current;
}

export const openingKey = (id: string, wrapped: Buffer): Buffer => unwrap(wrapped, PURPOSE, id);
