import { describe, expect, test } from "vitest";
import { BRANDS } from "@/lib/brazil/card-brand";
import { canRetry, type DeclinedAttempt, type RetryCandidate } from "@/lib/declines/can-retry";

const NOW = new Date("2026-11-20T12:00:00Z");
const ago = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000);
const inHours = (hours: number): Date => ago(-hours);
const DAY = 24;

const attempt = (hoursAgo: number, change: Partial<DeclinedAttempt> = {}): DeclinedAttempt => ({
  at: ago(hoursAgo),
  retry: "later",
  series: "this",
  amount: 10_000,
  code: "51",
  ...change,
});
const candidate = (change: Partial<RetryCandidate> = {}): RetryCandidate => ({
  brand: "visa",
  series: "this",
  amount: 10_000,
  ...change,
});
const many = (count: number, everyHours: number, change: Partial<DeclinedAttempt> = {}) =>
  Array.from({ length: count }, (_, i) => attempt(1 + i * everyHours, change));
const NO_CEILING: [] = [];

describe("canRetry", () => {
  test("allows a first attempt and a retry of a reversible decline, for every brand", () => {
    for (const brand of BRANDS) {
      expect(canRetry([], candidate({ brand }), NOW)).toEqual({ allowed: true });
      expect(canRetry([attempt(1)], candidate({ brand }), NOW)).toEqual({ allowed: true });
    }
  });

  test("never retries an irreversible decline of the same payment, but lets another payment be made", () => {
    const history = [attempt(1), attempt(500, { retry: "never", code: "13" })];
    expect(canRetry(history, candidate(), NOW)).toEqual({ allowed: false, reason: "irreversible" });
    expect(canRetry(history, candidate({ series: "other" }), NOW)).toEqual({ allowed: true });
  });

  test("asks for corrected data once it was the answer", () => {
    const history = [attempt(1, { retry: "changed_data", code: "55" })];
    expect(canRetry(history, candidate(), NOW)).toEqual({ allowed: false, reason: "data_not_corrected" });
    expect(canRetry(history, candidate({ dataCorrected: true }), NOW)).toEqual({ allowed: true });
  });

  test("gives the issuer its immediate retry, once", () => {
    const asked = { retry: "now", code: "04" } as const;
    const elo = candidate({ brand: "elo" });
    expect(canRetry([attempt(0, asked)], elo, NOW)).toEqual({ allowed: true });
    expect(canRetry([attempt(0, asked), attempt(0.1, asked)], elo, NOW)).toEqual({
      allowed: false,
      reason: "immediate_retry_used",
      notBefore: inHours(DAY),
    });
    expect(canRetry([attempt(DAY, asked), attempt(DAY + 1, asked)], elo, NOW)).toEqual({ allowed: true });
  });

  test("waits as long as the network asked", () => {
    const history = [attempt(2, { notBeforeSeconds: 72 * 3600, mac: "02" }), attempt(1)];
    const mastercard = candidate({ brand: "mastercard" });
    expect(canRetry(history, mastercard, NOW)).toEqual({
      allowed: false,
      reason: "network_wait",
      notBefore: inHours(70),
    });
    expect(canRetry(history, mastercard, inHours(70))).toEqual({ allowed: true });
  });

  test("Visa category 1 closes the card at this merchant for 30 days, whatever is paid", () => {
    for (const code of ["04", "07", "12", "14", "15", "41", "43", "46", "57", "R0", "r1", "R3"]) {
      const history = [attempt(DAY, { retry: "never", code, series: "other" })];
      expect(canRetry(history, candidate(), NOW)).toEqual({
        allowed: false,
        reason: "visa_category_1",
        notBefore: inHours(29 * DAY),
      });
      expect(canRetry(history, candidate({ brand: "elo" }), NOW)).toEqual({ allowed: true });
      expect(canRetry(history, candidate(), inHours(29 * DAY))).toEqual({ allowed: true });
    }
    const outside = [attempt(DAY, { retry: "never", code: "13", series: "other" })];
    expect(canRetry(outside, candidate(), NOW)).toEqual({ allowed: true });
  });

  test("Visa: nothing after day 30 of the same payment", () => {
    expect(canRetry([attempt(30 * DAY)], candidate(), NOW)).toEqual({ allowed: false, reason: "visa_30_days_over" });
    expect(canRetry([attempt(30 * DAY - 1)], candidate(), NOW)).toEqual({ allowed: true });
    expect(canRetry([attempt(30 * DAY)], candidate({ brand: "elo" }), NOW)).toEqual({ allowed: true });
  });

  test("Mastercard advice 03 and 21 close the card at this merchant for 30 days", () => {
    for (const mac of ["03", "21"]) {
      const history = [attempt(DAY, { retry: "never", mac, series: "other" })];
      expect(canRetry(history, candidate({ brand: "mastercard" }), NOW)).toEqual({
        allowed: false,
        reason: "mastercard_stop_order",
        notBefore: inHours(29 * DAY),
      });
    }
  });

  test("our ceiling: four in 24 hours over all payments of the card, the fifth when the first is a day old", () => {
    const mixed = [attempt(20, { series: "a" }), attempt(10, { series: "b" }), attempt(5), attempt(1, { series: "c" })];
    expect(canRetry(mixed.slice(1), candidate(), NOW)).toEqual({ allowed: true });
    expect(canRetry(mixed, candidate(), NOW)).toEqual({ allowed: false, reason: "own_ceiling", notBefore: inHours(4) });
    expect(canRetry(mixed, candidate(), inHours(4))).toEqual({ allowed: true });
  });

  test("our ceiling: ten in 30 days", () => {
    const daily = many(10, 2 * DAY);
    expect(canRetry(daily.slice(0, 9), candidate({ brand: "jcb" }), NOW)).toEqual({ allowed: true });
    expect(canRetry(daily, candidate({ brand: "jcb" }), NOW)).toEqual({
      allowed: false,
      reason: "own_ceiling",
      notBefore: inHours(30 * DAY - 1 - 18 * DAY),
    });
  });

  test.each([
    ["visa", 20, 30],
    ["elo", 16, 30],
    ["mastercard", 35, 20],
  ] as const)("%s refuses after %i attempts in 30 days", (brand, limit, everyHours) => {
    const history = many(limit, everyHours);
    const decide = (list: DeclinedAttempt[]) => canRetry(list, candidate({ brand }), NOW, NO_CEILING);
    expect(decide(history.slice(1))).toEqual({ allowed: true });
    expect(decide(history)).toEqual({
      allowed: false,
      reason: "network_limit",
      notBefore: inHours(30 * DAY - 1 - (limit - 1) * everyHours),
    });
  });

  test("Mastercard refuses after seven in 24 hours; Elo counts the same amount only", () => {
    const hourly = many(7, 1);
    expect(canRetry(hourly, candidate({ brand: "mastercard" }), NOW, NO_CEILING)).toEqual({
      allowed: false,
      reason: "network_limit",
      notBefore: inHours(17),
    });
    const otherAmount = many(16, 30, { amount: 1 });
    expect(canRetry(otherAmount, candidate({ brand: "elo" }), NOW, NO_CEILING)).toEqual({ allowed: true });
  });

  test("does not depend on the order of the history and leaves it as it was", () => {
    const history = Object.freeze([attempt(5), attempt(20), attempt(1), attempt(10)]);
    const decision = canRetry(history, candidate(), NOW);
    expect(canRetry([...history].reverse(), candidate(), NOW)).toEqual(decision);
    expect(decision).toEqual({ allowed: false, reason: "own_ceiling", notBefore: inHours(4) });
  });
});
