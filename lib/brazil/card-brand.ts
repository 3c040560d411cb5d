import { lengthsOfScheme, schemeOfDigits } from "@/lib/brazil/card-ranges";
import { cnpjOk, cpfOk } from "@/lib/brazil/cpf-cnpj";

export const BRANDS = [
  "visa",
  "mastercard",
  "elo",
  "hipercard",
  "amex",
  "diners",
  "discover",
  "jcb",
  "aura",
  "unknown",
] as const;
export type Brand = (typeof BRANDS)[number];
type KnownBrand = Exclude<Brand, "unknown">;

/** The brand as the API spells it. Aura has no name there. */
export const BRAND_NAMES = {
  visa: "Visa",
  mastercard: "Mastercard",
  elo: "Elo",
  hipercard: "HiperCard",
  amex: "American Express",
  diners: "Diners",
  discover: "Discover",
  jcb: "JCB",
  aura: "Unknown",
  unknown: "Unknown",
} as const satisfies Record<Brand, string>;
export type BrandName = (typeof BRAND_NAMES)[Brand];

const BRAND_OF_NAME: ReadonlyMap<string, Brand> = new Map(
  BRANDS.filter((brand) => brand !== "aura").map((brand) => [BRAND_NAMES[brand].toLowerCase(), brand]),
);

/** The brand with this name of the API, in any letter case. */
export const brandOfName = (name: string): Brand => BRAND_OF_NAME.get(name.toLowerCase()) ?? "unknown";

const BRAND_OF_SCHEME: ReadonlyMap<string, KnownBrand> = new Map([
  ["visa", "visa"],
  ["mastercard", "mastercard"],
  ["american-express", "amex"],
  ["diners-club", "diners"],
  ["discover", "discover"],
  ["jcb", "jcb"],
  ["elo", "elo"],
  ["hipercard", "hipercard"],
  ["aura", "aura"],
]);

const PAN_LENGTHS: Record<KnownBrand, readonly number[]> = {
  visa: [13, 16, 18, 19],
  mastercard: [16],
  elo: [16],
  hipercard: [13, 16, 19],
  amex: [15],
  diners: [14, 16, 19],
  discover: [16, 19],
  jcb: [16, 17, 18, 19],
  aura: [16, 19],
};

interface Scheme {
  brand: Brand;
  lengths: readonly number[];
}

/** Undefined when no card of any scheme begins like this. Schemes without a name in the API are `unknown`. */
function schemeOf(digits: string): Scheme | undefined {
  const scheme = schemeOfDigits(digits);
  if (scheme === undefined) return undefined;
  const brand = BRAND_OF_SCHEME.get(scheme);
  return brand ? { brand, lengths: PAN_LENGTHS[brand] } : { brand: "unknown", lengths: lengthsOfScheme(scheme) };
}

const BIN_DIGITS = 6;

/** For display and routing: the provider's answer overwrites it. A card is refused where nobody takes its brand. */
export function brandOf(pan: string): Brand {
  const digits = digitsOf(pan);
  return (digits && digits.length >= BIN_DIGITS && schemeOf(digits)?.brand) || "unknown";
}

export const MIN_PAN_DIGITS = 13;
export const MAX_PAN_DIGITS = 19;
const ANY_LENGTH = [13, 14, 15, 16, 17, 18, 19];

/** Lengths in which the brand issues numbers. */
export const panLengths = (brand: Brand): readonly number[] => (brand === "unknown" ? ANY_LENGTH : PAN_LENGTHS[brand]);

export const cvvLength = (brand: Brand): 3 | 4 => (brand === "amex" ? 4 : 3);

const SEPARATORS = /[\s-]/g;
const DIGITS = /^\d+$/;

/** A card number without spaces and dashes; undefined when anything but digits is left. */
export function digitsOf(text: string): string | undefined {
  const bare = text.replace(SEPARATORS, "");
  return DIGITS.test(bare) ? bare : undefined;
}

const ZERO_CODE = 48;
/** A doubled digit with its own digits added: 7 → 14 → 5. */
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];

