import { daysBetween, endOfSaoPauloDay, isCivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { PixCodeError, parsePixCode } from "@/lib/brazil/pix-brcode";
import { rejected, unreadable } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import { rawOrder } from "@/lib/providers/pagarme-v5/answers";
import { MOST_BOLETO_DAYS, MOST_CENTS, MOST_SECONDS } from "@/lib/providers/pagarme-v5/capabilities";
import { addressOf, createOrder, mismatchOf, orderBody } from "@/lib/providers/pagarme-v5/order";
import { splitOf, splitProblem } from "@/lib/providers/pagarme-v5/split";
import type { WireCharge } from "@/lib/providers/pagarme-v5/wire";
import type {
  BoletoInput,
  BoletoSlip,
  CallContext,
  FoundOffer,
  Outcome,
  PixCharge,
  PixInput,
} from "@/lib/providers/provider";
import { readSlip, slipDueOn } from "@/lib/providers/slip";
import { foldedText } from "@/lib/providers/text";

const PIX_POLL_MS = 5_000;
const BOLETO_POLL_MS = 60_000;
const MAX_INSTRUCTIONS = 256;
const MAX_INFO = 50;

export async function createPix(
  connections: Connections,
  call: CallContext,
  input: PixInput,
): Promise<Outcome<PixCharge>> {
  const { amount, expiresInSec, payer, additionalInfo } = input;
  const isTime = Number.isSafeInteger(expiresInSec) && expiresInSec >= 1 && expiresInSec <= MOST_SECONDS;
  if (!isTime) return rejected("unsupported", `open for 1 to ${MOST_SECONDS} seconds`);
  const refused = amountProblem(amount) ?? splitProblem(input.split, amount);
  if (refused) return refused;
  const lines = await splitOf(connections, call, input.split);
  if (!lines.ok) return lines.outcome;
  const shown = additionalInfo?.map(({ name, value }) => ({
    Name: foldedText(name, MAX_INFO),
    Value: foldedText(value, MAX_INFO),
  }));
  const pix = { expires_in: expiresInSec, ...(shown ? { additional_information: shown } : {}) };
  const payment = { payment_method: "pix", pix, ...lines.split };
  const read = await createOrder(connections, call, orderBody(call, amount, payer, payment));
  if (!read.ok) return read.outcome;
  const [charge] = read.value.charges;
  if (!charge) return unreadable(read.status);
  const raw = rawOrder(read.status, read.value);
  const differing = mismatchOf(call, read, charge);
  if (differing) return differing;
  const code = pixOf(charge);
  if (read.value.status !== "pending" || charge.status !== "pending" || !code) return unreadable(read.status);
  if (charge.amount !== amount || code.amount !== amount) {
    const got = String(charge.amount === amount ? code.amount : charge.amount);
    return { kind: "mismatch", field: "amount", expected: String(amount), got, providerTxId: charge.id, raw };
  }
  return { kind: "pending", providerTxId: charge.id, pollAfterMs: PIX_POLL_MS, data: code.data, raw };
}

/** The code of a Pix, with the amount that it says; undefined for one that cannot be read. */
function pixOf({
  id,
  last_transaction: last,
}: WireCharge): { amount: number | undefined; data: PixCharge } | undefined {
  if (!last?.qr_code || !last.expires_at) return undefined;
  try {
    const { kind, amount } = parsePixCode(last.qr_code);
    if (kind !== "dynamic") return undefined;
    const image = last.qr_code_url ? { imageUrl: last.qr_code_url } : {};
    const expiresAt = new Date(last.expires_at).toISOString();
    return { amount, data: { txid: id, brCode: last.qr_code, ...image, expiresAt } };
  } catch (error) {
    if (error instanceof PixCodeError) return undefined;
    throw error;
  }
}

export async function createBoleto(
  connections: Connections,
  call: CallContext,
  input: BoletoInput,
): Promise<Outcome<BoletoSlip>> {
  const refused = boletoProblem(call, input) ?? splitProblem(input.split, input.amount);
  if (refused) return refused;
  const lines = await splitOf(connections, call, input.split);
  if (!lines.ok) return lines.outcome;
  const { amount, payer, dueDate, instructions, fine, interest } = input;
  const boleto = {
    due_at: endOfSaoPauloDay(dueDate).toISOString(),
    document_number: call.ref.providerReference.replaceAll("-", "").slice(0, 16),
    type: "DM",
    ...(instructions ? { instructions: foldedText(instructions, MAX_INSTRUCTIONS) } : {}),
    ...(payer.address ? { billing_address: addressOf(payer.address) } : {}),
    ...(fine ? { fine: lateCharge(fine) } : {}),
    ...(interest ? { interest: lateCharge(interest) } : {}),
  };
  const payment = { payment_method: "boleto", boleto, ...lines.split };
  const read = await createOrder(connections, call, orderBody(call, amount, payer, payment));
  if (!read.ok) return read.outcome;
  const [charge] = read.value.charges;
  if (!charge) return unreadable(read.status);
  const raw = rawOrder(read.status, read.value);
  const differing = mismatchOf(call, read, charge);
  if (differing) return differing;
  const line = charge.last_transaction?.line;
  if (read.value.status !== "pending" || charge.status !== "pending" || !line) return unreadable(read.status);
  const slip = readSlip(line, input);
  if (slip.kind === "unreadable") return unreadable(read.status);
  if (slip.kind === "mismatch" || charge.amount !== amount) {
    const got = slip.kind === "mismatch" ? slip.got : String(charge.amount);
    return { kind: "mismatch", field: "amount", expected: String(amount), got, providerTxId: charge.id, raw };
  }
  const data = slipData(charge, slip, dueDate);
  return { kind: "pending", providerTxId: charge.id, pollAfterMs: BOLETO_POLL_MS, data, raw };
}

const slipData = (
  { last_transaction: last }: WireCharge,
  { line, barcode }: { line: string; barcode: string },
  dueDate: string,
): BoletoSlip => ({
  line,
  barcode,
  dueDate,
  expiresAt: endOfSaoPauloDay(dueDate).toISOString(),
  ...(last?.pdf ? { pdfUrl: last.pdf } : {}),
  ...(last?.nosso_numero ? { ourNumber: last.nosso_numero } : {}),
});

const lateCharge = ({ days, amount, percentage }: NonNullable<BoletoInput["fine"]>) =>
  amount === undefined ? { days, type: "percentage", amount: percentage ?? 0 } : { days, type: "flat", amount };

const amountProblem = (amount: number) =>
  Number.isSafeInteger(amount) && amount > 0 && amount <= MOST_CENTS
    ? undefined
    : rejected("unsupported", `at most ${MOST_CENTS} cents`);

function boletoProblem(call: CallContext, { amount, dueDate, payer }: BoletoInput) {
  const days = isCivilDate(dueDate) ? daysBetween(saoPauloDay(call.clock.now()), dueDate) : Number.NaN;
  if (!(days >= 0 && days <= MOST_BOLETO_DAYS)) return rejected("unsupported", `due within ${MOST_BOLETO_DAYS} days`);
  const missing = (["document", "address"] as const).find((member) => payer[member] === undefined);
  return missing ? rejected("invalid_request", `a slip needs the payer's ${missing}`) : amountProblem(amount);
}

/** What the buyer pays with, of a payment that was found. */
export function offerOf(charge: WireCharge, now: Date): { offer?: FoundOffer } {
  const { amount, payment_method: method, last_transaction: last } = charge;
  if (method === "pix") {
    const code = pixOf(charge);
    return code && code.amount === amount ? { offer: { amount, data: code.data } } : {};
  }
  if (method !== "boleto" || !last?.line) return {};
  const dueDate = slipDueOn(last.line, saoPauloDay(now));
  const slip = dueDate === undefined ? undefined : readSlip(last.line, { amount, dueDate });
  return dueDate !== undefined && slip?.kind === "slip"
    ? { offer: { amount, data: slipData(charge, slip, dueDate) } }
    : {};
}
