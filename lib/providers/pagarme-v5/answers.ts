import type { z } from "zod";
import { BRANDS, type Brand } from "@/lib/brazil/card-brand";
import { mapDecline } from "@/lib/declines/decline-map";
import { type AnsweredCall, problemOf, type Read, readAnswer, rejected } from "@/lib/providers/answers";
import type { Exchange } from "@/lib/providers/exchange";
import {
  errorAnswer,
  type WireCharge,
  type WireError,
  type WireOrder,
  type WireTransaction,
} from "@/lib/providers/pagarme-v5/wire";
import type { Decline, Outcome } from "@/lib/providers/provider";
import { addSeconds } from "@/lib/time";

/** What cannot be done now, or any more. */
const PRECONDITION_FAILED = 412;
/** A refund without money to take it from is refused for good, by no fault of the request. */
const WITHOUT_BALANCE = /saldo insuficiente|insufficient (balance|funds)/i;

export const answerOf = <T>(exchange: Exchange, schema: z.ZodType<T>): Read<T> =>
  readAnswer(exchange, schema, refusalOf);

function refusalOf({ status, body }: AnsweredCall): Outcome<never> | undefined {
  const parsed = errorAnswer.safeParse(body);
  if (!parsed.success) return undefined;
  if (WITHOUT_BALANCE.test(parsed.data.message)) {
    const raw = { status, headers: {}, body: { error: "insufficient_balance" } };
    return { kind: "declined", declinedCode: "generic", retry: "never", reason: "insufficient_balance", raw };
  }
  if (status === PRECONDITION_FAILED) return rejected("invalid_state", "precondition failed");
  return rejected(problemOf(status), wordsOf(parsed.data) || String(status));
}

const MOST_NAMED = 5;

/** Names of the members alone: a message may quote what was sent. */
export const wordsOf = ({ errors }: WireError): string =>
  Object.keys(errors ?? {})
    .slice(0, MOST_NAMED)
    .join(", ");

export const brandOf = (name: string | null | undefined): Brand =>
  BRANDS.find((brand) => brand === name?.toLowerCase().replaceAll(" ", "")) ?? "unknown";

/** The network's own code; without one, what the gateway says of its own failure. */
export function declineOf(transaction: WireTransaction, brand: Brand, crossBorder: boolean, now: Date): Decline {
  const { acquirer_return_code: network, retry_info: retryInfo, gateway_response: gateway } = transaction;
  if (!network) return gatewayDecline(gateway?.code ?? "", transaction.status ?? "");
  const mac = retryInfo?.brand_failure_return_code ?? undefined;
  const { declinedCode, retry, notBeforeSeconds } = mapDecline({ brand, code: network, mac, crossBorder });
  return {
    declinedCode,
    retry,
    ...(notBeforeSeconds === undefined ? {} : { retryNotBefore: addSeconds(now, notBeforeSeconds).toISOString() }),
    networkResponseCode: network,
    ...(mac ? { networkAdviceCode: mac } : {}),
    reason: transaction.status ?? network,
  };
}

const gatewayDecline = (code: string, status: string): Decline => {
  const reason = [status, code].filter(Boolean).join(" ") || "failed";
  if (code.startsWith("4")) return { declinedCode: "invalid_data", retry: "never", reason };
  // Its own failure does not say whether the issuer was asked: no other provider is.
  if (code.startsWith("5")) return { declinedCode: "issuer_not_available", retry: "never", reason };
  return { declinedCode: "generic", retry: "never", reason };
};

/** The members of a charge that say nothing of a person or a card. */
export const rawCharge = (status: number, charge: WireCharge) => {
  const { last_transaction: last } = charge;
  return {
    status,
    headers: {},
    body: {
      id: charge.id,
      status: charge.status,
      amount: charge.amount,
      paid_amount: charge.paid_amount,
      canceled_amount: charge.canceled_amount,
      currency: charge.currency,
      payment_method: charge.payment_method,
      ...(last
        ? {
            last_transaction: {
              id: last.id,
              status: last.status,
              operation_type: last.operation_type,
              amount: last.amount,
              acquirer_return_code: last.acquirer_return_code,
              brand: last.card?.brand ?? null,
              created_at: last.created_at,
            },
          }
        : {}),
    },
  };
};

export const rawOrder = (status: number, order: WireOrder) => ({
  status,
  headers: {},
  body: {
    id: order.id,
    code: order.code,
    status: order.status,
    charges: order.charges.map((one) => rawCharge(status, one).body),
  },
});
