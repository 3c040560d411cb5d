import { maskBoletoLine } from "@/lib/brazil/boleto";
import { civilDayText } from "@/lib/i18n/dates";
import type { Locale } from "@/lib/i18n/locales";
import { A4, MARGIN, MM, newSheet, type Sheet } from "@/lib/payment-documents/sheet";
import type { BoletoView, PartyOnPaper } from "@/lib/payment-documents/views";
import { GUIDE, moneyText, SLIP, slipDay } from "@/lib/payment-documents/words";
import { findBank } from "@/lib/reference/banks";

/** The size banks read: 103 by 13 millimetres. */
const BARCODE = { width: 103 * MM, height: 13 * MM } as const;
const RIGHT = A4.width - MARGIN;
const SIDE_WIDTH = 150;
const SIDE = RIGHT - SIDE_WIDTH;
const ROW = 26;
const QR_SIZE = 30 * MM;
const QR_GAP = 14;
const MOST_ITEMS = 5;
const MOST_INSTRUCTION_LINES = 11;
const TEST_BANK = "000";

/** The slip on one A4 page: what to do and the payer's part above, the part that banks read below the cut. */
export async function boletoPdf(view: BoletoView, locale: Locale): Promise<Uint8Array> {
  const guide = GUIDE[locale];
  const sheet = await newSheet({ title: `${guide.title} - ${view.beneficiary.name}`, locale, at: view.issuedAt });
  let y = explain(sheet, view, locale);
  y = stub(sheet, view, Math.max(y + 14, 270));
  sheet.line(MARGIN, y + 18, RIGHT, y + 18, true);
  slip(sheet, view, y + 44);
  return sheet.bytes();
}

function explain(sheet: Sheet, view: BoletoView, locale: Locale): number {
  const guide = GUIDE[locale];
  const end = view.pixCode ? RIGHT - QR_SIZE - QR_GAP : RIGHT;
  const width = end - MARGIN;
  if (view.pixCode) {
    sheet.qr(view.pixCode, RIGHT - QR_SIZE, MARGIN, QR_SIZE);
    sheet.text(guide.pix, RIGHT - QR_SIZE / 2, MARGIN + QR_SIZE + 12, { size: 9.5, isBold: true, align: "center" });
  }
  sheet.text(view.beneficiary.name, MARGIN, 52, { size: 12, isMuted: true, width });
  sheet.text(guide.lead(moneyText(locale, view.amount), civilDayText(locale, view.dueOn)), MARGIN, 76, {
    size: 17,
    isBold: true,
    width,
  });
  let y = 98;
  if (view.isSandbox) {
    sheet.text(guide.simulated, MARGIN, y, { size: 10, isBold: true });
    y += 16;
  }
  for (const step of guide.steps) y += sheet.paragraph(step, MARGIN, y, { size: 9.5, width, mostLines: 2 }) + 2;
  if (view.items.length === 0) return y;
  y += 8;
  sheet.text(guide.items, MARGIN, y, { size: 9.5, isBold: true });
  const shown = view.items.slice(0, MOST_ITEMS);
  for (const { name, quantity, unitPrice } of shown) {
    y += 13;
    sheet.text(`${quantity} × ${name}`, MARGIN, y, { size: 9.5, width: width - 110 });
    sheet.text(moneyText(locale, quantity * unitPrice), end, y, { size: 9.5, align: "right" });
  }
  const more = view.items.length - shown.length;
  if (more > 0) {
    y += 13;
    sheet.text(guide.more(more), MARGIN, y, { size: 9.5, isMuted: true });
  }
  return y + 8;
}

interface Cell {
  label: string;
  value: string;
  width: number;
  isStrong?: boolean;
  align?: "left" | "right";
}

/** A row of labelled boxes with lines round it; answers where the next one begins. */
function row(sheet: Sheet, y: number, cells: readonly Cell[], height = ROW): number {
  let x = MARGIN;
  sheet.line(MARGIN, y, RIGHT, y);
  for (const { label, value, width, isStrong = false, align = "left" } of cells) {
    if (x > MARGIN) sheet.line(x, y, x, y + height);
    sheet.text(label, x + 4, y + 8, { size: 6, isMuted: true, width: width - 8 });
    sheet.text(value, align === "left" ? x + 4 : x + width - 4, y + 20, {
      size: 9,
      isBold: isStrong,
      align,
      width: width - 8,
    });
    x += width;
  }
  sheet.line(MARGIN, y + height, RIGHT, y + height);
  return y + height;
}

const named = ({ name, document }: PartyOnPaper): string => (document ? `${name} - ${document}` : name);

/** Ten is written X, but by this bank. */
const WRITES_ZERO = "104";

/** The bank's code with its check digit: weights 2, 3 and 4 from the right. */
export function bankCode(barcode: string): string {
  const code = barcode.slice(0, 3);
  const sum = Array.from(code, (digit, index) => Number(digit) * (4 - index)).reduce((total, part) => total + part, 0);
  const digit = 11 - (sum % 11);
  return `${code}-${digit === 10 && code !== WRITES_ZERO ? "X" : (digit % 11) % 10}`;
}

