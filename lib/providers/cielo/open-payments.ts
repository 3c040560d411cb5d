import { daysBetween, isCivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { rejected, unreadable } from "@/lib/providers/answers";
import { answerOf, rawSale } from "@/lib/providers/cielo/answers";
import { NOT_DIVIDED } from "@/lib/providers/cielo/authorize";
import { send } from "@/lib/providers/cielo/call";
import { LEAST_PIX_SECONDS, MOST_BOLETO_DAYS, MOST_CENTS, MOST_PIX_SECONDS } from "@/lib/providers/cielo/capabilities";
import type { Family } from "@/lib/providers/cielo/family";
import { BOLETO, PIX } from "@/lib/providers/cielo/look-up";
import { codeOf, pixData, slipData } from "@/lib/providers/cielo/offers";
import { customerOf, mismatchOf, slipCustomerOf } from "@/lib/providers/cielo/payment";
import { STATUS } from "@/lib/providers/cielo/status";
import { sale } from "@/lib/providers/cielo/wire";
import type { Connections } from "@/lib/providers/connections";
import type { BoletoInput, BoletoSlip, CallContext, Outcome, PixCharge, PixInput } from "@/lib/providers/provider";
import { readSlip } from "@/lib/providers/slip";
import { foldedText } from "@/lib/providers/text";
import { addSeconds } from "@/lib/time";

const PIX_POLL_MS = 5_000;
const BOLETO_POLL_MS = 60_000;
const MAX_INSTRUCTIONS = 255;

export async function createPix(
  family: Family,
  connections: Connections,
  call: CallContext,
  { amount, expiresInSec, payer, split }: PixInput,
): Promise<Outcome<PixCharge>> {
  const isTime =
    Number.isSafeInteger(expiresInSec) && expiresInSec >= LEAST_PIX_SECONDS && expiresInSec <= MOST_PIX_SECONDS;
  if (!isTime) return rejected("unsupported", `open for ${LEAST_PIX_SECONDS} to ${MOST_PIX_SECONDS} seconds`);
  const refused = problemOf(amount, split);
  if (refused) return refused;
  const body = {
    MerchantOrderId: call.ref.providerReference,
    Customer: customerOf(payer),
    Payment: { Type: PIX, Provider: family.providerOf(call, "pix"), Amount: amount, ...family.pixLife(expiresInSec) },
  };
  const read = answerOf(await send(connections, call, { method: "POST", path: family.sales, body }), sale);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  const differing = mismatchOf(call, amount, value, status);
  if (differing) return differing;
  const { Payment: made } = value;
  const code = codeOf(made);
  if (made.Status !== STATUS.pending || !code) return unreadable(status);
  const { PaymentId: providerTxId } = made;
  const raw = rawSale(status, value);
  if (code.amount !== amount) {
    return { kind: "mismatch", field: "amount", expected: String(amount), got: String(code.amount), providerTxId, raw };
  }
  const data = pixData(made, code.text, addSeconds(call.clock.now(), expiresInSec));
  return { kind: "pending", providerTxId, pollAfterMs: PIX_POLL_MS, data, raw };
}

export async function createBoleto(
  family: Family,
  connections: Connections,
  call: CallContext,
  input: BoletoInput,
): Promise<Outcome<BoletoSlip>> {
  const { amount, dueDate, payer, instructions } = input;
  const provider = family.providerOf(call, "boleto");
  if (!provider) return rejected("unsupported", "no bank for slips is named in the credentials");
  const refused = boletoProblem(call, input);
  if (refused) return refused;
  const body = {
    MerchantOrderId: call.ref.providerReference,
    Customer: slipCustomerOf(payer),
    Payment: {
      Type: BOLETO,
      Provider: provider,
      Amount: amount,
      ExpirationDate: dueDate,
      ...(instructions ? { Instructions: foldedText(instructions, MAX_INSTRUCTIONS) } : {}),
    },
  };
  const read = answerOf(await send(connections, call, { method: "POST", path: family.sales, body }), sale);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  const differing = mismatchOf(call, amount, value, status);
  if (differing) return differing;
  const { Payment: made } = value;
  if (made.Status !== STATUS.authorized || !made.DigitableLine) return unreadable(status);
  const slip = readSlip(made.DigitableLine, input, made.BarCodeNumber ?? undefined);
  if (slip.kind === "unreadable") return unreadable(status);
  const { PaymentId: providerTxId } = made;
  const raw = rawSale(status, value);
  if (slip.kind === "mismatch") {
    return { kind: "mismatch", field: "amount", expected: String(amount), got: slip.got, providerTxId, raw };
  }
  return { kind: "pending", providerTxId, pollAfterMs: BOLETO_POLL_MS, data: slipData(made, slip, dueDate), raw };
}

const problemOf = (amount: number, split: unknown) => {
  if (!Number.isSafeInteger(amount) || amount <= 0 || amount > MOST_CENTS) {
    return rejected("unsupported", `at most ${MOST_CENTS} cents`);
  }
  return split ? rejected("unsupported", NOT_DIVIDED) : undefined;
};

function boletoProblem(call: CallContext, { amount, dueDate, payer, split, fine, interest }: BoletoInput) {
  const days = isCivilDate(dueDate) ? daysBetween(saoPauloDay(call.clock.now()), dueDate) : Number.NaN;
  if (!(days >= 0 && days <= MOST_BOLETO_DAYS)) return rejected("unsupported", `due within ${MOST_BOLETO_DAYS} days`);
  if (fine || interest) return rejected("unsupported", "its slips know neither fine nor interest");
  const missing = (["document", "address"] as const).find((member) => payer[member] === undefined);
  return missing ? rejected("invalid_request", `a slip needs the payer's ${missing}`) : problemOf(amount, split);
}
