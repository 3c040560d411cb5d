import { type Cents, centsToDecimal, isCents } from "@/lib/money";

export type PixCodeProblem =
  | "characters"
  | "structure"
  | "repeated_field"
  | "crc_missing"
  | "crc_wrong"
  | "field_missing"
  | "field_invalid"
  | "too_long";

/** Why a BR Code cannot be read or written. */
export class PixCodeError extends Error {
  constructor(
    readonly problem: PixCodeProblem,
    message: string,
  ) {
    super(message);
  }
}

export interface PixCode {
  kind: "static" | "dynamic";
  /** Point of initiation 12: to be paid once. */
  singleUse: boolean;
  /** Static codes. */
  key?: string;
  description?: string;
  /** Dynamic codes: where the payer's bank reads the charge, without a scheme. */
  url?: string;
  mcc: string;
  /** Only a hint in a dynamic code: the payer's bank takes the amount from the charge. */
  amount?: Cents;
  merchantName: string;
  merchantCity: string;
  /** Absent when the code carries the marker for none. */
  txid?: string;
}

const GUI = "br.gov.bcb.pix";
const NO_TXID = "***";
const REAL = "986";
const BRAZIL = "BR";
const NO_MCC = "0000";
const SINGLE_USE = "12";

const MAX_NAME = 25;
const MAX_CITY = 15;
const MAX_KEY_OR_URL = 77;
const MAX_FIELD = 99;
const MAX_AMOUNT = 13;
/** More than any code of fields of 99 characters that a payer's bank takes. */
const MAX_CODE = 1024;

const CRC_FIELD = "6304";
const CRC_DIGITS = 4;

/** CRC-16/CCITT-FALSE in four upper-case hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, "ascii")) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(CRC_DIGITS, "0");
}

const HEADER = /^\d{4}$/;

/** One level of `id length value` fields, in their order. */
function readFields(text: string, where: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const header = text.slice(at, at + 4);
    if (!HEADER.test(header)) throw new PixCodeError("structure", `${where}: no id and length at ${at}`);
    const id = header.slice(0, 2);
    const end = at + 4 + Number(header.slice(2));
    if (end > text.length) throw new PixCodeError("structure", `${where}: field ${id} runs past the end`);
    if (fields.has(id)) throw new PixCodeError("repeated_field", `${where}: field ${id} stands twice`);
    fields.set(id, text.slice(at + 4, end));
    at = end;
  }
  return fields;
}

const PRINTABLE = /^[\x20-\x7e]*$/;
const AMOUNT = /^(\d+)\.(\d{2})$/;
const FOUR_DIGITS = /^\d{4}$/;

function required(fields: Map<string, string>, id: string): string {
  const value = fields.get(id);
  if (value === undefined || value === "") throw new PixCodeError("field_missing", `field ${id} is missing`);
  return value;
}

function expectField(fields: Map<string, string>, id: string, expected: string): void {
  if (required(fields, id) !== expected) throw new PixCodeError("field_invalid", `field ${id} is not ${expected}`);
}

const isMerchantTemplate = (id: string): boolean => Number(id) >= 26 && Number(id) <= 51;

/** The Pix template among the merchant accounts; every template has to be readable. */
function pixTemplate(fields: Map<string, string>): Map<string, string> {
  const templates = [...fields]
    .filter(([id]) => isMerchantTemplate(id))
    .map(([id, value]) => readFields(value, `field ${id}`))
    .filter((template) => template.get("00")?.toLowerCase() === GUI);
  const [template] = templates;
  if (!template) throw new PixCodeError("field_missing", "there is no Pix account");
  if (templates.length > 1) throw new PixCodeError("repeated_field", "there are several Pix accounts");
  if (!template.get("01") === !template.get("25")) {
    throw new PixCodeError("field_invalid", "the Pix account has neither or both of a key and a URL");
  }
  return template;
}

function readAmount(text: string): Cents {
  const match = AMOUNT.exec(text);
  const cents = match ? Number(`${match[1]}${match[2]}`) : Number.NaN;
  if (!isCents(cents)) throw new PixCodeError("field_invalid", "field 54 is not an amount");
  return cents;
}

function checkEnvelope(code: string): void {
  if (code.length > MAX_CODE) throw new PixCodeError("too_long", "the code is too long");
  if (!PRINTABLE.test(code)) throw new PixCodeError("characters", "the code holds characters that cannot be printed");
}

