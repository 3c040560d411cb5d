import { readPdf } from "@/lib/payment-documents/testing";
import { textOf } from "@/lib/testing/buyer";
import type { WrittenMail } from "@/lib/testing/mail";

/** A receipt as its reader has it, on the page, on paper and in the e-mail, and what its lines add up to. */

/** Labels and values in the order they are read, each label as often as it stands there. */
type Line = readonly [label: string, value: string];

export const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, " ").replaceAll("−", "-");

export const ofPage = (html: string): Line[] =>
  [
    ...html.matchAll(/<dt>([\s\S]*?)<\/dt><dd[^>]*>([\s\S]*?)<\/dd>/g),
    ...html.matchAll(/<li><span>([\s\S]*?)<\/span><b>([\s\S]*?)<\/b><\/li>/g),
  ].map(([, label = "", value = ""]): Line => [textOf(label), plain(textOf(value))]);

/** What stands on one line of the paper belongs together. */
export function ofPaper(bytes: Uint8Array): Line[] {
  const { texts } = readPdf(bytes);
  const heights = [...new Set(texts.map(({ y }) => y))].toSorted((a, b) => b - a);
  return heights.flatMap((height): Line[] => {
    const row = texts.filter(({ y }) => y === height);
    const [label, ...rest] = row.toSorted((a, b) => a.x - b.x).map(({ text }) => plain(text));
    return label && rest.length > 0 ? [[label, rest.join(" ")]] : [];
  });
}

export const ofMail = ({ text }: WrittenMail): Line[] =>
  plain(text)
    .split("\n")
    .flatMap((line): Line[] => {
      const [, label, value] = /^(\S.*?) {2,}(\S.*)$/.exec(line) ?? [];
      return label && value ? [[label, value]] : [];
    });

const MONEY = /(-?)R\$ ([\d.]+),(\d\d)/g;
export const moneysIn = (text: string): number[] =>
  [...plain(text).matchAll(MONEY)].map(([, sign, whole = "", cents = ""]) => {
    const amount = Number(whole.replaceAll(".", "")) * 100 + Number(cents);
    return sign ? -amount : amount;
  });
export const firstMoney = (text: string): number => moneysIn(text)[0] ?? 0;
const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);
export const named = (lines: readonly Line[], label: string): string[] =>
  lines.filter(([name]) => name === label).map(([, value]) => value);

/** "À vista" says no amount: it is the card's. */
function inInstallments(text: string, amount: number): number {
  const [first = 0, second] = moneysIn(text);
  if (text === "À vista") return amount;
  const [, count = "", others] = /^(\d+)x(?: de |: .* e (\d+) de )/.exec(text) ?? [];
  return others ? first + Number(others) * (second ?? 0) : Number(count) * first;
}

const BELOW = ["Multa e juros", "Pago a mais", "Pago a menos", "Não cobrado", "Ajuste da loja"];

/** Every sum that a receipt shows, from its own lines. */
export function added(lines: readonly Line[], total: number) {
  const ofCards = lines
    .filter(([label, value]) => /^Cartão( \d)?$/.test(label) && value.includes(" - R$"))
    .map(([, value]) => firstMoney(value));
  const parts = named(lines, "Parcelas");
  // The e-mail says the whole amount before those of the cards.
  const amounts = ofCards.length > 0 ? ofCards : named(lines, "Valor").map(firstMoney).slice(-parts.length);
  const each = parts.length === 1 ? [total] : amounts.filter((amount) => amount !== 0);
  return {
    items: sum(
      lines
        .filter(([label]) => /(^|× )Tênis$/.test(label) || BELOW.includes(label))
        .map(([, value]) => firstMoney(value)),
    ),
    installments: sum(parts.map((text, index) => inInstallments(text, each[index] ?? 0))),
    cards: parts.length,
    refunded: sum(named(lines, "Devolução").map(firstMoney)),
    disputed: sum(named(lines, "Contestação").map(firstMoney)),
    beside: lines.filter(([label]) => BELOW.includes(label)).map(([label, value]) => [label, firstMoney(value)]),
  };
}

export const dayOf = (lines: readonly Line[]): string | undefined => named(lines, "Data")[0];
