import { expect, test } from "vitest";
import { REPORT_TYPES } from "@/db/schema/reports";
import { downloadName } from "@/lib/reports/download-name";

const row = {
  type: "transactions",
  language: "pt",
  timezone: "America/Sao_Paulo",
  filters: {},
  createdAt: new Date("2026-12-01T01:30:00Z"),
} as const;

test("a downloaded file is named by its kind, its days and its zone", () => {
  const asked = { transactionCreatedAt: { gte: "2026-11-01T03:00:00.000Z", lte: "2026-12-01T02:59:59.999Z" } };
  expect(downloadName({ ...row, filters: asked }, 1, "csv")).toBe("pagamentos-2026-11-01-2026-11-30-sao-paulo-1.csv");
  const days = { createdAt: { gte: "2026-11-01" } };
  expect(downloadName({ ...row, type: "disputes", language: "en", filters: days }, 2, "xlsx")).toBe(
    "disputes-2026-11-01-sao-paulo-2.xlsx",
  );
  expect(downloadName(row, undefined, "zip")).toBe("pagamentos-2026-11-30-sao-paulo.zip");
});

test("the name of every kind is fit for a folder and for a header", () => {
  for (const type of REPORT_TYPES)
    for (const language of ["en", "pt"] as const)
      expect(downloadName({ ...row, type, language }, 1, "csv")).toMatch(/^[a-z][a-z-]+-2026-11-30-sao-paulo-1\.csv$/);
});