/** What a digit adds to the check sum; `place` counts from the right, from 0. */
function luhnShare(text: string, index: number, place: number): number {
  const digit = text.charCodeAt(index) - ZERO_CODE;
  return place % 2 === 0 ? digit : (DOUBLED[digit] ?? 0);
}

/** The check digit of card numbers (ISO/IEC 7812). */
export function luhnOk(digits: string): boolean {
  if (!DIGITS.test(digits)) return false;
  let total = 0;
  for (let place = 0; place < digits.length; place++) total += luhnShare(digits, digits.length - 1 - place, place);
  return total % 10 === 0;
}

const hasPanLength = (digits: string): boolean => digits.length >= MIN_PAN_DIGITS && digits.length <= MAX_PAN_DIGITS;

/** The scheme of Luhn-valid digits that begin like one of its cards and are as long. */
function cardScheme(digits: string): Scheme | undefined {
  const scheme = hasPanLength(digits) ? schemeOf(digits) : undefined;
  return scheme?.lengths.includes(digits.length) && luhnOk(digits) ? scheme : undefined;
}

/** Whether the whole text is a card number: 13 to 19 digits, spaces and dashes aside, Luhn-valid, with a card's prefix. */
export function looksLikePan(text: string): boolean {
  const digits = digitsOf(text);
  return digits !== undefined && cardScheme(digits) !== undefined;
}

const WORD = /[\p{L}\p{N}]+/gu;
const CNPJ_DIGITS = 14;

/** Whether the last words together are a card number. The check sum grows leftwards, so each digit is read once. */
function endsWithPan(words: readonly string[]): boolean {
  let total = 0;
  let count = 0;
  for (let first = words.length - 1; first >= 0; first--) {
    const word = words[first] ?? "";
    if (count + word.length > MAX_PAN_DIGITS) return false;
    for (let i = word.length - 1; i >= 0; i--, count++) total += luhnShare(word, i, count);
    if (count < MIN_PAN_DIGITS || total % 10 !== 0) continue;
    const digits = words.slice(first).join("");
    const brand = cardScheme(digits)?.brand ?? "unknown";
    if (brand !== "unknown" && !(count === CNPJ_DIGITS && cnpjOk(digits))) return true;
  }
  return false;
}

/** Whether the text between two words is one sign, however it is encoded. */
const isOneSign = (text: string, from: number, to: number): boolean =>
  to - from === 1 || (to - from === 2 && (text.codePointAt(from) ?? 0) > 0xffff);

/** Whole words of digits, one sign apart from each other, that are a card number of a brand of ours together. */
function hasPanWords(text: string): boolean {
  let words: string[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!isOneSign(text, end, index)) words = [];
    end = index + word.length;
    if (DIGITS.test(word)) words.push(word);
    else words = [];
    if (words.length > MAX_PAN_DIGITS) words.shift();
    if (endsWithPan(words)) return true;
  }
  return false;
}

const EDGED = (pattern: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, "giu");

/** Numbers that are written in a shape of their own, and whether these digits are one. No pattern repeats without end. */
const SHAPES: readonly (readonly [pattern: RegExp, is: (text: string) => boolean])[] = [
  [EDGED("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"), () => true],
  [EDGED("\\d{2}\\.\\d{3}\\.\\d{3}/\\d{4}-\\d{2}"), (text) => cnpjOk(text.replace(/\D/g, ""))],
  [EDGED("\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}"), (text) => cpfOk(text.replace(/\D/g, ""))],
  // Boletos of banks and of utilities, as they are typed from paper.
  [EDGED("\\d{5}\\.\\d{5} \\d{5}\\.\\d{6} \\d{5}\\.\\d{6} \\d \\d{14}"), () => true],
  [EDGED("8\\d{10}[- ]\\d(?: \\d{11}[- ]\\d){3}"), () => true],
  [EDGED("(?:19|20)\\d{2}-(?:0[1-9]|1[0-2])-(?:[0-2]\\d|3[01])(?:[ T]\\d{2}:\\d{2}(?::\\d{2})?)?"), () => true],
  [EDGED("(?:[0-2]\\d|3[01])[/.-](?:0[1-9]|1[0-2])[/.-](?:19|20)\\d{2}(?: \\d{2}:\\d{2}(?::\\d{2})?)?"), () => true],
];

