import { typedAmount } from "@/lib/charges/typed-amount";
import { isUuid } from "@/lib/ids";

/** What a typed text may be; one text can be several things. */
export type SearchTerm =
  | { kind: "id"; value: string }
  | { kind: "txid"; value: string }
  | { kind: "email"; value: string }
  | { kind: "document"; value: string }
  | { kind: "phone"; value: string }
  | { kind: "lastFour"; value: string }
  | { kind: "code"; value: string }
  | { kind: "amount"; value: number }
  | { kind: "reference"; value: string }
  | { kind: "order"; value: string };
export type SearchKind = SearchTerm["kind"];
/**
 * A term, an amount that too many share to list them all, or the ids of payments that were looked up for a term, with
 * commas between them.
 */
export type MeantTerm =
  | SearchTerm
  | { kind: "amount"; value: number; isCommon: Readonly<Record<"charge" | "purchase", boolean>> }
  | { kind: "payments"; value: string };

export const LONGEST_SEARCH = 128;
const TXID = /^[0-9a-f]{32}$/i;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const DOCUMENT = /^(\d{3}\.?\d{3}\.?\d{3}-?\d{2}|[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2})$/i;
/** People copy a card as they see it: •••• 4242, **** 4242, 4242. */
const LAST_FOUR = /^(?:[•*x]{2,}[\s•*x]*)?(\d{4})$/i;
/** NSU and authorisation code, as they stand on a receipt. */
const CODE = /^[0-9A-Z]{4,20}$/i;
/** As a payment's page writes it. */
const NSU = /^NSU[:\s]\s*([0-9A-Z]{4,20})$/i;
/** An amount without decimals may be any other number too. */
const REAIS = /^[1-9]\d{0,6}$/;
const MONEY = /^(?:R\$\s*[\d.,]+|[\d.,]*[.,]\d{1,2})$/i;
const DIGITS = /\d/;

/** With its area; a shorter one only as phones are written. */
const PHONE = /^(\+?\d{10,13}|(\+?55)?\s?\(?\d{2}\)?\s?\d{4,5}[-\s]?\d{4}|\d{4,5}-\d{4})$/;

/** The digits of what may be a phone number. */
export const phoneOf = (typed: string): string | undefined =>
  PHONE.test(typed.trim()) ? typed.replaceAll(/\D/g, "") : undefined;

/** Detects what was typed; empty for a blank text, and never an error. */
export function readSearch(typed: string): SearchTerm[] {
  const text = typed.trim().slice(0, LONGEST_SEARCH);
  if (text === "") return [];
  if (isUuid(text)) {
    return [
      { kind: "id", value: text.toLowerCase() },
      { kind: "reference", value: text },
    ];
  }
  if (EMAIL.test(text)) return [{ kind: "email", value: text }];
  const nsu = NSU.exec(text)?.[1];
  if (nsu !== undefined) return [{ kind: "code", value: nsu }];
  const amount = MONEY.test(text) ? typedAmount(text, undefined) : undefined;
  if (amount !== undefined) return [{ kind: "amount", value: amount }];
  const phone = phoneOf(text);
  const lastFour = LAST_FOUR.exec(text)?.[1];
  return [
    ...(TXID.test(text) ? [{ kind: "txid", value: text.toLowerCase() } as const] : []),
    ...(DOCUMENT.test(text)
      ? [{ kind: "document", value: text.replaceAll(/[^0-9A-Z]/gi, "").toUpperCase() } as const]
      : []),
    ...(phone ? [{ kind: "phone", value: phone } as const] : []),
    ...(lastFour ? [{ kind: "lastFour", value: lastFour } as const] : []),
    ...(CODE.test(text) && DIGITS.test(text) ? [{ kind: "code", value: text } as const] : []),
    ...(REAIS.test(text) ? [{ kind: "amount", value: Number(text) * 100 } as const] : []),
    { kind: "order", value: text },
    { kind: "reference", value: text },
  ];
}
