import { findPan } from "@/lib/brazil/card-brand";

export const HIDDEN = "******";
/** Members whose value is never shown, wherever they stand. */
const SECRET = new Set(
  "card cardnumber creditcardnumber pan primaryaccountnumber number cardcvv cardcvc cvv cvv2 cvc cvc2 cvvupdate cid csc securitycode cardsecuritycode verificationvalue trackdata track1 track2 pin pinblock credentials apikey publickey paymentdata token password document documentnumber identity holderdocument reporturl".split(
    " ",
  ),
);
const isSecret = (name: string): boolean => SECRET.has(name.toLowerCase().replace(/[^a-z0-9]/g, ""));

interface Shown {
  name: string;
  isHidden: boolean;
}

/** Of names as schemas have them, which come with every request; what callers make up beyond them is judged each time. */
const shownNames = new Map<string, Shown>();
const MOST_NAMES = 2_000;
const LONGEST_NAME = 40;

function shownOf(name: string): Shown {
  const known = shownNames.get(name);
  if (known) return known;
  const shown = { name: shownText(name), isHidden: isSecret(name) };
  if (shownNames.size < MOST_NAMES && name.length <= LONGEST_NAME && shown.name === name) shownNames.set(name, shown);
  return shown;
}

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
    Object.entries(value).map(([key, member]) => {
      const { name, isHidden } = shownOf(key);
      return [name, isHidden && member !== null ? HIDDEN : redact(member, depth + 1)];
    }),
  );
}
