import { createHmac } from "node:crypto";
import { newId } from "@/lib/ids";
import type { Effects } from "@/lib/providers/sandbox/effects";
import type { Call } from "@/lib/providers/sandbox/store";
import { type Caller, type Refusal, type SimulatorReply, statusOf } from "@/lib/providers/sandbox/wire";
import { serverSecret } from "@/lib/secrets";

export const OK = 200;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

/** An operation's own result, before anything disturbs its way back. */
export interface Answer {
  status: number;
  body: string;
  delivery?: "sent" | "held" | "truncated" | "http_500";
  latencyMs?: number;
  headers?: Record<string, string>;
}

export const answer = (body: object): Answer => ({ status: OK, body: JSON.stringify(body) });

export const refuse = (refusal: Refusal, message: string = refusal.replaceAll("_", " ")): Answer => ({
  status: statusOf(refusal),
  body: JSON.stringify({ error: { code: refusal, message } }),
});

const failing = (status: number, headers: Record<string, string> = {}): Answer => ({
  status,
  body: JSON.stringify({ error: { code: "unavailable", message: "simulated failure" } }),
  headers,
});

export const tooMany = (retryAfterSeconds: number): Answer =>
  failing(TOO_MANY_REQUESTS, { "retry-after": String(retryAfterSeconds) });

/** What happens instead of the operation: nothing is recorded then. */
export function before(effects: Effects): Answer | "closed" | undefined {
  if (effects.fault === "drop_request") return "closed";
  if (effects.fault !== "http_status") return undefined;
  const { retryAfterSeconds } = effects;
  return failing(
    effects.status ?? SERVER_ERROR,
    retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) },
  );
}

export const closed: SimulatorReply = { status: 0, headers: {}, body: "", delayMs: 0, delivery: "closed" };

/** The way back: outcomes and scenarios lose, cut, delay or replace the answer of what has been done. */
export function deliver(given: Answer, effects: Effects): SimulatorReply {
  const delayMs = (given.latencyMs ?? 0) + (effects.latencyMs ?? 0);
  const shown = given.delivery === "http_500" ? failing(SERVER_ERROR) : given;
  const reply: SimulatorReply = {
    status: shown.status,
    headers: { "content-type": "application/json", ...shown.headers },
    body: shown.body,
    delayMs,
    delivery: "sent",
  };
  if (effects.fault === "drop_response") return { ...reply, delivery: "closed" };
  if (given.delivery === "held" || (effects.fault === "delay" && effects.latencyMs === undefined)) {
    return { ...reply, delivery: "held" };
  }
  if (given.delivery === "truncated" || effects.fault === "truncate") {
    return { ...reply, body: reply.body.slice(0, Math.floor(reply.body.length / 2)) };
  }
  return reply;
}

const FINGERPRINT = "sandbox request fingerprint";
const CARD_FINGERPRINT = "sandbox card fingerprint";

/** Keyed, so that a stolen table does not say which card it was. */
export const cardFingerprint = (pan: string): Buffer =>
  createHmac("sha256", serverSecret(CARD_FINGERPRINT)).update(pan).digest();

/** What makes two requests the same, without card data. */
export const fingerprintOf = (redacted: object): Buffer =>
  createHmac("sha256", serverSecret(FINGERPRINT)).update(JSON.stringify(redacted)).digest();

export interface CallDetails {
  operation: string;
  reference: string;
  request: Record<string, unknown>;
  /** Kept under the caller's idempotency key. */
  kept: boolean;
}

export function callOf(caller: Caller, details: CallDetails, given: Answer | null, effects: Effects = {}): Call {
  const { operation, reference, request } = details;
  const key = caller.idempotencyKey ?? null;
  return {
    id: newId(),
    clientId: caller.clientId,
    providerId: caller.providerId,
    chargeId: caller.chargeId,
    operation,
    reference,
    idempotencyKey: key,
    fingerprint: key === null ? null : fingerprintOf({ operation, ...request }),
    kept: details.kept && key !== null,
    request,
    status: given?.status ?? null,
    response: given?.body ?? null,
    durationMs: (given?.latencyMs ?? 0) + (effects.latencyMs ?? 0),
    at: caller.now,
  };
}
