import { expect, test } from "vitest";
import { lateFeeLines, lateFeesOf, lateFeesPaid, owedAt, owedOn } from "@/lib/payment-documents/late-fees";

const spaced = (lines: string[]) => lines.map((line) => line.replaceAll("\u00a0", " "));

test("fine and interest are told by the day and by the month, in cents and in per cent", () => {
  const inCents = lateFeesOf({ fine: { days: 0, amount: 200 }, interest: { days: 1, amount: 33 } });
  expect(spaced(lateFeeLines(inCents, "pt-BR"))).toEqual([
    "Multa de R$ 2,00 a partir do dia seguinte ao vencimento.",
    "Juros de R$ 0,33 por dia de atraso, a partir do dia seguinte ao vencimento.",
  ]);
  const inPercent = lateFeesOf({ fine: { days: 5, percentage: 2 }, interest: { days: 0, percentage: 0.033 } });
  expect(spaced(lateFeeLines(inPercent, "en"))).toEqual([
    "Fine of 2% from 5 days after the due date.",
    "Interest of 0.033% a month, from the day after the due date.",
  ]);
});

test("with what is owed late stands the last day on which it can be paid", () => {
  const fees = lateFeesOf({ fine: { days: 1, percentage: 2 } });
  expect(lateFeeLines(fees, "en", "2026-12-01").at(-1)).toBe("After the due date it can be paid until Dec 1, 2026.");
  expect(lateFeeLines(fees, "pt-BR", "2026-12-01").at(-1)).toBe(
    "Depois do vencimento, pode ser pago até 1 de dez. de 2026.",
  );
  expect(lateFeeLines(lateFeesOf({}), "en", "2026-12-01")).toEqual([]);
});

test("what is not set, or is nothing, is not told", () => {
  for (const given of [{}, { fine: null }, { fine: { days: 1, amount: 0 }, interest: "2%" }]) {
    expect(lateFeeLines(lateFeesOf(given), "en")).toEqual([]);
  }
});

const FEES = lateFeesOf({ fine: { days: 1, percentage: 2 }, interest: { days: 1, percentage: 1 } });
const IN_CENTS = lateFeesOf({ fine: { days: 3, amount: 500 }, interest: { days: 5, amount: 33 } });

test.each([
  // Due on a Friday.
  ["2026-11-27", "2026-11-27", FEES, 10_000],
  ["2026-11-27", "2026-11-28", FEES, 10_000 + 200 + 3],
  ["2026-11-27", "2026-11-30", FEES, 10_000 + 200 + 10],
  ["2026-11-27", "2026-12-27", FEES, 10_000 + 200 + 100],
  // Due on a Saturday: on the next bank day it is paid as it stands, after that from its own day.
  ["2026-11-28", "2026-11-30", FEES, 10_000],
  ["2026-11-28", "2026-12-01", FEES, 10_000 + 200 + 10],
  ["2026-11-27", "2026-11-29", IN_CENTS, 10_000],
  ["2026-11-27", "2026-11-30", IN_CENTS, 10_000 + 500],
  ["2026-11-27", "2026-12-03", IN_CENTS, 10_000 + 500 + 2 * 33],
  ["2026-11-27", "2026-12-27", lateFeesOf({}), 10_000],
] as const)("of 100.00 due on %s is owed on %s what was agreed", (dueOn, day, fees, owed) => {
  expect(owedOn(10_000, fees, dueOn, day)).toBe(owed);
});

test("what is paid, closed or no boleto owes nothing more", () => {
  const row = {
    paymentType: "boleto",
    status: "pending" as const,
    amount: 10_000,
    paymentMethod: { expiresDate: "2026-11-27", fine: { days: 1, percentage: 2 } },
    createdAt: new Date("2026-11-20T12:00:00Z"),
  };
  const at = new Date("2026-11-30T12:00:00Z");
  expect(owedAt(row, at)).toBe(10_200);
  expect(owedAt(row, row.createdAt)).toBeUndefined();
  for (const other of [{ status: "authorized" as const }, { status: "canceled" as const }, { paymentType: "pix" }])
    expect(owedAt({ ...row, ...other }, at)).toBeUndefined();
});

test.each([
  // Due on a Friday: paid on the Saturday, and on the Monday that it is confirmed.
  [10_000 + 200 + 3, "2026-11-30", 203],
  [10_000 + 200 + 10, "2026-11-30", 210],
  // What no day up to its confirmation comes to.
  [10_000 + 200 + 13, "2026-11-30", 0],
  [10_000 + 200 + 9, "2026-11-30", 0],
  [10_000, "2026-11-30", 0],
  [9_000, "2026-11-30", 0],
  [10_000 + 200 + 3, "2026-11-27", 0],
] as const)("of %i paid by %s, %i are fine and interest", (capturedAmount, confirmedOn, fees) => {
  const row = {
    paymentType: "boleto",
    status: "authorized",
    amount: capturedAmount,
    originalAmount: 10_000,
    capturedAmount,
    capturedAt: new Date(`${confirmedOn}T15:00:00Z`),
    createdAt: new Date("2026-11-20T15:00:00Z"),
    paymentMethod: {
      expiresDate: "2026-11-27",
      fine: { days: 1, percentage: 2 },
      interest: { days: 1, percentage: 1 },
    },
  };
  expect(lateFeesPaid(row)).toBe(fees);
  expect(lateFeesPaid({ ...row, paymentType: "pix" })).toBe(0);
});