function head(sheet: Sheet, { barcode, line }: BoletoView, y: number, right: string): number {
  const code = barcode.slice(0, 3);
  const bank = code === TEST_BANK ? SLIP.bankOfTests : (findBank(code)?.name ?? code);
  sheet.text(bank, MARGIN, y, { size: 11, isBold: true, width: 128 });
  sheet.line(MARGIN + 132, y - 12, MARGIN + 132, y + 5);
  sheet.text(bankCode(barcode), MARGIN + 154, y, { size: 13, isBold: true, align: "center" });
  sheet.line(MARGIN + 176, y - 12, MARGIN + 176, y + 5);
  sheet.text(right === "" ? maskBoletoLine(line) : right, RIGHT, y, { size: 11, isBold: true, align: "right" });
  return y + 6;
}

function stub(sheet: Sheet, view: BoletoView, from: number): number {
  const wide = SIDE - MARGIN;
  let y = head(sheet, view, from, SLIP.stub);
  y = row(sheet, y, [
    { label: SLIP.beneficiary, value: named(view.beneficiary), width: wide },
    { label: SLIP.dueOn, value: slipDay(view.dueOn), width: SIDE_WIDTH, isStrong: true, align: "right" },
  ]);
  y = row(sheet, y, [
    { label: SLIP.payer, value: named(view.payer), width: wide },
    { label: SLIP.amount, value: moneyText("pt-BR", view.amount), width: SIDE_WIDTH, isStrong: true, align: "right" },
  ]);
  return row(sheet, y, [
    { label: SLIP.number, value: view.documentNumber, width: wide / 2 },
    { label: SLIP.ourNumber, value: view.ourNumber, width: wide / 2 },
    {
      label: SLIP.issuedOn,
      value: slipDay(saoPauloDay(view.issuedAt)),
      width: SIDE_WIDTH,
      align: "right",
    },
  ]);
}

function slip(sheet: Sheet, view: BoletoView, from: number): void {
  const wide = SIDE - MARGIN;
  const issued = slipDay(saoPauloDay(view.issuedAt));
  let y = head(sheet, view, from, "");
  y = row(sheet, y, [
    { label: SLIP.whereToPay, value: view.isSandbox ? SLIP.notPayable : SLIP.anywhere, width: wide },
    { label: SLIP.dueOn, value: slipDay(view.dueOn), width: SIDE_WIDTH, isStrong: true, align: "right" },
  ]);
  y = row(sheet, y, [
    { label: SLIP.beneficiary, value: named(view.beneficiary), width: wide },
    { label: SLIP.agency, value: "", width: SIDE_WIDTH, align: "right" },
  ]);
  y = row(sheet, y, [
    { label: SLIP.issuedOn, value: issued, width: 82 },
    { label: SLIP.number, value: view.documentNumber, width: wide - 82 - 58 - 40 - 92 },
    { label: SLIP.kind, value: "DM", width: 58 },
    { label: SLIP.accepted, value: "N", width: 40 },
    { label: SLIP.processedOn, value: issued, width: 92 },
    { label: SLIP.ourNumber, value: view.ourNumber, width: SIDE_WIDTH, align: "right" },
  ]);
  y = row(sheet, y, [
    { label: SLIP.bankUse, value: "", width: 82 },
    { label: SLIP.wallet, value: "", width: 70 },
    { label: SLIP.currency, value: "R$", width: 58 },
    { label: SLIP.quantity, value: "", width: 70 },
    { label: SLIP.value, value: "", width: wide - 280 },
    { label: SLIP.amount, value: moneyText("pt-BR", view.amount), width: SIDE_WIDTH, isStrong: true, align: "right" },
  ]);
  y = instructions(sheet, view, y);
  sheet.text(SLIP.payer, MARGIN + 4, y + 8, { size: 6, isMuted: true });
  sheet.text(named(view.payer), MARGIN + 4, y + 20, { size: 9, width: RIGHT - MARGIN - 8 });
  if (view.payer.address) {
    sheet.text(view.payer.address, MARGIN + 4, y + 32, { size: 8, width: RIGHT - MARGIN - 8 });
  }
  y += 38;
  sheet.line(MARGIN, y, RIGHT, y);
  sheet.text(SLIP.compensation, RIGHT, y + 9, { size: 6, align: "right", isMuted: true });
  sheet.barcode(view.barcode, MARGIN, y + 12, BARCODE.width, BARCODE.height);
}

function instructions(sheet: Sheet, view: BoletoView, from: number): number {
  const side = [SLIP.discount, SLIP.otherDeductions, SLIP.fine, SLIP.otherAdditions, SLIP.charged];
  const height = 22;
  const end = from + side.length * height;
  side.forEach((label, index) => {
    const y = from + index * height;
    sheet.text(label, SIDE + 4, y + 8, { size: 6, isMuted: true });
    if (index > 0) sheet.line(SIDE, y, RIGHT, y);
  });
  sheet.line(SIDE, from, SIDE, end);
  sheet.text(SLIP.instructions, MARGIN + 4, from + 8, { size: 6, isMuted: true });
  sheet.paragraph(view.instructions.join("\n"), MARGIN + 4, from + 20, {
    size: 7.5,
    width: SIDE - MARGIN - 8,
    mostLines: Math.min(MOST_INSTRUCTION_LINES, Math.floor((end - from - 16) / (7.5 * 1.3))),
  });
  sheet.line(MARGIN, end, RIGHT, end);
  return end;
}

const saoPauloDay = (at: Date): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo", dateStyle: "short" }).format(at);
