import { findOutcome } from "@/lib/providers/sandbox/outcomes";

/** X-Sandbox-Scenario: `key=value;key=value` (spec/sandbox.md section 6). */
export const CALL_FAULTS = ["drop_request", "drop_response", "http_status", "truncate", "delay"] as const;
export const WEBHOOK_FAULTS = ["duplicate_webhook", "reorder_webhook", "bad_signature", "clock_skew"] as const;
export const STEPS = [
  "authorize",
  "capture",
  "void",
  "refund",
  "query",
  "webhook",
  "analysis",
  "recipient",
  "mandate",
] as const;

export type CallFault = (typeof CALL_FAULTS)[number];
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];
export type Step = (typeof STEPS)[number];

export interface Scenario {
  /** Three-digit code. */
  outcome?: string;
  fault?: CallFault | WebhookFault;
  latencyMs?: number;
  status?: number;
  retryAfterSeconds?: number;
  /** Absent = authorize, or the very call that carries the scenario when that is a capture or a void. */
  step?: Step;
  /** 0 = always. */
  times: number;
  slot?: number;
  provider?: number;
}

export type ParsedScenario = { ok: true; value: Scenario } | { ok: false; problems: string[] };

const MAX_LENGTH = 512;
const MAX_LATENCY_MS = 120_000;
const MAX_RETRY_AFTER_SECONDS = 3_600;
const MAX_TIMES = 1_000;
const MAX_PRIORITY = 1_000_000;
const LAST_SLOT = 2;
const FIRST_ERROR_STATUS = 400;
const LAST_ERROR_STATUS = 599;

type Read = (scenario: Scenario, value: string) => string | undefined;

const integer =
  (min: number, max: number, put: (scenario: Scenario, value: number) => void): Read =>
  (scenario, value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) return `must be an integer between ${min} and ${max}`;
    put(scenario, number);
    return undefined;
  };

const choice =
  <T extends string>(values: readonly T[], put: (scenario: Scenario, value: T) => void): Read =>
  (scenario, value) => {
    const found = values.find((one) => one === value);
    if (found === undefined) return `must be one of ${values.join(", ")}`;
    put(scenario, found);
    return undefined;
  };

const KEYS: Readonly<Record<string, Read>> = {
  outcome: (scenario, value) => {
    const row = findOutcome(value);
    if (!row) return "must be a code or a name of the outcome table";
    scenario.outcome = row.code;
    return undefined;
  },
  fault: choice([...CALL_FAULTS, ...WEBHOOK_FAULTS], (scenario, fault) => {
    scenario.fault = fault;
  }),
  latency: integer(0, MAX_LATENCY_MS, (scenario, ms) => {
    scenario.latencyMs = ms;
  }),
  status: integer(FIRST_ERROR_STATUS, LAST_ERROR_STATUS, (scenario, status) => {
    scenario.status = status;
  }),
  retryAfter: integer(0, MAX_RETRY_AFTER_SECONDS, (scenario, seconds) => {
    scenario.retryAfterSeconds = seconds;
  }),
  step: choice(STEPS, (scenario, step) => {
    scenario.step = step;
  }),
  times: integer(0, MAX_TIMES, (scenario, times) => {
    scenario.times = times;
  }),
  slot: integer(0, LAST_SLOT, (scenario, slot) => {
    scenario.slot = slot;
  }),
  provider: integer(1, MAX_PRIORITY, (scenario, provider) => {
    scenario.provider = provider;
  }),
};

export function parseScenario(text: string): ParsedScenario {
  const problems: string[] = [];
  const scenario: Scenario = { times: 1 };
  const seen = new Set<string>();
  if (text.length > MAX_LENGTH) return { ok: false, problems: [`scenario: at most ${MAX_LENGTH} characters`] };
  for (const part of text.split(";").map((one) => one.trim())) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const key = (equals < 0 ? part : part.slice(0, equals)).trim();
    const read = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (!read) problems.push(`scenario: unknown key ${key.slice(0, 40)}`);
    else if (seen.has(key)) problems.push(`scenario: ${key} is given twice`);
    else {
      const problem = read(scenario, equals < 0 ? "" : part.slice(equals + 1).trim());
      if (problem) problems.push(`scenario: ${key} ${problem}`);
    }
    seen.add(key);
  }
  if (seen.size === 0) problems.push("scenario: needs at least one key=value");
  if (scenario.fault !== "http_status") {
    for (const key of ["status", "retryAfter"]) {
      if (seen.has(key)) problems.push(`scenario: ${key} belongs to fault=http_status`);
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: scenario };
}

export const isWebhookFault = (fault: string | undefined): fault is WebhookFault =>
  WEBHOOK_FAULTS.some((one) => one === fault);

/** The step a scenario acts on when it says none: notifications for the faults that only they can have. */
export const stepOf = (scenario: Scenario): Step =>
  scenario.step ?? (isWebhookFault(scenario.fault) ? "webhook" : "authorize");
