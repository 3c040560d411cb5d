import { z } from "zod";
import { isDatabaseLoss } from "@/db/losses";
import { CardRefused, DomainError, RequestError, unavailable } from "@/lib/errors";

export type Envelope = "standard" | "purchases";

export interface ErrorAnswer {
  status: number;
  body: { error: Record<string, unknown> };
  headers: Record<string, string>;
  /** True for what nobody foresaw: logged with its stack, answered without it. */
  isBug: boolean;
}

const answer = (status: number, error: Record<string, unknown>, headers: Record<string, string> = {}): ErrorAnswer => ({
  status,
  body: { error },
  headers,
  isBug: false,
});

/** A database that was restarted is back in about this time. */
const RETRY_SECONDS = 2;

const retryAfter = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { "retry-after": String(Math.max(1, Math.ceil(seconds))) };

/** The only place that knows the envelopes: spec/contract.md 2.1 and spec/purchases.md. */
export function errorAnswer(thrown: unknown, envelope: Envelope, keys?: string): ErrorAnswer {
  const known = envelope === "purchases" ? purchasesAnswer(thrown) : standardAnswer(thrown);
  if (known) return keys ? withKey(known, keys) : known;
  return { ...answer(500, { type: "api_error", code: 500, message: "unexpected error", details: [] }), isBug: true };
}

/** Where the contract names refusals by their status as well: `I-404`. */
const withKey = (known: ErrorAnswer, keys: string): ErrorAnswer => ({
  ...known,
  body: { error: { ...known.body.error, key: `${keys}-${known.status}` } },
});

function standardAnswer(thrown: unknown): ErrorAnswer | undefined {
  if (thrown instanceof DomainError) {
    const { status: code, type, businessCode, message } = thrown;
    // A plan is read by a program: half of it would be none.
    const details = businessCode === "plan_changed" ? thrown.details : shortened(thrown.details);
    return answer(code, { type, code, businessCode, message, details }, retryAfter(thrown.retryAfterSeconds));
  }
  if (thrown instanceof CardRefused) {
    const { type, message, declinedCode } = thrown;
    return answer(400, { type, code: 400, declinedCode, declined_code: declinedCode, message, details: [message] });
  }
  if (thrown instanceof RequestError) {
    const { status: code, type, message, key } = thrown;
    return answer(
      code,
      { type, code, ...(key === undefined ? {} : { key }), message, details: shortened(thrown.details) },
      { ...retryAfter(thrown.retryAfterSeconds), ...thrown.headers },
    );
  }
  if (isDatabaseLoss(thrown)) return standardAnswer(unavailable(RETRY_SECONDS));
  if (thrown instanceof z.ZodError) {
    return answer(400, { type: "bad_request", code: 400, message: "invalid request", details: brokenRules(thrown) });
  }
  return undefined;
}

const PURCHASE_TYPES: Record<number, string> = {
  400: "bad_request",
  401: "unauthorized",
  403: "unauthorized",
  404: "not_found",
  405: "bad_request",
  409: "conflict",
  413: "bad_request",
  415: "bad_request",
  422: "validation_error",
  429: "unavailable",
  503: "unavailable",
};
const WITH_BUSINESS_CODE = new Set([400, 404, 409, 422]);

function purchasesAnswer(thrown: unknown): ErrorAnswer | undefined {
  const standard = standardAnswer(thrown);
  if (!standard) return undefined;
  const { status, headers } = standard;
  const { message, details } = standard.body.error;
  const type = PURCHASE_TYPES[status] ?? "api_error";
  if (!WITH_BUSINESS_CODE.has(status)) return answer(status, { type, code: status, message, details: [] }, headers);
  const businessCode =
    thrown instanceof DomainError ? thrown.businessCode : status === 404 ? "purchase_not_found" : "invalid_request";
  return answer(
    status,
    {
      type,
      code: status,
      message,
      businessCode,
      details: status === 400 || businessCode === "plan_changed" ? details : [businessCode],
    },
    headers,
  );
}

const MOST_RULES = 20;
const LONGEST_RULE = 200;

/** Rules name members, and the caller chose some of their names: the answer does not grow with them. */
const shortened = (rules: readonly string[]): string[] =>
  rules.slice(0, MOST_RULES).map((rule) => (rule.length > LONGEST_RULE ? `${rule.slice(0, LONGEST_RULE)}…` : rule));

/** One string for each broken rule: where it is, and what it must be; never the value. */
export function brokenRules(error: z.ZodError): string[] {
  const rules = error.issues.slice(0, MOST_RULES).map((issue) => {
    const where = issue.path.map(String).join(".");
    return where ? `${where}: ${issue.message}` : issue.message;
  });
  return shortened(rules);
}

const declared = z.object({
  type: z.string(),
  code: z.int(),
  message: z.string(),
  details: z.array(z.string()),
  businessCode: z.string().optional(),
  key: z.string().optional(),
  declinedCode: z.string().optional(),
  declined_code: z.string().optional(),
});
export const errorBody = z.object({ error: declared }).meta({ id: "Error" });
/** The extra member of a refused payment, capture or void: spec/contract.md 2.5. */
export const embeddedError = declared.meta({ id: "PaymentError" });
