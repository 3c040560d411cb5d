import { pixKeyKind } from "@/lib/brazil/pix-ids";
import type { Cents } from "@/lib/money";
import { sumOf } from "@/lib/money";
import { FILE_HEADER, FILE_TRAILER, LOT_HEADER, LOT_TRAILER, SEGMENT_A, SEGMENT_B } from "@/lib/payouts/cnab240/layout";
import { type RecordValues, Unfit, writeRecord } from "@/lib/payouts/cnab240/records";

/** The account that payments leave from, and the agreement that its bank has for them. */
export interface RemittancePayer {
  /** COMPE code. */
  bank: string;
  bankName: string;
  agreement: string;
  branchNumber: string;
  branchCheckDigit?: string | undefined;
  accountNumber: string;
  accountCheckDigit?: string | undefined;
  holderName: string;
  /** CPF or CNPJ. */
  holderDocument: string;
}

export interface RemittancePayment {
  /** At most 20 characters, unlike any other of the payer: the return names the payment by it. */
  ourNumber: string;
  amount: Cents;
  method: "pix" | "ted";
  holderName: string;
  holderDocument: string;
  /** COMPE code; without one the bank is known by its ISPB. */
  bank?: string | undefined;
  ispb?: string | undefined;
  branchNumber: string;
  branchCheckDigit?: string | undefined;
  accountNumber: string;
  accountCheckDigit?: string | undefined;
  isSavings: boolean;
  pixKey?: string | undefined;
}

export interface Remittance {
  payer: RemittancePayer;
  sequence: number;
  /** DDMMYYYY and HHMMSS. */
  madeOn: string;
  madeAt: string;
  /** DDMMYYYY. */
  payOn: string;
  payments: readonly RemittancePayment[];
}

/** Forms of payment (G029), each in a lot of its own. */
const FORMS = { account: "01", savings: "05", ted: "41", tedOwn: "43", pix: "45" } as const;
type Form = keyof typeof FORMS;
const SUPPLIERS = "20";
const DIVERSE_DEBIT = "01";
/** How a Pix finds its payee (G100). */
const KEYS = { phone: "01", email: "02", cpf: "03", cnpj: "03", evp: "04" } as const;
/** Credit to an account (P011). */
const TED_PURPOSE = "00010";
const TED = "018";
const TED_BY_ISPB = "988";
const PIX = "009";

/** A file with a lot for each form of payment, or `Unfit` where something of it has no place in the layout. */
export function writeRemittance({ payer, sequence, madeOn, madeAt, payOn, payments }: Remittance): string {
  const head = { ...payerValues(payer), bank: payer.bank };
  // Guarantee: the table's own keys.
  const forms = (Object.keys(FORMS) as Form[]).filter((form) => payments.some((each) => formOf(payer, each) === form));
  const lots = forms.map((form, index) => {
    const lot = index + 1;
    const some = payments.filter((each) => formOf(payer, each) === form);
    const details = some.flatMap((payment, place) => [
      writeRecord(SEGMENT_A, { ...segmentA(payment, form), bank: payer.bank, lot, place: 2 * place + 1, payOn }),
      writeRecord(SEGMENT_B, { ...segmentB(payment, form), bank: payer.bank, lot, place: 2 * place + 2 }),
    ]);
    return [
      writeRecord(LOT_HEADER, { ...head, lot, service: SUPPLIERS, form: FORMS[form], paymentMode: DIVERSE_DEBIT }),
      ...details,
      writeRecord(LOT_TRAILER, {
        bank: payer.bank,
        lot,
        records: details.length + 2,
        sum: sumOf(some.map(({ amount }) => amount)),
      }),
    ];
  });
  const records = [
    writeRecord(FILE_HEADER, { ...head, bankName: payer.bankName, direction: 1, madeOn, madeAt, sequence }),
    ...lots.flat(),
  ];
  const trailer = { bank: payer.bank, lots: lots.length, records: records.length + 1 };
  return [...records, writeRecord(FILE_TRAILER, trailer)].map((record) => `${record}\r\n`).join("");
}

/** Undefined, or the field that a payment has no place in. */
export function unfitOf(payer: RemittancePayer, payment: RemittancePayment): string | undefined {
  try {
    const form = formOf(payer, payment);
    writeRecord(SEGMENT_A, segmentA(payment, form));
    writeRecord(SEGMENT_B, segmentB(payment, form));
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Unfit) return thrown.message;
    throw thrown;
  }
}

function formOf(payer: RemittancePayer, { method, bank, isSavings, holderDocument }: RemittancePayment): Form {
  if (method === "pix") return "pix";
  if (bank === payer.bank) return isSavings ? "savings" : "account";
  return holderDocument === payer.holderDocument ? "tedOwn" : "ted";
}

const documentValues = (document: string): { type: string; number: string } => {
  if (/^\d{11}$/.test(document)) return { type: "1", number: document };
  // The layout has digits alone; a CNPJ with letters is no number of it.
  if (/^\d{14}$/.test(document)) return { type: "2", number: document };
  throw new Unfit("document");
};

function payerValues(payer: RemittancePayer): RecordValues {
  const { type, number } = documentValues(payer.holderDocument);
  return {
    payerDocumentType: type,
    payerDocument: number,
    agreement: payer.agreement,
    payerBranch: payer.branchNumber,
    payerBranchDigit: payer.branchCheckDigit ?? "",
    payerAccount: payer.accountNumber,
    ...digitsOf("payer", payer.accountCheckDigit),
    payerName: payer.holderName.toUpperCase(),
  };
}

/** Of two check digits the second stands in the field of branch and account together (G011, G012). */
function digitsOf(whose: "payer" | "payee", digit: string | undefined): RecordValues {
  const [first = "", second = "", ...more] = digit ?? "";
  if (more.length > 0) throw new Unfit("accountCheckDigit");
  return { [`${whose}AccountDigit`]: first, [`${whose}SecondDigit`]: second };
}

function segmentA(payment: RemittancePayment, form: Form): RecordValues {
  const { bank, ourNumber, amount, isSavings } = payment;
  const isTed = form === "ted" || form === "tedOwn";
  if (amount <= 0) throw new Unfit("amount");
  if (ourNumber.length > 20) throw new Unfit("ourNumber");
  if (isTed && !bank && !payment.ispb) throw new Unfit("bank");
  return {
    movement: 0,
    instruction: 0,
    chamber: form === "pix" ? PIX : isTed ? (bank ? TED : TED_BY_ISPB) : 0,
    payeeBank: bank ?? 0,
    payeeBranch: payment.branchNumber,
    payeeBranchDigit: payment.branchCheckDigit ?? "",
    payeeAccount: payment.accountNumber,
    ...digitsOf("payee", payment.accountCheckDigit),
    payeeName: payment.holderName.toUpperCase(),
    ourNumber,
    amount,
    tedPurpose: isTed ? TED_PURPOSE : "",
    purposeDetail: isTed ? (isSavings ? "PP" : "CC") : "",
  };
}

function segmentB({ holderDocument, pixKey, ispb }: RemittancePayment, form: Form): RecordValues {
  const { type, number } = documentValues(holderDocument);
  const payee = { payeeDocumentType: type, payeeDocument: number, payeeIspb: ispb ?? 0 };
  if (form !== "pix") return payee;
  const kind = pixKey === undefined ? undefined : pixKeyKind(pixKey);
  if (pixKey === undefined || kind === undefined || pixKey.length > 99) throw new Unfit("pixKey");
  return { ...payee, initiation: KEYS[kind], information12: pixKey };
}
