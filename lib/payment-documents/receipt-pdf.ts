import { maskBoletoLine } from "@/lib/brazil/boleto";
import { momentDayText, momentText } from "@/lib/i18n/dates";
import type { Locale } from "@/lib/i18n/locales";
import { instalments, sumOf } from "@/lib/money";
import { RECEIPT } from "@/lib/payment-documents/receipt-words";
import { A4, MARGIN, newSheet, type Sheet } from "@/lib/payment-documents/sheet";
import { type CardOnReceipt, extraLinesOf, type MoneyLine, type ReceiptView } from "@/lib/payment-documents/views";
import { moneyText } from "@/lib/payment-documents/words";

const RIGHT = A4.width - MARGIN;
const VALUES = MARGIN + 140;
const WIDTH = RIGHT - MARGIN;
const BOTTOM = A4.height - MARGIN;
const ROW = 17;
/** What is left for items when everything else is on the page. */
const MOST_REFUNDS = 12;

/** What the receipt page shows, on one A4 page. */
export async function receiptPdf(view: ReceiptView, locale: Locale): Promise<Uint8Array> {
  const words = RECEIPT[locale];
  const sheet = await newSheet({ title: `${words.title} - ${view.shop.name}`, locale, at: view.at });
  const shown = (cents: number) => moneyText(locale, cents, view.currency);
  sheet.text(view.shop.name, MARGIN, 60, { size: 12, isMuted: true, width: WIDTH });
  sheet.text(words.title, MARGIN, 86, { size: 18, isBold: true });
  sheet.text(shown(view.amount), MARGIN, 122, { size: 26, isBold: true, width: WIDTH });
  let y = 144;
  y += sheet.paragraph(words.status[view.status], MARGIN, y, { size: 11, width: WIDTH, mostLines: 2 });
  for (const told of notesOf(view, locale))
    y += sheet.paragraph(told, MARGIN, y, { size: 10, width: WIDTH, mostLines: 3 }) + 4;
  if (view.holdUntil) {
    sheet.text(words.holdUntil(momentDayText(locale, view.holdUntil)), MARGIN, y, { size: 10, width: WIDTH });
    y += ROW;
  }
  if (view.isSandbox) {
    sheet.text(words.simulated, MARGIN, y, { size: 10, isBold: true });
    y += ROW;
  }
  sheet.line(MARGIN, y, RIGHT, y);
  y += ROW;
  for (const [label, value] of rowsOf(view, locale)) y = row(sheet, y, label, value);
  if (view.statement)
    y += sheet.paragraph(words.statement(view.statement), MARGIN, y, { size: 9.5, width: WIDTH, mostLines: 2 }) + 4;
  items(sheet, view, locale, y + 8);
  return sheet.bytes();
}

/** Why the order and its payment are of different amounts, and how much of it is in dispute. */
function notesOf({ amount, asked, difference, notCharged, disputes, ...view }: ReceiptView, locale: Locale): string[] {
  const words = RECEIPT[locale];
  const shown = (cents: number) => moneyText(locale, cents, view.currency);
  const [last] = disputes;
  const beside = shown(Math.abs(difference));
  return [
    ...(last && view.status === "partly_disputed"
      ? [words.disputed(shown(totalOf(disputes)), shown(amount), momentDayText(locale, last.at))]
      : []),
    ...(difference > 0 ? [words.overpaid(beside, shown(asked))] : []),
    ...(difference < 0 ? [words.underpaid(beside, shown(asked))] : []),
    ...(notCharged > 0 ? [words.capturedPart(shown(amount), shown(asked))] : []),
  ];
}

const totalOf = (lines: readonly MoneyLine[]): number => sumOf(lines.map(({ amount }) => amount));

function row(sheet: Sheet, y: number, label: string, value: string): number {
  sheet.text(label, MARGIN, y, { size: 9.5, isMuted: true, width: VALUES - MARGIN - 8 });
  const height = sheet.paragraph(value, VALUES, y, { size: 9.5, width: RIGHT - VALUES, mostLines: 2 });
  return y + Math.max(ROW, height + 4);
}

type Row = [label: string, value: string];

const optional = (label: string, value: string | null): Row[] => (value ? [[label, value]] : []);

