import type { z } from "zod";
import type { Brand } from "@/lib/brazil/card-brand";
import { mapDecline, mapProviderDecline } from "@/lib/declines/decline-map";
import { refusalCodeOf } from "@/lib/providers/adyen/refusals";
import { errorAnswer, type More, type PaymentAnswer } from "@/lib/providers/adyen/wire";
import { type AnsweredCall, problemOf, type Read, readAnswer, rejected } from "@/lib/providers/answers";
import type { Exchange } from "@/lib/providers/exchange";
import type { Decline, Outcome, RejectedProblem } from "@/lib/providers/provider";
import { addSeconds } from "@/lib/time";

/** Its numbers of what cannot be done; of the others the status says what they are. */
const PROBLEMS: Readonly<Record<string, RejectedProblem>> = {
  "167": "not_found",
  "901": "forbidden",
};
/** A request under this key is under way, or was another one. */
const KEY_IN_USE = "704";

/** `onRefusal` reads what only an authorization can be told. */
export const answerOf = <T>(
  exchange: Exchange,
  schema: z.ZodType<T>,
  onRefusal?: (code: string, status: number) => Outcome<never> | undefined,
): Read<T> => readAnswer(exchange, schema, (answer) => refusalOf(answer, onRefusal));

function refusalOf(
  { status, body }: AnsweredCall,
  onRefusal?: (code: string, status: number) => Outcome<never> | undefined,
): Outcome<never> | undefined {
  const parsed = errorAnswer.safeParse(body);
  const code = parsed.success ? parsed.data.errorCode : undefined;
  if (!code) return undefined;
  if (code === KEY_IN_USE) return { kind: "undetermined", cause: "replay_conflict" };
  return onRefusal?.(code, status) ?? rejected(PROBLEMS[code] ?? problemOf(status), code);
}

/** What was typed wrongly is found before anything is sent to the issuer, and told by a number of its own. */
const MISTYPED: Readonly<Record<string, Decline["declinedCode"]>> = {
  "101": "invalid_number",
  "103": "invalid_cvv",
  "129": "expired_card",
};

export function mistyped(code: string, status: number): Outcome<never> | undefined {
  const declinedCode = MISTYPED[code];
  if (!declinedCode) return undefined;
  const raw = { status, headers: {}, body: { errorCode: code } };
  return { kind: "declined", declinedCode, retry: "changed_data", reason: code, raw };
}

export interface Refusal extends Pick<More, "refusalReasonRaw" | "merchantAdviceCode"> {
  code?: string | null | undefined;
  words?: string | null | undefined;
}

/** "51 : Insufficient funds" */
const RAW = /^\s*([0-9A-Za-z]{2})\s*(?::|$)/;
const ADVICE = /^\s*(\d{2})\b/;

/** The words of the network where the account passes them on, else Adyen's own. */
export function declineOf(refusal: Refusal, brand: Brand, crossBorder: boolean, now: Date): Decline {
  const network = RAW.exec(refusal.refusalReasonRaw ?? "")?.[1];
  const mac = ADVICE.exec(refusal.merchantAdviceCode ?? "")?.[1];
  const own = refusal.code ?? refusalCodeOf(refusal.words ?? "");
  const meaning: ReturnType<typeof mapDecline> = network
    ? mapDecline({ brand, code: network, mac, crossBorder })
    : mapProviderDecline("ADYEN", own ?? "");
  const { declinedCode, retry, notBeforeSeconds } = meaning;
  const reason = refusal.words ?? own;
  return {
    declinedCode,
    retry,
    ...(notBeforeSeconds === undefined ? {} : { retryNotBefore: addSeconds(now, notBeforeSeconds).toISOString() }),
    ...(network ? { networkResponseCode: network } : {}),
    ...(mac ? { networkAdviceCode: mac } : {}),
    ...(reason ? { reason } : {}),
  };
}

const BRANDS: readonly (readonly [prefix: string, brand: Brand])[] = [
  ["visa", "visa"],
  ["mc", "mastercard"],
  ["electron", "visa"],
  ["maestro", "mastercard"],
  ["elo", "elo"],
  ["hipercard", "hipercard"],
  ["amex", "amex"],
  ["diners", "diners"],
  ["discover", "discover"],
  ["jcb", "jcb"],
];

/** "visa", "visacredit", "mc", "elodebit": a brand and a kind of card. */
export const brandOf = (variant: string | null | undefined): Brand =>
  BRANDS.find(([prefix]) => variant?.toLowerCase().startsWith(prefix))?.[1] ?? "unknown";

/** The members of an answer that say nothing of a person or a card. */
export const rawPayment = (status: number, value: PaymentAnswer) => ({
  status,
  headers: {},
  body: {
    pspReference: value.pspReference,
    merchantReference: value.merchantReference,
    resultCode: value.resultCode,
    amount: value.amount,
    ...(value.refusalReasonCode ? { refusalReasonCode: value.refusalReasonCode } : {}),
    ...(value.refusalReason ? { refusalReason: value.refusalReason } : {}),
    ...(value.additionalData?.refusalReasonRaw ? { refusalReasonRaw: value.additionalData.refusalReasonRaw } : {}),
    ...(value.additionalData?.liabilityShift ? { liabilityShift: value.additionalData.liabilityShift } : {}),
    ...(value.additionalData?.eci ? { eci: value.additionalData.eci } : {}),
    ...(value.action ? { action: value.action.type } : {}),
  },
});
