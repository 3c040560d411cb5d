import { createFormatter, createTranslator } from "next-intl";
import { describe, expect, test, vi } from "vitest";
import type { z } from "zod";
import { withBody } from "@/app/(dashboard)/dashboard/sellers/body";
import {
  ACCOUNT_MEMBERS,
  accountFields,
  BUSINESS_MEMBERS,
  OWNER_MEMBERS,
  POLICY_MEMBERS,
  policyFields,
  TERM_MEMBERS,
} from "@/app/(dashboard)/dashboard/sellers/fields";
import { PLAN_MEMBERS, RATE_MEMBERS } from "@/app/(dashboard)/dashboard/sellers/plans/fields";
import type { TypedMember } from "@/app/(dashboard)/dashboard/sellers/typed";
import { VENDOR_MEMBERS } from "@/app/(dashboard)/dashboard/sellers/vendors/fields";
import { RequestError } from "@/lib/errors";
import { messages } from "@/lib/i18n/messages";
import { newRate, planTerms } from "@/lib/sale-plans/operator-service";
import { newSeller, sellerChange } from "@/lib/sellers/schema";
import { newVendor } from "@/lib/vendors/schema";

vi.mock("@/app/(auth)/auth", () => ({}));
vi.mock("next-intl/server", () => {
  const locale = "pt-BR" as const;
  return {
    getLocale: async () => locale,
    getFormatter: async () => createFormatter({ locale, timeZone: "America/Sao_Paulo" }),
    // Guarantee: the pages' own types hold their namespaces against the messages.
    getTranslations: async (namespace: never) => createTranslator({ locale, messages: messages[locale], namespace }),
  };
});

const SELLER = [...OWNER_MEMBERS, ...BUSINESS_MEMBERS, ...ACCOUNT_MEMBERS, ...POLICY_MEMBERS, ...TERM_MEMBERS];
const FORMS: [string, readonly TypedMember[], z.ZodType][] = [
  ["seller", [...SELLER, ["mcc", "text"]], newSeller],
  ["plan", PLAN_MEMBERS, planTerms],
  ["rate", RATE_MEMBERS, newRate],
  ["vendor", VENDOR_MEMBERS, newVendor],
];

const problemsOf = async (members: readonly TypedMember[], schema: z.ZodType, value: string) => {
  const form = new FormData();
  for (const [name] of members) form.set(name, value);
  const { problems = {} } = await withBody(form, members, schema, {}, async () => ({}));
  return problems;
};

describe.each(FORMS)("a form of a %s", (_name, members, schema) => {
  test("tells each field that lacks something what it takes", async () => {
    const problems = await problemsOf(members, schema, "¿?");
    const dull = Object.entries(problems).filter(([, said]) => /Confira|Preencha/.test(said));
    expect(Object.keys(problems).length).toBeGreaterThan(0);
    expect(dull).toEqual([]);
  });

  test("tells each text that is too long how long it may be", async () => {
    const problems = await problemsOf(members, schema, "x".repeat(3_000));
    expect(Object.values(problems).filter((said) => /Confira|Preencha/.test(said))).toEqual([]);
    if (problems.name) expect(problems.name).toMatch(/^Use no máximo \d+ caracteres\.$/);
  });
});

test("a wrong CPF, CEP, holder and day are told in the same answer as a field that is empty", async () => {
  const form = new FormData();
  const typed = {
    "owner.document.number": "111.111.111-11",
    "owner.address.zipCode": "12",
    "business.document.number": "11.222.333/0001-80",
    "business.address.zipCode": "01001-000",
    "bankAccount.holderDocument": "529.982.247-25",
    "transferPolicy.transferInterval": "weekly",
    "transferPolicy.weekday": "9",
    "bankAccount.bank": "999",
  };
  for (const [name, value] of Object.entries(typed)) form.set(name, value);
  const { problems } = await withBody(form, SELLER, newSeller, {}, async () => ({}));
  expect(problems).toMatchObject({
    "owner.name": "Preencha este campo.",
    "owner.document.number": "Informe um CPF válido, com 11 dígitos.",
    "owner.address.zipCode": "Informe um CEP com 8 dígitos, como 01001-000.",
    "business.document.number": "Informe um CNPJ válido, com 14 caracteres.",
    "bankAccount.holderDocument": "Informe o CPF ou o CNPJ do titular ou da empresa.",
    "transferPolicy.weekday": "Escolha de novo na lista.",
    "bankAccount.bank": "Escolha o banco, ou informe o código de 3 dígitos, como 341.",
  });
  expect(problems).not.toHaveProperty("business.address.zipCode");
});

test("a birth in the future, of a child or of long ago and a state that is none are refused in the form", async () => {
  const problemsWith = async (typed: Record<string, string>) => (await bodyFrom(typed)).problems ?? {};
  for (const day of ["2030-01-01", `${new Date().getFullYear() - 17}-01-01`, "1890-01-01"])
    expect(await problemsWith({ "owner.birthdate": day })).toEqual({
      "owner.birthdate": "Informe a data de nascimento de alguém com 18 a 120 anos.",
    });
  expect(await problemsWith({ "owner.birthdate": "1990-04-01" })).toEqual({});
  for (const state of ["ZZ", "São Paulo"])
    expect(await problemsWith({ "owner.address.state": state })).toEqual({
      "owner.address.state": "Informe a sigla do estado, como SP.",
    });
  expect(await problemsWith({ "owner.address.state": "df" })).toEqual({});
});

