import type { z } from "zod";
import type { Brand } from "@/lib/brazil/card-brand";
import { mapDecline } from "@/lib/declines/decline-map";
import type { Exchange } from "@/lib/providers/exchange";
import type { Decline, Outcome, RejectedProblem } from "@/lib/providers/provider";
import type { WireDecline } from "@/lib/testing/mirror/wire";
import { addSeconds } from "@/lib/time";

export type Read<T> = { ok: true; value: T } | { ok: false; outcome: Outcome<never> };

const REFUSED = 400;
const PROBLEMS: Readonly<Record<string, RejectedProblem>> = {
  not_found: "not_found",
  unauthenticated: "unauthenticated",
  invalid_state: "invalid_state",
  amount_exceeded: "amount_exceeded",
  debit_is_a_sale: "unsupported",
};

export function answerOf<T>(exchange: Exchange, schema: z.ZodType<T>): Read<T> {
  if (exchange.kind === "not_sent") return { ok: false, outcome: exchange };
  if (exchange.kind === "undetermined") return { ok: false, outcome: { kind: "undetermined", cause: exchange.cause } };
  const raw = { status: exchange.status, headers: {}, body: null };
  if (exchange.status < REFUSED) {
    const parsed = schema.safeParse(exchange.body);
    if (parsed.success) return { ok: true, value: parsed.data };
    return { ok: false, outcome: { kind: "undetermined", cause: "unparseable", raw } };
  }
  const code = codeOf(exchange.body);
  if (code === "insufficient_balance")
    return { ok: false, outcome: { kind: "declined", declinedCode: "generic", retry: "never", reason: code, raw } };
  return { ok: false, outcome: { kind: "rejected", problem: PROBLEMS[code] ?? "invalid_request", detail: code } };
}

function codeOf(body: unknown): string {
  if (typeof body !== "object" || body === null || !("error" in body)) return "";
  const { error } = body;
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

export function declineOf(wire: WireDecline | undefined, brand: Brand, crossBorder: boolean, now: Date): Decline {
  if (!wire) return { declinedCode: "generic", retry: "never" };
  const { networkCode: code, adviceCode: mac } = wire;
  const { declinedCode, retry, notBeforeSeconds } = mapDecline({ brand, code, mac, crossBorder });
  return {
    declinedCode,
    retry,
    ...(notBeforeSeconds === undefined ? {} : { retryNotBefore: addSeconds(now, notBeforeSeconds).toISOString() }),
    networkResponseCode: code,
    ...(mac === undefined ? {} : { networkAdviceCode: mac }),
  };
}
