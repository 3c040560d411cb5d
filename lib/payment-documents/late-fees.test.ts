import { expect, test } from "vitest";
import { lateFeeLines, lateFeesOf } from "@/lib/payment-documents/late-fees";

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

test("what is not set, or is nothing, is not told", () => {
  for (const given of [{}, { fine: null }, { fine: { days: 1, amount: 0 }, interest: "2%" }]) {
    expect(lateFeeLines(lateFeesOf(given), "en")).toEqual([]);
  }
});