function rowsOf(view: ReceiptView, locale: Locale): Row[] {
  const words = RECEIPT[locale];
  const { shop, method, cards, disputes } = view;
  return [
    [words.shop, shop.document ? `${shop.name} - ${shop.document}` : shop.name],
    [words.date, words.when(momentText(locale, view.at))],
    [words.method, method === "cards" ? words.cards(cards.length) : words.methods[method]],
    ...cards.flatMap((card, index) => cardRows(card, index, view, locale)),
    ...optional(words.endToEnd, view.endToEndId),
    ...optional(words.line, view.line && maskBoletoLine(view.line)),
    ...optional(words.order, view.orderId),
    ...optional(words.about, view.title),
    ...optional(words.details, view.about),
    ...refundRows(view, locale),
    ...disputes.map((line): Row => [words.dispute, lineText(line, view.currency, locale)]),
    [words.payment, view.paymentId],
  ];
}

/** Beyond those that fit, one row has the sum: together they are what was refunded. */
function refundRows({ refunds, disputes, currency }: ReceiptView, locale: Locale): Row[] {
  const words = RECEIPT[locale];
  const most = MOST_REFUNDS - disputes.length;
  const room = refunds.length > most ? most - 1 : most;
  const more = refunds.slice(room);
  const rows = refunds.slice(0, room).map((line) => lineText(line, currency, locale));
  if (more.length > 0) rows.push(words.moreRefunds(more.length, moneyText(locale, totalOf(more), currency)));
  return rows.map((text) => [words.refund, text]);
}

function lineText({ amount, at, card }: MoneyLine, currency: string, locale: Locale): string {
  const words = RECEIPT[locale];
  const [shown, day] = [moneyText(locale, amount, currency), momentDayText(locale, at)];
  return card ? words.cardLine(shown, day, cardOnPaper(card, locale)) : words.refundLine(shown, day);
}

/** Of a brand without a name of its own here, the last digits are enough. */
const isNamed = (brand: string | null): brand is string => brand !== null && brand !== "Unknown";

export function cardOnPaper({ brand, last4 }: Pick<CardOnReceipt, "brand" | "last4">, locale: Locale): string {
  const words = RECEIPT[locale];
  return last4 ? words.ending(isNamed(brand) ? brand : words.card, last4) : words.card;
}

function cardRows(card: CardOnReceipt, index: number, { cards, currency }: ReceiptView, locale: Locale): Row[] {
  const words = RECEIPT[locale];
  const isOne = cards.length === 1;
  const label = isOne ? words.card : words.cardNumber(index + 1);
  const name = cardOnPaper(card, locale);
  return [
    [label, isOne ? name : `${name} - ${moneyText(locale, card.amount, currency)}`],
    ...(card.amount > 0 ? [[words.installments, partsText(card, currency, locale)] satisfies Row] : []),
    ...optional(words.authorization, card.authorizationCode),
    ...optional(words.nsu, card.nsu),
  ];
}

export function partsText(
  { amount, installments: count }: Pick<CardOnReceipt, "amount" | "installments">,
  currency: string,
  locale: Locale,
): string {
  const words = RECEIPT[locale];
  if (count <= 1) return words.once;
  const [first = amount, second = amount] = instalments(amount, count);
  const [one, other] = [first, second].map((cents) => moneyText(locale, cents, currency));
  return first === second ? words.equalParts(one ?? "", count) : words.parts(one ?? "", other ?? "", count);
}

/** As many as the page has room for. */
function items(sheet: Sheet, view: ReceiptView, locale: Locale, from: number): void {
  const words = RECEIPT[locale];
  if (view.items.length === 0) return;
  sheet.line(MARGIN, from - 14, RIGHT, from - 14);
  sheet.text(words.items, MARGIN, from, { size: 10, isBold: true });
  const last = [
    ...(view.adjustment === 0 ? [] : [{ label: words.adjustment, amount: view.adjustment }]),
    ...extraLinesOf(view).map(({ kind, amount }) => ({ label: words.extra[kind], amount })),
  ];
  const room = Math.max(1, Math.floor((BOTTOM - from) / ROW) - 1 - last.length);
  const shown = view.items.slice(0, view.items.length > room ? room - 1 : room);
  let y = from;
  for (const { name, quantity, unitPrice } of shown) {
    y += ROW;
    sheet.text(`${quantity} × ${name}`, MARGIN, y, { size: 9.5, width: WIDTH - 110 });
    sheet.text(moneyText(locale, quantity * unitPrice, view.currency), RIGHT, y, { size: 9.5, align: "right" });
  }
  const more = view.items.length - shown.length;
  if (more > 0) {
    y += ROW;
    sheet.text(words.more(more), MARGIN, y, { size: 9.5, isMuted: true });
  }
  for (const { label, amount } of last) {
    y += ROW;
    sheet.text(label, MARGIN, y, { size: 9.5, width: WIDTH - 110 });
    sheet.text(moneyText(locale, amount, view.currency), RIGHT, y, { size: 9.5, align: "right" });
  }
}
