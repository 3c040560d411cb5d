import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BUSINESS_CODES, type BusinessCode, CardRefused, DomainError, invalid, notFound } from "@/lib/errors";
import { unauthorized } from "@/lib/http/authenticate";
import { errorAnswer, errorBody } from "@/lib/http/errors";
import { tooMany } from "@/lib/http/rate-limit";

const codes = Object.keys(BUSINESS_CODES) as BusinessCode[];

/** Codes that only the envelope of purchases carries: there the type follows from the status alone. */
const OF_PURCHASES: ReadonlySet<BusinessCode> = new Set([
  "invalid_request",
  "pan_not_allowed",
  "invalid_payments_count",
  "payments_amount_mismatch",
  "payment_amount_below_minimum",
  "currency_not_brl",
  "payment_source_required",
  "purchase_not_found",
  "purchase_invalid_state",
  "purchase_intent_mismatch",
]);

describe("outside purchases", () => {
  it.each(codes)("%s has the status and type of its table, and its envelope", (code) => {
    const { status, body, isBug } = errorAnswer(new DomainError(code, "no"), "standard");
    expect(errorBody.parse(body)).toEqual(body);
    expect(body.error).toEqual({
      type: BUSINESS_CODES[code].type,
      code: BUSINESS_CODES[code].status,
      businessCode: code,
      message: "no",
      details: [],
    });
    expect([status, isBug]).toEqual([BUSINESS_CODES[code].status, false]);
  });

  it("types follow the statuses", () => {
    for (const code of codes.filter((candidate) => !OF_PURCHASES.has(candidate))) {
      const { status, type } = BUSINESS_CODES[code];
      if (status === 409) expect(type).toBe("invalid_request_error");
      if (status === 424) expect(type).toBe("failed_dependency");
      if (status === 400) expect(type).toBe("invalid_request_error");
    }
  });

  it("a refused card carries both spellings of its code", () => {
    expect(errorAnswer(new CardRefused("invalid_number", "no such card"), "standard").body.error).toEqual({
      type: "card_declined",
      code: 400,
      declinedCode: "invalid_number",
      declined_code: "invalid_number",
      message: "no such card",
      details: ["no such card"],
    });
  });

  it("a bug says nothing about itself", () => {
    for (const thrown of [new Error("password is hunter2"), "text", undefined, null, { status: 200 }]) {
      const { status, body, isBug } = errorAnswer(thrown, "standard");
      expect({ status, body, isBug }).toEqual({
        status: 500,
        body: { error: { type: "api_error", code: 500, message: "unexpected error", details: [] } },
        isBug: true,
      });
    }
  });

  it("names at most twenty broken rules, where they are, never the value", () => {
    const schema = z.array(z.object({ amount: z.int() }));
    const parsed = schema.safeParse(Array.from({ length: 50 }, () => ({ amount: "secret-value" })));
    const { body } = errorAnswer(parsed.error, "standard");
    expect(body.error.details).toHaveLength(20);
    expect(JSON.stringify(body)).not.toContain("secret-value");
    expect(JSON.stringify(body)).toContain("3.amount: ");
  });

  it("Retry-After is a whole number of seconds, at least one", () => {
    for (const [seconds, header] of [
      [0.01, "1"],
      [1.2, "2"],
      [10, "10"],
    ] as const) {
      expect(errorAnswer(tooMany(seconds), "standard").headers).toEqual({ "retry-after": header });
    }
  });
});

describe("purchases", () => {
  const answer = (thrown: unknown) => errorAnswer(thrown, "purchases").body.error;

  it("401, 413, 429 and 500 have no businessCode and no details", () => {
    expect(answer(unauthorized())).toEqual({ type: "unauthorized", code: 401, message: "unauthorized", details: [] });
    expect(answer(tooMany(1))).toEqual({ type: "unavailable", code: 429, message: "too many requests", details: [] });
    expect(answer(new Error("x"))).toEqual({ type: "api_error", code: 500, message: "unexpected error", details: [] });
  });

  it("malformed input is invalid_request, an unknown purchase purchase_not_found", () => {
    expect(answer(invalid("amount: too small"))).toEqual({
      type: "bad_request",
      code: 400,
      businessCode: "invalid_request",
      message: "invalid request",
      details: ["amount: too small"],
    });
    expect(answer(notFound("purchase"))).toMatchObject({
      type: "not_found",
      code: 404,
      businessCode: "purchase_not_found",
    });
  });

  it("a reused key is a conflict", () => {
    expect(answer(new DomainError("idempotency_key_payload_mismatch", "no"))).toMatchObject({
      type: "conflict",
      code: 409,
      businessCode: "idempotency_key_payload_mismatch",
    });
  });
});
