import type { Cents } from "@/lib/money";
import { sumOf } from "@/lib/money";
import {
  FILE_HEADER,
  FILE_TRAILER,
  LOT_HEADER,
  LOT_TRAILER,
  RECORD_LENGTH,
  SEGMENT_A,
} from "@/lib/payouts/cnab240/layout";
import { type Said, saidBy } from "@/lib/payouts/cnab240/occurrences";
import { readRecord } from "@/lib/payouts/cnab240/records";

/** Why a return file is not taken. */
export const RETURN_PROBLEMS = ["not_a_return", "truncated", "wrong_sum", "foreign", "doubled", "lot_refused"] as const;
export type ReturnProblem = (typeof RETURN_PROBLEMS)[number];

export class BadReturn extends Error {
  constructor(
    readonly problem: ReturnProblem,
    /** The line that shows it, as a person counts. */
    readonly line: number,
  ) {
    super(problem);
  }
}

export interface ReturnedPayment {
  line: number;
  ourNumber: string;
  amount: Cents;
  said: Said;
  /** The bank's own name of it. */
  bankNumber: string;
  /** YYYY-MM-DD; undefined while it was not paid. */
  paidOn: string | undefined;
  /** What was paid; 0 while nothing was. */
  paidAmount: Cents;
}

export interface ReturnFile {
  bank: string;
  payerDocument: string;
  agreement: string;
  payments: ReturnedPayment[];
}

interface Line {
  number: number;
  text: string;
}
interface Lot {
  header: Line;
  details: Line[];
  trailer: Line;
}

/** What a bank says of payments, or `BadReturn`: a file is understood as a whole or not at all. */
export function readReturn(file: string): ReturnFile {
  // Some banks close a file with a mark of its end.
  const lines = file
    .replaceAll("\u001a", "")
    .split(/\r?\n/)
    .map((text, index): Line => ({ number: index + 1, text }));
  while (lines.at(-1)?.text === "") lines.pop();
  const first = lines[0];
  if (!first || typeOf(first) !== "0" || readRecord(FILE_HEADER, first.text).direction !== "2")
    throw new BadReturn("not_a_return", 1);
  for (const line of lines) if (line.text.length !== RECORD_LENGTH) throw new BadReturn("truncated", line.number);
  const last = lines.at(-1);
  if (!last || typeOf(last) !== "9") throw new BadReturn("truncated", lines.length);
  const lots = lotsOf(lines.slice(1, -1));
  const told = readRecord(FILE_TRAILER, last.text);
  if (Number(told.lots) !== lots.length || Number(told.records) !== lines.length)
    throw new BadReturn("truncated", last.number);
  const { bank = "", payerDocument = "", agreement = "" } = readRecord(FILE_HEADER, first.text);
  return { bank, payerDocument, agreement, payments: lots.flatMap(paymentsIn) };
}

const typeOf = ({ text }: Line): string => text[7] ?? "";

function lotsOf(lines: readonly Line[]): Lot[] {
  const lots: Lot[] = [];
  let open: { header: Line; details: Line[] } | undefined;
  for (const line of lines) {
    const type = typeOf(line);
    if (type === "1" && !open) open = { header: line, details: [] };
    else if (type === "3" && open) open.details.push(line);
    else if (type === "5" && open) {
      lots.push({ ...open, trailer: line });
      open = undefined;
    } else throw new BadReturn("truncated", line.number);
  }
  if (open) throw new BadReturn("truncated", open.header.number);
  return lots;
}

/** A lot that was refused as a whole says nothing of its payments: they wait for people. */
function paymentsIn({ header, details, trailer }: Lot): ReturnedPayment[] {
  const told = readRecord(LOT_TRAILER, trailer.text);
  if (Number(told.records) !== details.length + 2) throw new BadReturn("truncated", trailer.number);
  const payments = details.filter(({ text }) => text[13] === "A").map(paymentIn);
  const { occurrences = "" } = readRecord(LOT_HEADER, header.text);
  if (payments.length === 0 && occurrences !== "") throw new BadReturn("lot_refused", header.number);
  const sums = [sumOf(payments.map(({ amount }) => amount)), sumOf(payments.map(({ paidAmount }) => paidAmount))];
  if (!sums.includes(Number(told.sum))) throw new BadReturn("wrong_sum", trailer.number);
  return payments;
}

function paymentIn({ number, text }: Line): ReturnedPayment {
  const read = readRecord(SEGMENT_A, text);
  const [amount, paidAmount] = [Number(read.amount), Number(read.paidAmount)];
  if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(paidAmount)) throw new BadReturn("truncated", number);
  return {
    line: number,
    ourNumber: read.ourNumber ?? "",
    amount,
    said: saidBy(read.occurrences ?? "", read.movement ?? ""),
    bankNumber: read.bankNumber ?? "",
    paidOn: dayOf(read.paidOn ?? ""),
    paidAmount,
  };
}

const dayOf = (digits: string): string | undefined => {
  const [, day, month, year] = /^(\d{2})(\d{2})(\d{4})$/.exec(digits) ?? [];
  return year === undefined || year === "0000" ? undefined : `${year}-${month}-${day}`;
};
