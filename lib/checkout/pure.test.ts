import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evenAmounts, partChoices } from "@/lib/checkout/instalments";
import { paymentIdOf, paymentTokenOf } from "@/lib/checkout/payment-token";
import { continueUrlOf } from "@/lib/checkout/payment-view";
import { newVisit, readAttempt, signAttempt } from "@/lib/checkout/visit";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";

describe("tokens of payments", () => {
  test("name one payment, in 22 characters that say nothing of it", () => {
    const id = newId();
    const token = paymentTokenOf(id);
    expect(token).toMatch(/^[\w-]{22}$/);
    expect(paymentIdOf(token)).toBe(id);
    expect(Buffer.from(token, "base64url").toString("hex")).not.toContain(id.slice(0, 8));
  });

  test("what is no token is nobody's", () => {
    expect(
      ["", "x".repeat(22), "../../etc/passwd", `${paymentTokenOf(newId())}a`].map(paymentIdOf).filter(isReal),
    ).toEqual([]);
  });
});

/** A wild token opens to some identifier, which no payment has. */
const isReal = (id: string | undefined): boolean => id !== undefined && /^0/.test(id);

describe("the way to a wallet", () => {
  const leadsTo = (paymentUrl: string) => continueUrlOf({ row: { paymentMethod: { paymentUrl } } as never });

  test("is an address over https, or our own simulator's; nothing else is a link", () => {
    expect(leadsTo("https://pay.example/checkout/1")).toBe("https://pay.example/checkout/1");
    expect(leadsTo(`${env().BASE_URL}/sandbox/wallets/1`)).toBe(`${env().BASE_URL}/sandbox/wallets/1`);
    for (const url of ["http://pay.example/1", "javascript:alert(1)", "data:text/html,x", "//pay.example", ""])
      expect(leadsTo(url)).toBeNull();
  });
});

describe("attempt keys", () => {
  test("belong to one session and one visit, and cannot be changed", () => {
    const attempt = { key: newId(), visit: newVisit() };
    const session = newId();
    const signed = signAttempt(session, attempt);
    expect(readAttempt(session, signed)).toEqual(attempt);
    expect(readAttempt(newId(), signed)).toBeUndefined();
    const [, visit, signature] = signed.split(".");
    expect(readAttempt(session, `${newId()}.${visit}.${signature}`)).toBeUndefined();
    expect(readAttempt(session, signed.replace(attempt.visit, newVisit()))).toBeUndefined();
    expect(readAttempt(session, "")).toBeUndefined();
  });
});

describe("parts", () => {
  test("add up to the cent, the first never less than another", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 24 }), (total, most) => {
        for (const { count, first, others } of partChoices(total, most)) {
          expect(first + others * (count - 1)).toBe(total);
          expect(first).toBeGreaterThanOrEqual(others);
        }
      }),
    );
  });

  test("stop where a part would fall below the shop's minimum", () => {
    expect(partChoices(10_000, 12, 2_500).map(({ count }) => count)).toEqual([1, 2, 3, 4]);
    expect(partChoices(10_000, 3)[2]).toEqual({ count: 3, first: 3_334, others: 3_333, total: 10_000 });
  });

  test("two and three cards begin with equal amounts that add up", () => {
    expect(evenAmounts(10_001, 2)).toEqual([5_001, 5_000]);
    expect(evenAmounts(10_000, 3)).toEqual([3_334, 3_333, 3_333]);
  });
});
