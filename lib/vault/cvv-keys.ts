import { newId } from "@/lib/ids";
import { type Kek, writingKek } from "@/lib/kek";
import { KEPT } from "@/lib/purposes";
import { newDataKey, unwrap, wrap } from "@/lib/secrets";
import { monotonicMs } from "@/lib/time";

/** A key seals for ten minutes and is dropped two hours after it was made, whatever was sealed with it. */
const SEALS_FOR_MS = 600_000;
export const KEY_LIFE_SECONDS = 7_200;

export interface CvvKey {
  id: string;
  secret: Buffer;
  /** What siblings read it from. */
  wrapped: Buffer;
}

let current: (CvvKey & { sealsUntilMs: number; kek: Kek }) | undefined;

/** The key of this process, made when it is first needed and kept in memory alone besides its wrapped form. */
export function sealingKey(): CvvKey {
  const kek = writingKek();
  if (current && current.kek === kek && monotonicMs() < current.sealsUntilMs) return current;
  const id = newId();
  const secret = newDataKey();
  current = { id, secret, wrapped: wrap(KEPT.cvvKey, secret, id), sealsUntilMs: monotonicMs() + SEALS_FOR_MS, kek };
  return current;
}

export const openingKey = (id: string, wrapped: Buffer): Buffer => unwrap(KEPT.cvvKey, wrapped, id);
