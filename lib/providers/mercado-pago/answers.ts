import type { z } from "zod";
import { mapProviderDecline } from "@/lib/declines/decline-map";
import { type AnsweredCall, problemOf, type Read, readAnswer, rejected } from "@/lib/providers/answers";
import type { Exchange } from "@/lib/providers/exchange";
import { errorAnswer, type WireError, type WirePayment } from "@/lib/providers/mercado-pago/wire";
import type { Decline, Outcome } from "@/lib/providers/provider";

/** Its refusals have one status: the words tell them apart. */
const NOT_NOW = /not valid for the current (payment )?state/i;
const TOO_MUCH = /greater than|exceeds/i;
const WITHOUT_BALANCE = /insufficient (balance|money|funds)/i;

export const answerOf = <T>(exchange: Exchange, schema: z.ZodType<T>): Read<T> =>
  readAnswer(exchange, schema, refusalOf);

function refusalOf({ status, body }: AnsweredCall): Outcome<never> | undefined {
  const parsed = errorAnswer.safeParse(body);
  if (!parsed.success) return undefined;
  const message = parsed.data.message ?? "";
  if (WITHOUT_BALANCE.test(message)) {
    const raw = { status, headers: {}, body: { error: "insufficient_balance" } };
    return { kind: "declined", declinedCode: "generic", retry: "never", reason: "insufficient_balance", raw };
  }
  const words = wordsOf(parsed.data) || String(status);
  if (NOT_NOW.test(message)) return rejected("invalid_state", words);
  if (TOO_MUCH.test(message)) return rejected("amount_exceeded", words);
  return rejected(problemOf(status), words);
}

/** Its codes alone: a message may quote what was sent. */
const wordsOf = ({ error, cause }: WireError): string =>
  [error, ...(cause ?? []).map(({ code }) => code)].filter(Boolean).slice(0, 3).join(" ");

/** It passes no network's code on: its own words are all there is. */
export function declineOf(detail: string): Decline {
  const { declinedCode, retry } = mapProviderDecline("MERCADO_PAGO", detail);
  return { declinedCode, retry, ...(detail === "" ? {} : { reason: detail }) };
}

/** The members of a payment that say nothing of a person or a card. */
export const rawPayment = (status: number, payment: WirePayment) => ({
  status,
  headers: {},
  body: {
    id: payment.id,
    status: payment.status,
    status_detail: payment.status_detail,
    amount: payment.transaction_amount,
    refunded: payment.transaction_amount_refunded ?? 0,
    currency_id: payment.currency_id,
    captured: payment.captured,
    external_reference: payment.external_reference,
    payment_method_id: payment.payment_method_id,
  },
});
