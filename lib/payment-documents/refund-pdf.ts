import { momentDayText, momentText } from "@/lib/i18n/dates";
import type { Locale } from "@/lib/i18n/locales";
import { sumOf } from "@/lib/money";
import { cardOnPaper } from "@/lib/payment-documents/receipt-pdf";
import { RECEIPT } from "@/lib/payment-documents/receipt-words";
import { REFUND } from "@/lib/payment-documents/refund-words";
import { A4, MARGIN, newSheet, type Sheet } from "@/lib/payment-documents/sheet";
import { paidBy, type RefundOnPaper, type RefundView } from "@/lib/payment-documents/views";
import { moneyText } from "@/lib/payment-documents/words";

const RIGHT = A4.width - MARGIN;
const VALUES = MARGIN + 150;
const WIDTH = RIGHT - MARGIN;
const ROW = 18;
/** Lines of refunds that a receipt has room for. */
const MOST_REFUNDS = 28;

type Row = [label: string, value: string];

/** What a buyer shows their card's bank: one refund. */
export async function refundLetterPdf(
  view: RefundView & { refund: RefundOnPaper },
  locale: Locale,
): Promise<Uint8Array> {
  const words = REFUND[locale];
  const shown = (cents: number) => moneyText(locale, cents, view.currency);
  const { refund } = view;
  const { sheet, y: top } = await begun(view, words.letter, shown(refund.amount), locale);
  const told = words.letterText(view.shop, shown(refund.amount), momentDayText(locale, refund.at));
  let y = top + sheet.paragraph(told, MARGIN, top, { size: 11, width: WIDTH, mostLines: 4 }) + 6;
  const when = view.card ? words.cardText : words.otherText;
  y += sheet.paragraph(when, MARGIN, y, { size: 10, width: WIDTH, mostLines: 4 }) + 8;
  const own: Row[] = [
    [words.refunded, shown(refund.amount)],
    [words.refundedOn, momentText(locale, refund.at)],
    [words.refund, refund.id],
  ];
  rows(sheet, [...saleRows(view, locale), ...own, [words.issued, momentText(locale, view.issuedAt)]], y);
  return sheet.bytes();
}

/** All refunds so far, and what is left of the payment. */
export async function refundReceiptPdf(view: RefundView, locale: Locale): Promise<Uint8Array> {
  const words = REFUND[locale];
  const shown = (cents: number) => moneyText(locale, cents, view.currency);
  const total = sumOf(view.refunds.map(({ amount }) => amount));
  const { sheet, y: top } = await begun(view, words.receipt, shown(total), locale);
  const all: Row[] = [
    ...saleRows(view, locale),
    [words.total, shown(total)],
    [words.remaining, shown(view.paidAmount - total)],
    [words.issued, momentText(locale, view.issuedAt)],
  ];
  let y = rows(sheet, all, top) + ROW;
  sheet.text(words.refunds, MARGIN, y, { size: 10, isBold: true });
  const listed = view.refunds.slice(0, MOST_REFUNDS);
  for (const { id, amount, at } of listed) {
    y += 14;
    sheet.text(`${momentText(locale, at)}  ${id}`, MARGIN, y, { size: 8.5, width: WIDTH - 110 });
    sheet.text(shown(amount), RIGHT, y, { size: 8.5, align: "right" });
  }
  const more = view.refunds.length - listed.length;
  if (more > 0) sheet.text(words.more(more), MARGIN, y + 14, { size: 8.5, isMuted: true });
  return sheet.bytes();
}

async function begun(view: RefundView, title: string, amount: string, locale: Locale) {
  const sheet = await newSheet({ title: `${title} - ${view.shop}`, locale, at: view.issuedAt });
  sheet.text(view.shop, MARGIN, 60, { size: 12, isMuted: true, width: WIDTH });
  sheet.text(title, MARGIN, 86, { size: 18, isBold: true });
  sheet.text(amount, MARGIN, 122, { size: 26, isBold: true, width: WIDTH });
  if (view.isSandbox) sheet.text(RECEIPT[locale].simulated, MARGIN, 144, { size: 10, isBold: true });
  sheet.line(MARGIN, 156, RIGHT, 156);
  return { sheet, y: 176 };
}

function saleRows(view: RefundView, locale: Locale): Row[] {
  const words = REFUND[locale];
  const labels = RECEIPT[locale];
  const { card, method } = view;
  const by = paidBy(method);
  const cardText = card?.last4 ? cardOnPaper(card, locale) : undefined;
  const optional = (label: string, value: string | null | undefined): Row[] => (value ? [[label, value]] : []);
  return [
    [words.sale, labels.when(momentText(locale, view.paidAt))],
    [words.saleAmount, moneyText(locale, view.paidAmount, view.currency)],
    [labels.method, labels.methods[by === "cards" ? "other" : by]],
    ...optional(labels.card, cardText),
    ...optional(labels.authorization, view.authorizationCode),
    ...optional(labels.nsu, view.nsu),
    ...optional(labels.order, view.orderId),
    [labels.payment, view.chargeId],
  ];
}

function rows(sheet: Sheet, all: readonly Row[], from: number): number {
  return all.reduce((y, [label, value]) => {
    sheet.text(label, MARGIN, y, { size: 9.5, isMuted: true, width: VALUES - MARGIN - 8 });
    sheet.text(value, VALUES, y, { size: 9.5, width: RIGHT - VALUES });
    return y + ROW;
  }, from);
}
