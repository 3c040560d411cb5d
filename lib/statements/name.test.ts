import { expect, test } from "vitest";
import { lastMonths, monthsSince } from "@/lib/statements/months";
import { statementName } from "@/lib/statements/name";

const ID = "0192f1c4-8a10-7c3e-9b55-00000000000a";

test("a statement's file is named in its language, by its month and whose it is", () => {
  const named = (locale: "en" | "pt-BR", party: string) => statementName({ locale, month: "2026-12", party, id: ID });
  expect(named("pt-BR", "Padaria São João & Cia.")).toBe("extrato-2026-12-padaria-sao-joao-cia.pdf");
  expect(named("en", "Ana S.")).toBe("statement-2026-12-ana-s.pdf");
  expect(named("en", "株式会社")).toBe(`statement-2026-12-${ID}.pdf`);
});

test("no month is offered from before the seller began", () => {
  expect(lastMonths("2026-12-02", "2026-11-30")).toEqual(["2026-12", "2026-11"]);
  expect(lastMonths("2026-12-02", "2027-03-01")).toEqual(["2026-12"]);
  expect(lastMonths("2026-12-02")).toHaveLength(12);
});

test("nor from before the first merchant began", () => {
  const began = ["2026-12-01T02:59:00Z", "2026-12-02T12:00:00Z"].map((at) => new Date(at));
  expect(monthsSince("2026-12-02", began)).toEqual(["2026-12", "2026-11"]);
  expect(monthsSince("2026-12-02", [])).toHaveLength(12);
});