/** Each such number becomes a word that joins with no digits. */
const withoutShapes = (text: string): string =>
  SHAPES.reduce((left, [pattern, is]) => left.replace(pattern, (found) => (is(found) ? "x" : found)), text);

const ASCII = /^[\0-\x7f]*$/;

/**
 * Digits of every width and style as plain ones. Marks that combine are one sign each first: sorting long runs of them,
 * as normalizing does, takes the square of their number.
 */
const plainText = (text: string): string =>
  ASCII.test(text) ? text : text.replace(/\p{M}/gu, "\u0001").normalize("NFKC").replace(/\p{M}/gu, "\u0001");

/**
 * Whether a card number of a brand of ours stands inside a longer text, its digits together or with any one sign between
 * them. Digits beside a letter belong to an identifier; UUIDs, a valid CPF or CNPJ, boleto lines and dates are none.
 */
export function containsPan(text: string): boolean {
  const plain = plainText(text);
  return hasPanWords(plain) && hasPanWords(withoutShapes(plain));
}

/** Members that carry a CPF or CNPJ: one CNPJ in fifty would otherwise pass for a card number. */
const TAX_ID_MEMBERS: ReadonlySet<string> = new Set([
  "number",
  "document",
  "documentNumber",
  "document.number",
  "holderDocument",
  "identity",
  "pixKey",
]);

/** The member that carries days of a month. */
const DAYS_MEMBER = "automaticAnticipationDays";
const DAY_LIST = /^\[?\d{1,2}(?:,\s?\d{1,2}){0,30}\]?$/;
const LAST_DAY = 31;

/** Days of a month, each once: the digits of a long list may pass for a card number, and a card number is no such list. */
function isDayList(text: string): boolean {
  if (!DAY_LIST.test(text)) return false;
  const days = (text.match(/\d+/g) ?? []).map(Number);
  return new Set(days).size === days.length && days.every((day) => 1 <= day && day <= LAST_DAY);
}

function isPanValue(value: unknown, member: string | undefined): boolean {
  if (typeof value === "number") {
    const digits = String(value);
    if (Number.isSafeInteger(value) || !DIGITS.test(digits)) return looksLikePan(digits);
    // Digits beyond 2^53 were lost in parsing, so the check digit says nothing.
    return hasPanLength(digits) && schemeOf(digits) !== undefined;
  }
  if (typeof value !== "string" || (member === DAYS_MEMBER && isDayList(value))) return false;
  if (!looksLikePan(plainText(value))) return containsPan(value);
  const taxId = member !== undefined && TAX_ID_MEMBERS.has(member) && value.length === CNPJ_DIGITS && cnpjOk(value);
  return !taxId;
}

/** Whether a card number stands anywhere in a JSON value, member names included. Never tells which. */
export function findPan(value: unknown): boolean {
  // A stack of our own: nesting is the sender's choice and must not exhaust the call stack.
  const open: { value: unknown; member: string | undefined }[] = [{ value, member: undefined }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: current, member } = next;
    if (isPanValue(current, member)) return true;
    if (typeof current !== "object" || current === null) continue;
    if (Array.isArray(current)) {
      for (const entry of current) open.push({ value: entry, member });
      continue;
    }
    for (const [name, entry] of Object.entries(current)) {
      if (isPanValue(name, undefined)) return true;
      open.push({ value: entry, member: name });
    }
  }
  return false;
}

const CARD_MEMBERS: ReadonlySet<string> = new Set(["card", "cardNumber", "cardCvv", "number", "cvv"]);

/** Whether a member that would carry card data is named anywhere, whatever its value (purchases never take one). */
export function hasCardMember(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const current = open.pop();
    if (typeof current !== "object" || current === null) continue;
    if (!Array.isArray(current) && Object.keys(current).some((name) => CARD_MEMBERS.has(name))) return true;
    for (const entry of Object.values(current)) open.push(entry);
  }
  return false;
}
