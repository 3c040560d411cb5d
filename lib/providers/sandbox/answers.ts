import type { z } from "zod";
import type { Brand } from "@/lib/brazil/card-brand";
import { isDeclinedCode, type RetryClass } from "@/lib/declines/decline-codes";
import { mapDecline } from "@/lib/declines/decline-map";
import type { Exchange } from "@/lib/providers/exchange";
import type { Decline, Outcome, RejectedProblem } from "@/lib/providers/provider";
import type { Refusal, WireDecline } from "@/lib/providers/sandbox/wire";
import { addSeconds } from "@/lib/time";

/** How the adapter reads what the simulated acquirer says. */
export type Read<T> = { ok: true; status: number; value: T } | { ok: false; outcome: Outcome<never> };

const OK = 200;
const REFUSED = 400;

/** Definitive answers to a valid request, as against faults of the request itself. */
const DECLINES: readonly Refusal[] = ["capture_refused", "amount_refused", "insufficient_balance"];

const PROBLEMS: Partial<Record<Refusal, RejectedProblem>> = {
  invalid_request: "invalid_request",
  unauthenticated: "unauthenticated",
  not_found: "not_found",
  amount_exceeded: "amount_exceeded",
  partial_capture_unsupported: "unsupported",
  refund_not_supported: "unsupported",
  already_captured: "invalid_state",
  authorization_expired: "invalid_state",
  already_settled: "invalid_state",
  not_cancelable: "invalid_state",
  invalid_state: "invalid_state",
  refund_window_expired: "invalid_state",
};

const isIn = <T extends string>(list: readonly T[], value: string): value is T => list.some((one) => one === value);

export function readAnswer<T>(exchange: Exchange, schema: z.ZodType<T>): Read<T> {
  if (exchange.kind === "not_sent") return { ok: false, outcome: exchange };
  if (exchange.kind === "undetermined") {
    const raw = exchange.status === undefined ? {} : { raw: { status: exchange.status, headers: {}, body: null } };
    return { ok: false, outcome: { kind: "undetermined", cause: exchange.cause, ...raw } };
  }
  const { status, body } = exchange;
  if (status >= REFUSED) return { ok: false, outcome: refusalOf(status, body) };
  const parsed = schema.safeParse(body);
  if (status === OK && parsed.success) return { ok: true, status, value: parsed.data };
  return {
    ok: false,
    outcome: { kind: "undetermined", cause: "unparseable", raw: { status, headers: {}, body: null } },
  };
}

function refusalOf(status: number, body: unknown): Outcome<never> {
  const code = errorCode(body);
  if (code === undefined)
    return { kind: "undetermined", cause: "unparseable", raw: { status, headers: {}, body: null } };
  const raw = { status, headers: {}, body: { error: { code } } };
  if (isIn(DECLINES, code)) return { kind: "declined", declinedCode: "generic", retry: "never", reason: code, raw };
  // An own property or nothing: the code came from outside.
  const problem = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as Refusal] : undefined;
  return { kind: "rejected", problem: problem ?? "invalid_request", detail: code };
}

function errorCode(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("error" in body)) return undefined;
  const { error } = body;
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

const RETRY_CLASSES: readonly RetryClass[] = ["never", "changed_data", "later", "now"];
const PLATFORM_CODES = ["authentication_error", "failed_authentication"] as const;

/** The network's code decides, by brand; only where the brand has none the simulator's own word does. */
export function declineFrom(wire: WireDecline, brand: string, crossBorder: boolean, now: Date): Decline {
  const { declinedCode, networkCode, adviceCode, retry } = wire;
  if (networkCode !== undefined) {
    const mapped = mapDecline({ brand: brandOf(brand), code: networkCode, mac: adviceCode, crossBorder });
    return {
      declinedCode: mapped.declinedCode,
      retry: mapped.retry,
      ...(mapped.notBeforeSeconds === undefined
        ? {}
        : { retryNotBefore: addSeconds(now, mapped.notBeforeSeconds).toISOString() }),
      networkResponseCode: networkCode,
      ...(adviceCode === undefined ? {} : { networkAdviceCode: adviceCode }),
    };
  }
  const known = isDeclinedCode(declinedCode) || isIn(PLATFORM_CODES, declinedCode) ? declinedCode : "generic";
  return { declinedCode: known, retry: retry !== undefined && isIn(RETRY_CLASSES, retry) ? retry : "never" };
}

const BRANDS: readonly Brand[] = [
  "visa",
  "mastercard",
  "elo",
  "hipercard",
  "amex",
  "diners",
  "discover",
  "jcb",
  "aura",
];
export const brandOf = (text: string | undefined): Brand =>
  text !== undefined && isIn(BRANDS, text) ? text : "unknown";
