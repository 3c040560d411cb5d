import type { z } from "zod";
import type { Brand } from "@/lib/brazil/card-brand";
import { mapDecline, mapProviderDecline } from "@/lib/declines/decline-map";
import { CIELO_ROWS } from "@/lib/declines/provider-rows";
import { type AnsweredCall, problemOf, type Read, readAnswer, rejected } from "@/lib/providers/answers";
import { errorAnswer, type WirePayment, type WireSale } from "@/lib/providers/cielo/wire";
import type { Exchange } from "@/lib/providers/exchange";
import type { Decline, Outcome, RejectedProblem } from "@/lib/providers/provider";
import { addSeconds } from "@/lib/time";

export const answerOf = <T>(exchange: Exchange, schema: z.ZodType<T>): Read<T> =>
  readAnswer(exchange, schema, refusalOf);

/** Their own codes of refused requests, by what they mean; every other one is a fault of the request. */
const PROBLEMS: Readonly<Record<string, RejectedProblem>> = {
  "101": "unauthenticated",
  "114": "unauthenticated",
  "115": "unauthenticated",
  "131": "unauthenticated",
  "132": "unauthenticated",
  "300": "unauthenticated",
  "116": "forbidden",
  "120": "forbidden",
  "301": "forbidden",
  "306": "forbidden",
  "303": "not_found",
  "307": "not_found",
  "318": "not_found",
  "308": "invalid_state",
  "309": "invalid_state",
  "310": "unsupported",
  "311": "unsupported",
  "312": "invalid_state",
  "322": "unsupported",
};
/** The order was taken before: what became of it is to be asked. */
const TAKEN_BEFORE = "302";
/** Of the checks before anything is done. Other codes tell of failures inside, as if they were the request's. */
const CHECKS = /^[123]\d\d$/;

function refusalOf({ status, body }: AnsweredCall): Outcome<never> | undefined {
  const parsed = errorAnswer.safeParse(body);
  const codes = parsed.success ? parsed.data.flatMap(({ Code }) => (Code ? [plain(Code)] : [])) : [];
  // Without its own word for it, only these say that nothing was done.
  if (codes.length === 0)
    return [401, 403, 404].includes(status) ? rejected(problemOf(status), String(status)) : undefined;
  if (codes.includes(TAKEN_BEFORE)) return { kind: "undetermined", cause: "replay_conflict" };
  if (codes.some((code) => !CHECKS.test(code))) return undefined;
  const known = codes.map((code) => PROBLEMS[code]).find((problem) => problem !== undefined);
  return rejected(known ?? problemOf(status), codes.slice(0, 3).join(" "));
}

export const plain = (code: string): string => code.replaceAll(" ", "").toUpperCase();

const BRANDS: Readonly<Record<string, Brand>> = {
  visa: "visa",
  master: "mastercard",
  mastercard: "mastercard",
  amex: "amex",
  elo: "elo",
  aura: "aura",
  jcb: "jcb",
  diners: "diners",
  discover: "discover",
  hipercard: "hipercard",
};
export const brandOf = (name: string | null | undefined): Brand => BRANDS[name?.toLowerCase() ?? ""] ?? "unknown";

/** Acquirers that pass the network's code on; those of the others are their own. */
const PASSING_ON: readonly string[] = ["Cielo30", "Simulado"];

const CIELO_CODES: ReadonlySet<string> = new Set(CIELO_ROWS.map(([code]) => code));

/** The network's own code; another one is the acquirer's, which has words of its own. */
export function declineOf(
  answer: Pick<WirePayment, "Provider" | "ReturnCode" | "ProviderReturnCode" | "MerchantAdviceCode">,
  brand: Brand,
  crossBorder: boolean,
  now: Date,
): Decline {
  const given = plain(answer.ProviderReturnCode || answer.ReturnCode || "");
  if (answer.Provider && !PASSING_ON.includes(answer.Provider)) {
    return { declinedCode: "generic", retry: "never", reason: `${answer.Provider} ${given}`.trim() };
  }
  const network = /^\d$/.test(given) ? `0${given}` : given;
  const mac = answer.MerchantAdviceCode ? answer.MerchantAdviceCode.trim().padStart(2, "0") : undefined;
  if (CIELO_CODES.has(given)) return { ...mapProviderDecline("CIELO", given), reason: given };
  const { declinedCode, retry, notBeforeSeconds } = mapDecline({ brand, code: network, mac, crossBorder });
  return {
    declinedCode,
    retry,
    ...(notBeforeSeconds === undefined ? {} : { retryNotBefore: addSeconds(now, notBeforeSeconds).toISOString() }),
    ...(network ? { networkResponseCode: network } : {}),
    ...(mac ? { networkAdviceCode: mac } : {}),
  };
}

/** The members of a sale that say nothing of a person or a card. */
export const rawSale = (status: number, { MerchantOrderId, Payment }: WireSale) => ({
  status,
  headers: {},
  body: {
    MerchantOrderId,
    PaymentId: Payment.PaymentId,
    Type: Payment.Type,
    Status: Payment.Status,
    Amount: Payment.Amount,
    CapturedAmount: Payment.CapturedAmount ?? 0,
    VoidedAmount: Payment.VoidedAmount ?? 0,
    ReturnCode: Payment.ReturnCode,
    ReceivedDate: Payment.ReceivedDate,
  },
});
