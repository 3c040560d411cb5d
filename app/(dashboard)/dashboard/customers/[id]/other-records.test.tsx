import { createFormatter, createTranslator } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { OtherRecords, PersonLine } from "@/app/(dashboard)/dashboard/customers/[id]/other-records";
import { messages } from "@/lib/i18n/messages";

vi.mock("next-intl/server", () => ({
  getLocale: async () => "pt-BR",
  getFormatter: async () => createFormatter({ locale: "pt-BR", timeZone: "America/Sao_Paulo" }),
  // Guarantee: the component's own types hold its namespace against the messages.
  getTranslations: async (namespace: never) =>
    createTranslator({ locale: "pt-BR", messages: messages["pt-BR"], namespace }),
}));

const ANA = { id: "1", name: "Ana Souza", email: "ana@example.com", document: "52998224725", isMasked: false };
const UNDER = { cards: 0, payments: 1, total: 10_500, isMore: false, createdAt: new Date("2027-01-31T12:00:00Z") };
const shown = async (element: Promise<ReactNode>) => renderToStaticMarkup(await element).replaceAll("\u00a0", " ");

test("what a person paid under all their records stands beside what they paid under one, as the list has it", async () => {
  const person = { cards: 3, payments: 14, total: 234_258, isMore: false, records: 19 };
  expect(await shown(PersonLine({ person }))).toBe(
    "No total, com os 19 cadastros deste documento: 14 pagamentos, R$ 2.342,58, 3 cartões.",
  );
  expect(await shown(PersonLine({ person: { ...person, records: 1 } }))).toBe("");
  expect(await shown(PersonLine({ person: { ...person, isMore: true } }))).toMatch(/mais de 1\.000 pagamentos/);
});

test("other records are told apart by when they began and what is under each, and all of them can be seen", async () => {
  const others = [
    { ...UNDER, buyer: { ...ANA, id: "2" } },
    { ...UNDER, payments: 0, cards: 2, buyer: { ...ANA, id: "3", name: "Ana S. Souza", email: "outra@example.com" } },
  ];
  const html = (count: number) => shown(OtherRecords({ buyer: ANA, others, count, allHref: "/all" }));
  const text = await html(18);
  expect(text).toContain("Desde 31 de jan. de 2027, 09:00");
  expect(text).toContain("1 pagamento, R$ 105,00 · nenhum cartão");
  expect(text).toContain("Nenhum pagamento · 2 cartões");
  expect(text.match(/Ana/g)).toHaveLength(1);
  expect(text).toContain("outra@example.com");
  expect(text).toMatch(/href="\/all"[^>]*>.*Ver todos \(18\)/);
  expect(await html(2)).not.toContain("Ver todos");
});
