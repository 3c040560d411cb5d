/**
 * Records of the FEBRABAN layout of 240 positions for payments (file 10.3, lot 04.6): its sections 2.2 and 3.1.2. Every
 * position of a record belongs to one field; numbers stand at the right behind zeros, texts at the left before spaces.
 */
export const RECORD_LENGTH = 240;

export interface Field {
  name: string;
  /** First and last position, counted from 1. */
  from: number;
  to: number;
  kind: "number" | "text";
  /** What always stands there. */
  always?: string;
}

const number = (name: string, from: number, to: number, always?: string): Field => ({
  name,
  from,
  to,
  kind: "number",
  ...(always === undefined ? {} : { always }),
});
const text = (name: string, from: number, to: number, always?: string): Field => ({
  ...number(name, from, to, always),
  kind: "text",
});
const reserved = (from: number, to: number): Field => text(`reserved${from}`, from, to, "");

/** Who pays, alike in the headers of the file and of a lot. */
const PAYER: readonly Field[] = [
  number("payerDocumentType", 18, 18),
  number("payerDocument", 19, 32),
  text("agreement", 33, 52),
  number("payerBranch", 53, 57),
  text("payerBranchDigit", 58, 58),
  number("payerAccount", 59, 70),
  text("payerAccountDigit", 71, 71),
  text("payerSecondDigit", 72, 72),
  text("payerName", 73, 102),
];

export const FILE_HEADER: readonly Field[] = [
  number("bank", 1, 3),
  number("lot", 4, 7, "0000"),
  number("record", 8, 8, "0"),
  reserved(9, 17),
  ...PAYER,
  text("bankName", 103, 132),
  reserved(133, 142),
  /** 1 to the bank, 2 from it. */
  number("direction", 143, 143),
  number("madeOn", 144, 151),
  number("madeAt", 152, 157),
  number("sequence", 158, 163),
  number("version", 164, 166, "103"),
  number("density", 167, 171),
  text("forBank", 172, 191),
  text("forPayer", 192, 211),
  reserved(212, 240),
];

export const LOT_HEADER: readonly Field[] = [
  number("bank", 1, 3),
  number("lot", 4, 7),
  number("record", 8, 8, "1"),
  text("operation", 9, 9, "C"),
  number("service", 10, 11),
  number("form", 12, 13),
  number("version", 14, 16, "046"),
  reserved(17, 17),
  ...PAYER,
  text("message", 103, 142),
  text("street", 143, 172),
  number("streetNumber", 173, 177),
  text("complement", 178, 192),
  text("city", 193, 212),
  number("zip", 213, 217),
  text("zipSuffix", 218, 220),
  text("state", 221, 222),
  number("paymentMode", 223, 224),
  reserved(225, 230),
  text("occurrences", 231, 240),
];

export const SEGMENT_A: readonly Field[] = [
  number("bank", 1, 3),
  number("lot", 4, 7),
  number("record", 8, 8, "3"),
  number("place", 9, 13),
  text("segment", 14, 14, "A"),
  number("movement", 15, 15),
  number("instruction", 16, 17),
  number("chamber", 18, 20),
  number("payeeBank", 21, 23),
  number("payeeBranch", 24, 28),
  text("payeeBranchDigit", 29, 29),
  number("payeeAccount", 30, 41),
  text("payeeAccountDigit", 42, 42),
  text("payeeSecondDigit", 43, 43),
  text("payeeName", 44, 73),
  text("ourNumber", 74, 93),
  number("payOn", 94, 101),
  text("currency", 102, 104, "BRL"),
  number("quantity", 105, 119),
  number("amount", 120, 134),
  text("bankNumber", 135, 154),
  number("paidOn", 155, 162),
  number("paidAmount", 163, 177),
  text("information", 178, 217),
  text("docPurpose", 218, 219),
  text("tedPurpose", 220, 224),
  text("purposeDetail", 225, 226),
  reserved(227, 229),
  number("notice", 230, 230),
  text("occurrences", 231, 240),
];

export const SEGMENT_B: readonly Field[] = [
  number("bank", 1, 3),
  number("lot", 4, 7),
  number("record", 8, 8, "3"),
  number("place", 9, 13),
  text("segment", 14, 14, "B"),
  text("initiation", 15, 17),
  number("payeeDocumentType", 18, 18),
  number("payeeDocument", 19, 32),
  text("information10", 33, 67),
  text("information11", 68, 127),
  text("information12", 128, 226),
  number("siape", 227, 232),
  number("payeeIspb", 233, 240),
];

export const LOT_TRAILER: readonly Field[] = [
  number("bank", 1, 3),
  number("lot", 4, 7),
  number("record", 8, 8, "5"),
  reserved(9, 17),
  number("records", 18, 23),
  number("sum", 24, 41),
  number("quantity", 42, 59),
  number("debitNotice", 60, 65),
  reserved(66, 230),
  text("occurrences", 231, 240),
];

export const FILE_TRAILER: readonly Field[] = [
  number("bank", 1, 3),
  number("lot", 4, 7, "9999"),
  number("record", 8, 8, "9"),
  reserved(9, 17),
  number("lots", 18, 23),
  number("records", 24, 29),
  number("accounts", 30, 35),
  reserved(36, 240),
];
