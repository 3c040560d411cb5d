import { findPan } from "@/lib/brazil/card-brand";
import { invalid } from "@/lib/errors";

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The key as given; throws when it is not one, or would keep a card number. */
export function checkKey(given: string): string {
  if (!KEY.test(given)) throw invalid("X-Idempotency-Key: 1 to 255 printable ASCII characters without blanks");
  if (findPan(given)) throw invalid("X-Idempotency-Key: card numbers are not accepted here");
  return given;
}
