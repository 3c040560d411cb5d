import { findPan } from "@/lib/brazil/card-brand";

const HIDDEN = "******";
/** Members whose value is never shown, wherever they stand. */
const SECRET =
  /^(card|cardnumber|cardcvv|cvv|cvvupdate|number|credentials|apikey|publickey|paymentdata|token|password|document|documentnumber|identity|holderdocument)$/i;
const DEEPEST = 20;

/** A refused request is kept too, and what PostgreSQL cannot hold would lose the whole batch it is written with. */
const storable = (text: string): string => text.replaceAll("\u0000", "\ufffd");

export const shownText = (text: string): string => (findPan(text) ? HIDDEN : storable(text));

/** A copy fit to be kept: secrets, card data and document numbers hidden, whatever the shape. */
export function redact(value: unknown, depth = 0): unknown {
  if (value === undefined || value === null || depth > DEEPEST) return null;
  if (typeof value === "string") return shownText(value);
  if (typeof value === "number") return findPan(value) ? HIDDEN : value;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      shownText(key),
      SECRET.test(key) && member !== null ? HIDDEN : redact(member, depth + 1),
    ]),
  );
}
