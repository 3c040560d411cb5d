import { FORM_FIELDS, type TypedValues } from "@/lib/checkout/view";
import type { AttemptKey } from "@/lib/checkout/visit";
import { open, seal, serverSecret } from "@/lib/secrets";

/**
 * What was typed of a payment that leaves the page, for the way back from a bank that said no. It is kept in the buyer's
 * own browser, readable to the server alone and for the payment that it was typed for; nothing of the card is in it.
 */

export const TYPED_SECONDS = 1_800;
/** Browsers take cookies of 4 KB. */
const MOST_BYTES = 2_600;
const NONCE_BYTES = 12;

const OF_CARD: ReadonlySet<string> = new Set(["cardNumber", "cardExpiration", "cardCvv", "question"]);
const KEPT: ReadonlySet<string> = new Set([
  ...FORM_FIELDS.filter((field) => !OF_CARD.has(field)),
  "savedCard",
  "remember",
  "count",
]);

const key = (): Buffer => serverSecret("typed form");
const boundTo = (sessionId: string, attempt: string): string => `${sessionId}:${attempt}`;

/** Undefined where there is too much of it. */
export function sealTyped(sessionId: string, attempt: AttemptKey, values: TypedValues): string | undefined {
  const kept = Object.entries(values).filter(([name, value]) => value !== "" && KEPT.has(name.replace(/\d$/, "")));
  const plain = Buffer.from(JSON.stringify(Object.fromEntries(kept)));
  if (plain.length > MOST_BYTES) return undefined;
  const { nonce, ciphertext } = seal(key(), plain, boundTo(sessionId, attempt.key));
  return Buffer.concat([nonce, ciphertext]).toString("base64url");
}

/** Nothing for what was typed for another payment, or is not ours. */
export function openTyped(sessionId: string, attempt: string, sealed: string | undefined): TypedValues {
  const bytes = Buffer.from(sealed ?? "", "base64url");
  if (bytes.length <= NONCE_BYTES) return {};
  try {
    const given = { nonce: bytes.subarray(0, NONCE_BYTES), ciphertext: bytes.subarray(NONCE_BYTES) };
    // Guarantee: what opens was sealed above.
    return everywhere(JSON.parse(open(key(), given, boundTo(sessionId, attempt)).toString()) as TypedValues);
  } catch {
    return {};
  }
}

/** The form that comes next may be another one, which calls the same buyer by another field. */
function everywhere(values: TypedValues): TypedValues {
  const name = values.name ?? values.cardHolderName ?? values.cardHolderName0;
  if (name === undefined) return values;
  return { name, cardHolderName: name, cardHolderName0: name, ...values };
}