/** Reads a BR Code and verifies its structure as well as its CRC: a right CRC alone proves nothing. */
export function parsePixCode(code: string): PixCode {
  checkEnvelope(code);
  const fields = readFields(code, "code");
  const [first] = fields.keys();
  if (first !== "00") throw new PixCodeError("structure", "field 00 does not come first");
  expectField(fields, "00", "01");
  const crcAt = code.length - CRC_DIGITS;
  if ([...fields.keys()].at(-1) !== "63" || code.slice(crcAt - CRC_FIELD.length, crcAt) !== CRC_FIELD) {
    throw new PixCodeError("crc_missing", "field 63 does not come last");
  }
  if (fields.get("63") !== crc16(code.slice(0, crcAt))) throw new PixCodeError("crc_wrong", "the CRC is wrong");

  const template = pixTemplate(fields);
  expectField(fields, "53", REAL);
  expectField(fields, "58", BRAZIL);
  const mcc = required(fields, "52");
  if (!FOUR_DIGITS.test(mcc)) throw new PixCodeError("field_invalid", "field 52 is not a category code");
  const additional = fields.get("62");
  const txid = additional === undefined ? undefined : readFields(additional, "field 62").get("05");
  const amount = fields.get("54");
  const key = template.get("01");
  const url = template.get("25");
  const description = template.get("02");
  return {
    kind: url ? "dynamic" : "static",
    singleUse: fields.get("01") === SINGLE_USE,
    ...(url ? { url } : { key }),
    ...(description && { description }),
    mcc,
    ...(amount !== undefined && { amount: readAmount(amount) }),
    merchantName: required(fields, "59"),
    merchantCity: required(fields, "60"),
    ...(txid && txid !== NO_TXID && { txid }),
  };
}

function field(id: string, value: string): string {
  if (value.length > MAX_FIELD) throw new PixCodeError("too_long", `field ${id} is longer than ${MAX_FIELD}`);
  return `${id}${String(value.length).padStart(2, "0")}${value}`;
}

const MARKS = /\p{M}/gu;
const NOT_PRINTABLE = /[^\x20-\x7e]/g;

/** Accents lose their marks and what has no ASCII form is left out; the case is kept. */
export const foldToAscii = (text: string): string =>
  text.normalize("NFD").replace(MARKS, "").replace(NOT_PRINTABLE, "");

function foldedField(id: string, text: string, longest: number): string {
  const folded = foldToAscii(text).trim().slice(0, longest).trim();
  if (folded === "") throw new PixCodeError("field_missing", `field ${id} has no printable text`);
  return field(id, folded);
}

export interface PixReceiver {
  merchantName: string;
  merchantCity: string;
  amount?: Cents;
  mcc?: string;
}

interface Parts extends PixReceiver {
  template: string;
  singleUse: boolean;
  txid: string;
}

function compose({ template, singleUse, txid, merchantName, merchantCity, amount, mcc = NO_MCC }: Parts): string {
  if (!FOUR_DIGITS.test(mcc)) throw new PixCodeError("field_invalid", "the category code has four digits");
  if (amount !== undefined && !isCents(amount)) throw new PixCodeError("field_invalid", "the amount is not an amount");
  const decimal = amount === undefined ? "" : centsToDecimal(amount);
  if (decimal.length > MAX_AMOUNT) throw new PixCodeError("too_long", "the amount does not fit");
  const body = [
    field("00", "01"),
    singleUse ? field("01", SINGLE_USE) : "",
    field("26", template),
    field("52", mcc),
    field("53", REAL),
    decimal === "" ? "" : field("54", decimal),
    field("58", BRAZIL),
    foldedField("59", merchantName, MAX_NAME),
    foldedField("60", merchantCity, MAX_CITY),
    field("62", field("05", txid)),
    CRC_FIELD,
  ].join("");
  return `${body}${crc16(body)}`;
}

const URL_TEXT = /^[\x21-\x7e]+$/;

/** A dynamic code: it carries the URL of the charge, which alone knows amount, expiry and txid. */
export function dynamicPixCode(input: PixReceiver & { url: string; singleUse?: boolean; txid?: string }): string {
  const { url, singleUse = true, txid = NO_TXID } = input;
  if (!URL_TEXT.test(url) || url.includes("://")) {
    throw new PixCodeError("field_invalid", "the URL is printable and has no scheme");
  }
  if (url.length > MAX_KEY_OR_URL) throw new PixCodeError("too_long", `the URL is longer than ${MAX_KEY_OR_URL}`);
  return compose({ ...input, template: `${field("00", GUI)}${field("25", url)}`, singleUse, txid });
}

const STATIC_TXID = /^[A-Za-z0-9]{1,25}$/;

/** A static code: it carries a key and may be paid any number of times. */
export function staticPixCode(input: PixReceiver & { key: string; description?: string; txid?: string }): string {
  const { key, description, txid = NO_TXID } = input;
  if (!URL_TEXT.test(key)) throw new PixCodeError("field_invalid", "the key is not a Pix key");
  if (key.length > MAX_KEY_OR_URL) throw new PixCodeError("too_long", `the key is longer than ${MAX_KEY_OR_URL}`);
  if (txid !== NO_TXID && !STATIC_TXID.test(txid)) {
    throw new PixCodeError("field_invalid", "the txid of a static code has 1 to 25 letters and digits");
  }
  const text = foldToAscii(description ?? "").trim();
  const template = `${field("00", GUI)}${field("01", key)}${text === "" ? "" : field("02", text)}`;
  return compose({ ...input, template, singleUse: false, txid });
}