const bodyFrom = async (typed: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(typed)) form.set(name, value);
  let body: z.output<typeof sellerChange> | undefined;
  const { problems } = await withBody(form, SELLER, sellerChange, {}, async (parsed) => {
    body = parsed;
    return {};
  });
  return { body, problems };
};

test.each([
  ["(11) 99999-0000", "+5511999990000"],
  ["011 3333-0000", "+551133330000"],
  ["55 99999-0000", "+5555999990000"],
  ["55 11 99999-0000", "+5511999990000"],
  ["+351 912 345 678", "+351912345678"],
])("a phone typed as %s is kept as %s", async (typed, kept) => {
  expect((await bodyFrom({ "owner.phoneNumber": typed })).body?.owner?.phoneNumber).toBe(kept);
});

test.each(["99999-0000", "+55 11 9999", "ramal 12"])("a phone typed as %s is refused in words", async (typed) => {
  expect((await bodyFrom({ "owner.phoneNumber": typed })).problems).toEqual({
    "owner.phoneNumber":
      "Informe o telefone com DDD, como (11) 99999-0000. Fora do Brasil, comece com + e o código do país.",
  });
});

test("transfers of every bank day ask for no day; the others take the one of their kind", async () => {
  const policy = (interval: string, days: Record<string, string> = {}) =>
    bodyFrom({ "transferPolicy.transferInterval": interval, "transferPolicy.transferEnabled": "yes", ...days });
  const both = { "transferPolicy.weekday": "5", "transferPolicy.monthDay": "28" };
  for (const [interval, transferDay] of [
    ["daily", "1"],
    ["weekly", "5"],
    ["monthly", "28"],
  ] as const)
    expect((await policy(interval, both)).body?.transferPolicy).toEqual({
      transferInterval: interval,
      transferDay,
      transferEnabled: true,
    });
  expect((await policy("weekly")).problems).toHaveProperty(["transferPolicy.weekday"]);
  expect((await policy("monthly")).problems).toHaveProperty(["transferPolicy.monthDay"]);
  const fields = await policyFields({ transferInterval: "weekly", transferDay: "3", transferEnabled: true });
  const day = fields.find(({ name }) => name === "transferPolicy.weekday");
  expect([day?.initial, day?.options?.map(({ label }) => label)]).toEqual([
    "3",
    ["segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira"],
  ]);
});

test("a bank is offered by its name; a code that none can have is refused, and one that is newer than our list is not", async () => {
  const bank = (await accountFields()).find(({ name }) => name === "bankAccount.bank");
  expect(bank?.suggestions).toContainEqual({ value: "341", label: "Itaú" });
  const problemsWith = async (code: string) => (await bodyFrom({ "bankAccount.bank": code })).problems ?? {};
  for (const code of ["000", "999", "34"]) expect(await problemsWith(code)).toHaveProperty(["bankAccount.bank"]);
  for (const code of ["341", "888"]) expect(await problemsWith(code)).not.toHaveProperty(["bankAccount.bank"]);
});

test("a state and a capital that were left empty are those of the CEP; what was typed stays", async () => {
  const address = async (typed: Record<string, string>) => (await bodyFrom(typed)).body?.owner?.address;
  const zip = { "owner.address.zipCode": "30130-010" };
  expect(await address(zip)).toMatchObject({ state: "MG", city: "Belo Horizonte" });
  expect(await address({ ...zip, "owner.address.city": "Contagem" })).toMatchObject({ state: "MG", city: "Contagem" });
});

test("an amount or a percentage that can be read in two ways is refused, and zero is one", async () => {
  const unread = "Digite o valor com dois dígitos depois da vírgula, como 40,00 ou 1.234,00.";
  expect(await problemsOf([["withdrawalFee", "cents"]], planTerms, "12,345")).toEqual({ withdrawalFee: unread });
  expect(await problemsOf([["withdrawalFee", "cents"]], planTerms, "0,00")).toEqual({});
  expect(await problemsOf([["percentage", "percent"]], newRate.pick({ percentage: true }), "2,999")).toEqual({
    percentage: "Informe um percentual de 0 a 100, com até duas casas decimais, como 2,99.",
  });
});

test("an amount beyond the most, and what a service refuses, are told in the same way", async () => {
  expect(await problemsOf([["withdrawalFee", "cents"]], planTerms, "200.000,00")).toEqual({
    withdrawalFee: "Informe um valor de até R$\u00a0100.000,00.",
  });
  const form = new FormData();
  form.set("identityType", "CPF");
  const { problems } = await withBody(form, VENDOR_MEMBERS, newVendor.optional().catch(undefined), {}, async () => {
    throw new RequestError(400, "bad_request", "bad request", { details: ["identity: is not a valid CPF"] });
  });
  expect(problems).toEqual({ identity: "Informe um CPF válido, com 11 dígitos." });
});
