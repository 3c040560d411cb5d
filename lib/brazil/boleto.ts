import { addDays, type CivilDate, daysBetween } from "@/lib/brazil/bank-calendar";
import type { Cents } from "@/lib/money";

export type BoletoProblem =
  | "length"
  | "collection_slip"
  | "currency"
  | "block_digit"
  | "general_digit"
  | "amount"
  | "due_date"
  | "bank"
  | "free_field";

/** Why a slip cannot be read or composed. */
export class BoletoError extends Error {
  constructor(
    readonly problem: BoletoProblem,
    message: string,
  ) {
    super(message);
  }
}

export interface Boleto {
  /** 44 digits. */
  barcode: string;
  /** 47 digits. */
  line: string;
  /** COMPE code. */
  bank: string;
  amount: Cents;
  factor: number;
  /** Absent when the slip has no due date. */
  dueOn?: CivilDate;
  freeField: string;
}

const CURRENCY = "9";
const COLLECTION = "8";
const BARCODE = /^\d{44}$/;
const LINE = /^\d{47}$/;
const COLLECTION_LINE = /^8\d{47}$/;
const BANK = /^\d{3}$/;
const FREE_FIELD = /^\d{25}$/;
const FREE_FIELD_DIGITS = 25;

/** R$ 99,999,999.99 */
export const MAX_BOLETO_CENTS: Cents = 9_999_999_999;

const FACTOR_BASE: CivilDate = "1997-10-07";
const FIRST_FACTOR = 1000;
/** The factor runs from 1000 to 9999 and starts again: 2025-02-21 was 9999, 2025-02-22 is 1000. */
const FACTOR_CYCLE = 9000;

/** Weights 2 and 1 from the right, the digits of each product added. */
function mod10(digits: string): number {
  let total = 0;
  for (let i = digits.length - 1, weight = 2; i >= 0; i--, weight = 3 - weight) {
    const product = Number(digits[i]) * weight;
    total += product > 9 ? product - 9 : product;
  }
  return (10 - (total % 10)) % 10;
}

/** Weights 2 to 9 from the right; 0, 10 and 11 become 1. */
function mod11(digits: string): number {
  let total = 0;
  for (let i = digits.length - 1, weight = 2; i >= 0; i--, weight = weight === 9 ? 2 : weight + 1) {
    total += Number(digits[i]) * weight;
  }
  const digit = 11 - (total % 11);
  return digit > 9 ? 1 : digit;
}

const generalDigit = (barcode: string): string => String(mod11(barcode.slice(0, 4) + barcode.slice(5)));

/** The factor of a due date, 1000 to 9999. */
export function dueFactor(dueOn: CivilDate): number {
  const days = daysBetween(FACTOR_BASE, dueOn);
  if (days < FIRST_FACTOR) throw new BoletoError("due_date", "due dates start on 2000-07-03");
  return FIRST_FACTOR + ((days - FIRST_FACTOR) % FACTOR_CYCLE);
}

/**
 * The due date a factor stands for: of the candidates 9000 days apart the one nearest to the reference, of two equally
 * near the later. Undefined for 0, a slip without a due date. Our own slips store their date instead of asking here.
 */
export function dueDateOf(factor: number, reference: CivilDate): CivilDate | undefined {
  if (factor === 0) return undefined;
  const first = addDays(FACTOR_BASE, factor);
  if (factor < FIRST_FACTOR) return first;
  const cycles = Math.max(0, Math.floor(daysBetween(first, reference) / FACTOR_CYCLE + 0.5));
  return addDays(first, cycles * FACTOR_CYCLE);
}

export function lineOfBarcode(barcode: string): string {
  const blocks = [barcode.slice(0, 4) + barcode.slice(19, 24), barcode.slice(24, 34), barcode.slice(34, 44)];
  return `${blocks.map((block) => `${block}${mod10(block)}`).join("")}${barcode.slice(4, 19)}`;
}

const rebuildBarcode = (line: string): string =>
  line.slice(0, 4) + line.slice(32, 47) + line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31);

/** The barcode of a typed line whose check digits are right. */
export const barcodeOfLine = (line: string): string => checkedLine(line).barcode;

const MASK = /[\s.-]/g;

