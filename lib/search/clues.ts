import { type CivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { BRAND_NAMES, type BrandName } from "@/lib/brazil/card-brand";
import type { ListState } from "@/lib/charges/list-states";
import { readSearch, type SearchKind, type SearchTerm } from "@/lib/charges/search-terms";
import { type DeclineCode, declineSaid } from "@/lib/search/decline-words";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** What a text asks of payments when its words are taken together: each clue narrows what the others leave. */
export interface Clues {
  status?: readonly ListState[];
  method?: string;
  brand?: BrandName;
  from?: Date;
  until?: Date;
  /** Of an order paid with several. */
  cards?: number;
  /** Why it was declined. */
  declineCode?: DeclineCode;
  /** Whatever is no state, day or way to pay: numbers and words of the payment or of its buyer. */
  rest: Rest | undefined;
  readAs: ClueKind[];
}

interface Rest {
  /** Of each number or mark, all that it may be. */
  terms: SearchTerm[][];
  /** Part of a buyer's name or e-mail. */
  words: string;
  /** The same text as an order number may be written. */
  orders: string[];
  /** Or it is one thing after all, such as a reference without a digit. */
  whole: SearchTerm[];
}

export type ClueKind = SearchKind | "name" | "status" | "method" | "brand" | "day" | "cards" | "decline";

const PAID: readonly ListState[] = ["authorized"];
const DECLINED: readonly ListState[] = ["failed"];
const REFUNDED: readonly ListState[] = ["refunded"];
const HELD: readonly ListState[] = ["pre_authorized", "capture_pending"];
/** An authorization that was released took nothing from anybody. */
const CANCELED: readonly ListState[] = ["canceled", "released"];
const RELEASED: readonly ListState[] = ["released"];
const EXPIRED: readonly ListState[] = ["expired"];
const DISPUTED: readonly ListState[] = ["charged_back"];
const PENDING: readonly ListState[] = ["pending"];

/** By the beginnings that the words of both languages share, whatever their ending: recusada, recusados. */
const STATUS_WORDS: readonly (readonly [RegExp, readonly ListState[]])[] = [
  [/^(recusad[oa]s?|negad[oa]s?|declined|failed)$/, DECLINED],
  [/^(pag[oa]s?|aprovad[oa]s?|paid|approved)$/, PAID],
  [/^(reembols(ad[oa]s?|os?)|devolvid[oa]s?|devoluc(ao|oes)|estorn(ad[oa]s?|os?)|refund(ed|s)?)$/, REFUNDED],
  [/^((pre-?)?autorizad[oa]s?|(pre-?)?authorized)$/, HELD],
  [/^(cancelad[oa]s?|cancell?ed)$/, CANCELED],
  [/^(expirad[oa]s?|vencid[oa]s?|expired)$/, EXPIRED],
  [/^(liberad[oa]s?|released|voided)$/, RELEASED],
  [/^(contesta(d[oa]s?|cao|coes)|disputed?s?|chargebacks?)$/, DISPUTED],
  [/^(pendentes?|pending)$/, PENDING],
];

const METHOD_WORDS: Readonly<Record<string, string | undefined>> = {
  pix: "pix",
  boleto: "boleto",
  credito: "credit",
  credit: "credit",
  debito: "debit",
  debit: "debit",
};

const BRAND_WORDS: ReadonlyMap<string, BrandName> = new Map([
  ...Object.values(BRAND_NAMES)
    .filter((name) => name !== "Unknown")
    .map((name): [string, BrandName] => [name.toLowerCase(), name]),
  ["master", BRAND_NAMES.mastercard],
]);

const DAYS_BACK: Readonly<Record<string, number | undefined>> = {
  hoje: 0,
  today: 0,
  ontem: 1,
  yesterday: 1,
  anteontem: 2,
};
/** What joins clues in a sentence, or says what a number is: never the beginning or the end of somebody's name. */
const SPOKEN = new Set(
  [
    "a o as os um uma de da do das dos em no na nos nas por para com que foi foram pagamento pagamentos compra compras",
    "pedido cartao final valor cliente comprador the an of from for by in on at with that was were payment payments",
    "purchase purchases order card ending amount customer buyer nsu",
  ].flatMap((words) => words.split(" ")),
);
const WRITTEN_DAY = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const HAS_DIGIT = /\d/;
/** A comma between digits is a part of an amount. */
const BETWEEN_CLUES = /\s*(?:;|,(?!\d)|(?<!\d),)\s*/g;
const CARDS =
  /^(.*?)(?:^|\s)(2|dois|two|3|tr[eê]s|three|4|quatro|four|5|cinco|five)\s+(?:cart[oõ]es|cards)(?=\s|$)(.*)$/i;
const COUNTS = ["dois two 2", "tres three 3", "quatro four 4", "cinco five 5"].map((words) => words.split(" "));
const LETTERS_AND_NUMBER = /^(\p{L}+)(\d+)$/u;
const CURRENCY_SIGN = /R\$\s+/gi;

const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/**
 * Reads what was typed as clues in any order. A text that is one thing whole, such as an id or an e-mail, is only that.
 * `now` is the account's, for days that are counted from it.
 */
export function readClues(typed: string, now: Date): Clues | undefined {
  const written = typed.trim().replaceAll(CURRENCY_SIGN, "R$");
  const text = written.replaceAll(BETWEEN_CLUES, " ").trim();
  const whole = readSearch(text);
  if (whole.length === 0) return undefined;
  const isCard = /\s/.test(text) && whole.some(({ kind }) => kind === "lastFour");
  if (isCard || isOneThing(whole))
    return { rest: { terms: [whole], words: "", orders: [], whole: [] }, readAs: whole.map(({ kind }) => kind) };
  const clues: Clues = { rest: undefined, readAs: [] };
  const tokens = withoutCards(withoutProgress(withoutDecline(text, clues), clues), clues)
    .split(/\s+/)
    .filter(Boolean);
  const left = tokens.filter((token) => !take(token, clues, now));
  if (left.length === 0) return clues;
  const letters = left.filter((token) => !HAS_DIGIT.test(token));
  const spared = withoutSpoken(letters);
  const named = spared.length > 0 || letters.length < tokens.length ? spared : letters;
  if (named.length === 0 && left.length === letters.length) return clues;
  const marked = left.filter((token) => HAS_DIGIT.test(token)).map((token) => readSearch(token));
  const isWhole = left.length === tokens.length && named.length > 0;
  clues.rest = {
    terms: marked,
    words: named.join(" "),
    orders: [...ordersOf(left), ...(written === text ? [] : [written])],
    whole: isWhole ? readSearch(written).filter(({ kind }) => kind === "reference") : [],
  };
  const kinds = marked.flatMap((terms) => terms.map(({ kind }) => kind));
  const isAmountAlone = kinds.length > 0 && kinds.every((kind) => kind === "amount") && named.length === 0;
  clues.readAs.push(...new Set([...kinds, ...(named.length > 0 ? (["name"] as const) : [])]));
  if (!isAmountAlone && !clues.readAs.includes("order")) clues.readAs.push("order");
  return clues;
}

/** Nothing of it could be a word of a longer clue. */
const isOneThing = (terms: readonly SearchTerm[]): boolean =>
  terms.some(
    ({ kind }) => kind === "id" || kind === "txid" || kind === "email" || kind === "document" || kind === "phone",
  ) ||
  terms.every(({ kind }) => kind === "amount") ||
  terms.every(({ kind }) => kind === "code");

/** `da Silva` inside of a name is part of it. */
function withoutSpoken(words: readonly string[]): string[] {
  const isNamed = (word: string) => !SPOKEN.has(plain(word));
  return words.slice(words.findIndex(isNamed), words.findLastIndex(isNamed) + 1);
}

/** A state, a way to pay, a brand or a day; the first of each kind counts. */
function take(token: string, clues: Clues, now: Date): boolean {
  const word = plain(token);
  const status = STATUS_WORDS.find(([words]) => words.test(word))?.[1];
  const method = METHOD_WORDS[word];
  const brand = BRAND_WORDS.get(word);
  const day = dayOf(word, now);
  if (status && !clues.status) return noted(clues, "status", { status });
  if (method && !clues.method) return noted(clues, "method", { method });
  if (brand && !clues.brand) return noted(clues, "brand", { brand });
  if (day && !clues.from) return noted(clues, "day", { from: day, until: addSeconds(day, DAY_SECONDS) });
  return false;
}

/** "Two cards" are two words of one clue. */
function withoutCards(text: string, clues: Clues): string {
  const [, before, typed, after] = CARDS.exec(text) ?? [];
  if (typed === undefined) return text;
  noted(clues, "cards", { cards: COUNTS.findIndex((words) => words.includes(plain(typed))) + 2 });
  return `${before} ${after}`.trim();
}

/** As the tab over the list says it. */
const IN_PROGRESS = /(?:^|\s)(?:em andamento|in progress)(?=\s|$)/i;

function withoutProgress(text: string, clues: Clues): string {
  if (!IN_PROGRESS.test(text)) return text;
  noted(clues, "status", { status: PENDING });
  return text.replace(IN_PROGRESS, " ");
}

/** A reason is said in several words, of which some alone would be a state or a card. */
function withoutDecline(text: string, clues: Clues): string {
  const said = declineSaid(text);
  if (!said) return text;
  noted(clues, "decline", { declineCode: said.code });
  return said.rest;
}

function noted(clues: Clues, kind: ClueKind, found: Partial<Clues>): true {
  Object.assign(clues, found);
  clues.readAs.push(kind);
  return true;
}

const midnight = (day: CivilDate): Date => new Date(`${day}T00:00:00-03:00`);

function dayOf(word: string, now: Date): Date | undefined {
  const back = DAYS_BACK[word];
  if (back !== undefined) return addSeconds(midnight(saoPauloDay(now)), -back * DAY_SECONDS);
  const [, day = "", month = "", year] = WRITTEN_DAY.exec(word) ?? [];
  const iso = ISO_DAY.test(word)
    ? word
    : day && `${year ?? saoPauloDay(now).slice(0, 4)}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (!iso) return undefined;
  const at = midnight(iso);
  // 31/02 is no day. One without a year is the last that was.
  if (Number.isNaN(at.getTime()) || saoPauloDay(at) !== iso) return undefined;
  return at > now && year === undefined && day ? midnight(`${Number(iso.slice(0, 4)) - 1}${iso.slice(4)}`) : at;
}

const JOINTS = ["", " ", "-", "_", "/", "#", "."];
const MOST_PARTS = 3;

/** `PED 1010` stands in shops' systems as PED-1010, PED1010, ped_1010 …, and may be said as any of them. */
export function ordersOf(tokens: readonly string[]): string[] {
  const parts = tokens.flatMap((token) => LETTERS_AND_NUMBER.exec(token)?.slice(1) ?? token);
  if (parts.length > MOST_PARTS) return [tokens.join(" ")];
  const joined = parts.length === 1 ? parts : JOINTS.map((joint) => parts.join(joint));
  const titled = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
  return [...new Set(joined.flatMap((text) => [text, text.toUpperCase(), text.toLowerCase(), titled(text)]))];
}
