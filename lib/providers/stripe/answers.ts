import type { z } from "zod";
import { BRANDS, type Brand } from "@/lib/brazil/card-brand";
import { mapDecline, mapProviderDecline } from "@/lib/declines/decline-map";
import { type AnsweredCall, problemOf, type Read, readAnswer, rejected } from "@/lib/providers/answers";
import type { Exchange } from "@/lib/providers/exchange";
import type { Decline, Outcome, RejectedProblem } from "@/lib/providers/provider";
import { errorAnswer, type Intent, type PlainIntent, type WireError } from "@/lib/providers/stripe/wire";
import { addSeconds } from "@/lib/time";

/** Stripe's names of what cannot be done now, or any more. */
const PROBLEMS: Readonly<Record<string, RejectedProblem>> = {
  resource_missing: "not_found",
  payment_intent_unexpected_state: "invalid_state",
  charge_already_captured: "invalid_state",
  charge_expired_for_capture: "invalid_state",
  charge_disputed: "invalid_state",
  charge_already_refunded: "amount_exceeded",
  amount_too_large: "amount_exceeded",
};
/** A refund without money to take it from is refused for good, by no fault of the request. */
const WITHOUT_BALANCE: ReadonlySet<string> = new Set(["balance_insufficient", "insufficient_funds"]);

/** `onDecline` reads what only an authorization can be told. */
export const answerOf = <T>(
  exchange: Exchange,
  schema: z.ZodType<T>,
  onDecline?: (error: WireError, intent: PlainIntent, status: number) => Outcome<never> | undefined,
): Read<T> => readAnswer(exchange, schema, (answer) => refusalOf(answer, onDecline));

function refusalOf(
  { status, body }: AnsweredCall,
  onDecline?: (error: WireError, intent: PlainIntent, status: number) => Outcome<never> | undefined,
): Outcome<never> | undefined {
  const parsed = errorAnswer.safeParse(body);
  if (!parsed.success) return undefined;
  const { payment_intent: intent, ...error } = parsed.data.error;
  // The same key stood on another request: what became of that one is not known here.
  if (error.type === "idempotency_error") return { kind: "undetermined", cause: "replay_conflict" };
  if (error.type === "card_error") return intent && onDecline ? onDecline(error, intent, status) : undefined;
  if (error.type === "api_error") return { kind: "undetermined", cause: "http_5xx", raw: rawError(status, error) };
  const code = error.code ?? error.type;
  if (WITHOUT_BALANCE.has(code)) {
    const raw = rawError(status, error);
    return { kind: "declined", declinedCode: "generic", retry: "never", reason: code, raw };
  }
  return rejected(PROBLEMS[code] ?? problemOf(status), code);
}

/** The words of the network where Stripe passes them on, else its own. */
export function declineOf(error: WireError, brand: Brand, crossBorder: boolean, now: Date): Decline {
  const { network_decline_code: network, network_advice_code: mac, advice_code: advice } = error;
  const own = error.decline_code ?? error.code ?? "";
  const meaning: ReturnType<typeof mapDecline> = network
    ? mapDecline({ brand, code: network, mac: mac ?? undefined, crossBorder })
    : mapProviderDecline("STRIPE", own);
  const { declinedCode, retry, notBeforeSeconds } = meaning;
  return {
    declinedCode,
    retry: advice === "do_not_try_again" ? "never" : retry,
    ...(notBeforeSeconds === undefined ? {} : { retryNotBefore: addSeconds(now, notBeforeSeconds).toISOString() }),
    ...(network ? { networkResponseCode: network } : {}),
    ...(mac ? { networkAdviceCode: mac } : {}),
    ...(own === "" ? {} : { reason: own }),
  };
}

export const brandOf = (name: string | null | undefined): Brand => BRANDS.find((brand) => brand === name) ?? "unknown";

/** The members of an intent that say nothing of a person or a card. */
export const rawIntent = (status: number, intent: Intent | PlainIntent) => ({
  status,
  headers: {},
  body: {
    id: intent.id,
    status: intent.status,
    amount: intent.amount,
    amount_capturable: intent.amount_capturable,
    amount_received: intent.amount_received,
    currency: intent.currency,
    metadata: intent.metadata,
    ...(intent.cancellation_reason ? { cancellation_reason: intent.cancellation_reason } : {}),
  },
});

export const rawError = (status: number, error: WireError) => ({
  status,
  headers: {},
  body: {
    error: Object.fromEntries(
      (["type", "code", "decline_code", "advice_code", "network_decline_code", "network_advice_code"] as const).flatMap(
        (name) => (error[name] ? [[name, error[name]]] : []),
      ),
    ),
  },
});
