import type { NotSentCause, UndeterminedCause } from "@/lib/providers/provider";
import { realNow } from "@/lib/time";

export interface OutboundRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Begins with a slash; never taken from a credential. */
  path: string;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as a form instead of `body`. */
  form?: URLSearchParams;
}

/** What came of one network attempt. An answer is left to the adapter; everything else has one meaning for all. */
export type Exchange =
  | { kind: "answered"; status: number; headers: Record<string, string>; body: unknown }
  | { kind: "not_sent"; cause: NotSentCause; retryAfterMs?: number }
  | { kind: "undetermined"; cause: UndeterminedCause; status?: number };

export interface SendLimits {
  /** Real time. */
  deadline: Date;
  signal: AbortSignal;
}

/** One try, no retry inside, never throws for anything the network does. */
export interface Transport {
  send(request: OutboundRequest, limits: SendLimits): Promise<Exchange>;
  close(): Promise<void>;
}

const TOO_MANY_REQUESTS = 429;
const REQUEST_TIMEOUT = 408;
const CONFLICT = 409;

/** The table of spec/providers.md rule 3 for everything that was answered. */
export function exchangeOf(status: number, headers: Record<string, string>, text: string): Exchange {
  if (status === TOO_MANY_REQUESTS) {
    const retryAfterMs = retryAfter(headers["retry-after"]);
    return { kind: "not_sent", cause: "rate_limited", ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  if (status >= 500) return { kind: "undetermined", cause: "http_5xx", status };
  if (status === REQUEST_TIMEOUT) return { kind: "undetermined", cause: "timeout", status };
  if (status === CONFLICT) return { kind: "undetermined", cause: "replay_conflict", status };
  // A redirect is refused: following it could send card data to a host nobody allowed.
  if (status >= 300 && status < 400) return { kind: "undetermined", cause: "unparseable", status };
  if (text === "") return { kind: "answered", status, headers, body: null };
  try {
    const body: unknown = JSON.parse(text);
    return { kind: "answered", status, headers, body };
  } catch {
    return { kind: "undetermined", cause: "unparseable", status };
  }
}

const MAX_RETRY_AFTER_MS = 3_600_000;

function retryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - realNow().getTime();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : undefined;
}

const DNS_CODES = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "EAI_NODATA"]);
const REFUSED_CODES = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"]);
const CONNECT_TIMEOUT_CODES = new Set(["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"]);
const TIMEOUT_CODES = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]);

/** A failure before the first byte of the request provably sent nothing. */
export function failedBeforeSending(code: string): NotSentCause {
  if (DNS_CODES.has(code)) return "dns";
  if (REFUSED_CODES.has(code)) return "connect_refused";
  if (CONNECT_TIMEOUT_CODES.has(code)) return "connect_timeout";
  // The connection stood, but no secure one came of it.
  return "tls";
}

export const failedAfterSending = (code: string): UndeterminedCause =>
  TIMEOUT_CODES.has(code)
    ? "timeout"
    : code === "UND_ERR_RES_EXCEEDED_MAX_SIZE"
      ? "unparseable"
      : "connection_lost_after_send";