function checkedLine(text: string): { line: string; barcode: string } {
  const line = text.replace(MASK, "");
  if (COLLECTION_LINE.test(line)) throw new BoletoError("collection_slip", "this is a collection slip, not a boleto");
  if (!LINE.test(line)) throw new BoletoError("length", "a typed line has 47 digits");
  const blocks = [line.slice(0, 10), line.slice(10, 21), line.slice(21, 32)];
  if (blocks.some((block) => mod10(block.slice(0, -1)) !== Number(block.at(-1)))) {
    throw new BoletoError("block_digit", "a check digit of the line is wrong");
  }
  return { line, barcode: checkedBarcode(rebuildBarcode(line)) };
}

function checkedBarcode(barcode: string): string {
  if (!BARCODE.test(barcode)) throw new BoletoError("length", "a barcode has 44 digits");
  if (barcode.startsWith(COLLECTION))
    throw new BoletoError("collection_slip", "this is a collection slip, not a boleto");
  if (barcode[3] !== CURRENCY) throw new BoletoError("currency", "the slip is not in reais");
  if (barcode[4] !== generalDigit(barcode)) throw new BoletoError("general_digit", "the general check digit is wrong");
  return barcode;
}

function describe(barcode: string, reference: CivilDate): Boleto {
  const factor = Number(barcode.slice(5, 9));
  const dueOn = dueDateOf(factor, reference);
  return {
    barcode,
    line: lineOfBarcode(barcode),
    bank: barcode.slice(0, 3),
    amount: Number(barcode.slice(9, 19)),
    factor,
    ...(dueOn && { dueOn }),
    freeField: barcode.slice(19),
  };
}

/** Reads a typed line, with or without its dots and spaces. The due date is the one nearest to `reference`. */
export const parseBoletoLine = (line: string, reference: CivilDate): Boleto =>
  describe(checkedLine(line).barcode, reference);

export const parseBoletoBarcode = (barcode: string, reference: CivilDate): Boleto =>
  describe(checkedBarcode(barcode), reference);

export interface SlipParts {
  bank: string;
  dueOn: CivilDate;
  amount: Cents;
  freeField: string;
}

/** Composes a slip. Only the simulator does, for bank 000: a slip is payable when a bank registered it, not before. */
export function composeBoleto({ bank, dueOn, amount, freeField }: SlipParts): Boleto {
  if (!BANK.test(bank) || bank.startsWith(COLLECTION)) throw new BoletoError("bank", "a bank code has three digits");
  if (!FREE_FIELD.test(freeField))
    throw new BoletoError("free_field", `the free field has ${FREE_FIELD_DIGITS} digits`);
  if (!Number.isSafeInteger(amount) || amount < 0 || amount > MAX_BOLETO_CENTS) {
    throw new BoletoError("amount", "the amount does not fit a boleto");
  }
  const fields = `${String(dueFactor(dueOn))}${String(amount).padStart(10, "0")}${freeField}`;
  const digit = mod11(`${bank}${CURRENCY}${fields}`);
  return describe(`${bank}${CURRENCY}${digit}${fields}`, dueOn);
}

/** `AAABC.CCCCd DDDDD.DDDDDd EEEEE.EEEEEd K FFFFVVVVVVVVVV`, as slips are printed. */
export const maskBoletoLine = (line: string): string =>
  line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, "$1.$2 $3.$4 $5.$6 $7 $8");

export interface ProviderSlip {
  line: string;
  barcode: string;
  amount: Cents;
  dueOn: CivilDate;
}

/** What a provider's slip must agree with itself on: line, barcode, amount and due date. Empty when it does. */
export function slipMismatches(slip: ProviderSlip): ("line" | "barcode" | "amount" | "due_date")[] {
  const read = readOrUndefined(() => parseBoletoLine(slip.line, slip.dueOn));
  if (!read) return ["line"];
  const mismatches: ("line" | "barcode" | "amount" | "due_date")[] = [];
  if (read.barcode !== slip.barcode) mismatches.push("barcode");
  if (read.amount !== slip.amount) mismatches.push("amount");
  if (read.dueOn !== slip.dueOn) mismatches.push("due_date");
  return mismatches;
}

function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof BoletoError) return undefined;
    throw thrown;
  }
}
