import { daysBetween, isCivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { rejected, unreadable } from "@/lib/providers/answers";
import type { Connections } from "@/lib/providers/connections";
import type { BoletoInput, BoletoSlip, CallContext, Outcome } from "@/lib/providers/provider";
import { readSlip } from "@/lib/providers/slip";
import { answerOf, rawIntent } from "@/lib/providers/stripe/answers";
import { billingOf, createIntent, intentFields } from "@/lib/providers/stripe/authorize";
import { intentPath, send } from "@/lib/providers/stripe/call";
import { MOST_BOLETO_DAYS, MOST_CENTS } from "@/lib/providers/stripe/capabilities";
import { plainIntent } from "@/lib/providers/stripe/wire";

const POLL_MS = 60_000;

export async function createBoleto(
  connections: Connections,
  call: CallContext,
  input: BoletoInput,
): Promise<Outcome<BoletoSlip>> {
  const days = isCivilDate(input.dueDate) ? daysBetween(saoPauloDay(call.clock.now()), input.dueDate) : Number.NaN;
  const refused = refusedBeforeSending(input, days);
  if (refused) return refused;
  const made = await createIntent(connections, call, {
    ...intentFields(call, input.amount),
    payment_method_types: ["boleto"],
  });
  if (!made.ok) return made.outcome;
  const exchange = await send(connections, call, {
    method: "POST",
    path: intentPath(made.value.id, "confirm"),
    fields: {
      payment_method_data: {
        type: "boleto",
        boleto: { tax_id: input.payer.document?.number },
        billing_details: billingOf(input.payer),
      },
      payment_method_options: { boleto: { expires_after_days: days } },
    },
    step: "confirm",
  });
  const read = answerOf(exchange, plainIntent);
  if (!read.ok) return read.outcome;
  const { value, status } = read;
  const shown = value.next_action?.boleto_display_details;
  if (value.id !== made.value.id || value.status !== "requires_action" || !shown) return unreadable(status);
  const raw = rawIntent(status, value);
  const slip = readSlip(shown.number, input);
  if (slip.kind === "unreadable") return unreadable(status);
  if (slip.kind === "mismatch" || value.amount !== input.amount) {
    const got = slip.kind === "mismatch" ? slip.got : String(value.amount);
    return { kind: "mismatch", field: "amount", expected: String(input.amount), got, providerTxId: value.id, raw };
  }
  return {
    kind: "pending",
    providerTxId: value.id,
    pollAfterMs: POLL_MS,
    data: {
      line: slip.line,
      barcode: slip.barcode,
      dueDate: input.dueDate,
      expiresAt: new Date(shown.expires_at * 1000).toISOString(),
      ...(shown.pdf ? { pdfUrl: shown.pdf } : {}),
    },
    raw,
  };
}

function refusedBeforeSending({ amount, payer, split, fine, interest }: BoletoInput, days: number) {
  if (!(days >= 0 && days <= MOST_BOLETO_DAYS)) return rejected("unsupported", `due within ${MOST_BOLETO_DAYS} days`);
  if (!Number.isSafeInteger(amount) || amount <= 0 || amount > MOST_CENTS) {
    return rejected("unsupported", `at most ${MOST_CENTS} cents`);
  }
  if (split) return rejected("unsupported", "payments are not split through this provider");
  if (fine || interest) return rejected("unsupported", "its slips know neither fine nor interest");
  const missing = (["document", "email", "address"] as const).find((member) => payer[member] === undefined);
  return missing ? rejected("invalid_request", `a slip needs the payer's ${missing}`) : undefined;
}
