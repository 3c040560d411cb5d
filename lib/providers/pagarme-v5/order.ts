import type { Cents } from "@/lib/money";
import { type Read, unreadable } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { answerOf, rawOrder } from "@/lib/providers/pagarme-v5/answers";
import { CHARGE, REFERENCE, send } from "@/lib/providers/pagarme-v5/call";
import { order, type WireCharge, type WireOrder } from "@/lib/providers/pagarme-v5/wire";
import type { CallContext, Outcome, Payer, PayerAddress } from "@/lib/providers/provider";
import { foldedText } from "@/lib/providers/text";

const MAX_NAME = 64;
const MAX_LINE = 256;
const MAX_CITY = 64;
/** What the order is of: a charge of ours names no goods. */
const ITEM = { description: "Pagamento", quantity: 1, code: "1" };

/** An order of one item and one payment. */
export const orderBody = (
  call: CallContext,
  amount: Cents,
  payer: Payer,
  payment: Readonly<Record<string, unknown>>,
) => {
  const metadata = { [REFERENCE]: call.ref.providerReference, [CHARGE]: call.chargeId };
  return {
    code: call.ref.providerReference,
    closed: true,
    // Who may pay was decided before: a second judge would only refuse late.
    antifraud_enabled: false,
    items: [{ ...ITEM, amount }],
    customer: customerOf(payer),
    payments: [{ ...payment, amount, metadata }],
    metadata,
  };
};

export async function createOrder(
  connections: Connections,
  call: CallContext,
  body: ReturnType<typeof orderBody>,
): Promise<Read<WireOrder>> {
  const read = answerOf(await send(connections, call, { method: "POST", path: "/orders", body }), order);
  return read.ok && read.value.charges.length !== 1 ? { ok: false, outcome: unreadable(read.status) } : read;
}

/** Another order than the one asked for. */
export function mismatchOf(
  call: CallContext,
  { value, status }: { value: WireOrder; status: number },
  charge: WireCharge,
): Outcome<never> | undefined {
  const differing = [
    ["reference", call.ref.providerReference, value.code],
    ["currency", "BRL", charge.currency],
  ] as const;
  for (const [field, expected, got] of differing) {
    if (expected === got) continue;
    return { kind: "mismatch", field, expected, got, providerTxId: charge.id, raw: rawOrder(status, value) };
  }
  return undefined;
}

function customerOf({ name, email, document, phone, address }: Payer) {
  const isCompany = document?.type.toUpperCase() === "CNPJ";
  const phones = phone === undefined ? undefined : phonesOf(phone);
  return {
    name: foldedText(name, MAX_NAME),
    type: isCompany ? "company" : "individual",
    ...(email === undefined ? {} : { email }),
    ...(document ? { document: document.number, document_type: documentTypeOf(document.type) } : {}),
    ...(phones ? { phones } : {}),
    ...(address ? { address: addressOf(address) } : {}),
  };
}

const DOCUMENT_TYPES: Readonly<Record<string, string>> = { CPF: "CPF", CNPJ: "CNPJ" };
const documentTypeOf = (type: string): string => DOCUMENT_TYPES[type.toUpperCase()] ?? "PASSPORT";

const BRAZILIAN = /^\+?55(\d{2})(\d{8,9})$/;

const phonesOf = (phone: string) => {
  const [, area, number] = BRAZILIAN.exec(phone.replace(/[\s()-]/g, "")) ?? [];
  return area && number ? { mobile_phone: { country_code: "55", area_code: area, number } } : undefined;
};

/** Number, street, district, in this order, is how its first line is read. */
export const addressOf = ({
  street,
  streetNumber,
  complement,
  district,
  city,
  state,
  zipCode,
  country,
}: PayerAddress) => ({
  line_1: foldedText(`${streetNumber}, ${street}, ${district}`, MAX_LINE),
  ...(complement ? { line_2: foldedText(complement, MAX_LINE) } : {}),
  zip_code: zipCode,
  city: foldedText(city, MAX_CITY),
  state,
  country,
});
