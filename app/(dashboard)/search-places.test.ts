import { createTranslator } from "next-intl";
import { describe, expect, test, vi } from "vitest";
import { searchPlaces } from "@/app/(dashboard)/search-places";
import { placesMeant } from "@/components/search/places";
import { messages } from "@/lib/i18n/messages";

const request = vi.hoisted(() => ({ locale: "en" as "en" | "pt-BR" }));
vi.mock("next-intl/server", () => ({
  getTranslations: async (namespace: never) =>
    createTranslator({ locale: request.locale, messages: messages[request.locale], namespace }),
}));

const PAYMENT = "/dashboard/payments/0192f1c0-1111-7aaa-8bbb-000000000001";
const REFUNDED = "/dashboard/payments?status=refunded";

async function foundBy(locale: typeof request.locale, typed: string, path = "/dashboard"): Promise<string[]> {
  request.locale = locale;
  const places = await searchPlaces({ role: "owner", mode: "sandbox" });
  return placesMeant(places, typed, path).map(({ href }) => href);
}

describe.each([
  ["pt-BR", ["reembolso", "reembolsos", "reembolsar", "estorno", "estornar", "devolver", "devolução", "refund"]],
  ["en", ["refund", "refunds", "return", "give back", "reimburse"]],
] as const)("in %s", (locale, words) => {
  test.each(words)(
    "%s refunds the payment that is looked at, and leads to those refunded from anywhere",
    async (typed) => {
      const [first, ...others] = await foundBy(locale, typed, PAYMENT);
      expect(first).toBe(`${PAYMENT}?do=refund`);
      expect(others).toContain(REFUNDED);
      expect(await foundBy(locale, typed)).toEqual(
        expect.arrayContaining([REFUNDED, "/dashboard/payments?status=authorized"]),
      );
    },
  );
});

const LINK = "/dashboard/links/new";
const KEY = "/dashboard/developers/keys?do=create";
const KEYS = "/dashboard/developers/keys";
const PREPAYMENT = "/dashboard/payouts/prepayments/new";
const TEAM = "/dashboard/settings/team";
const INVITE = "/dashboard/settings/team?do=invite";
const SECURITY = "/dashboard/settings/security";
const SANDBOX = "/dashboard/developers/sandbox";

test.each<["en" | "pt-BR", string, string[]]>([
  ["pt-BR", "link", [LINK, "/dashboard/links"]],
  ["pt-BR", "cobrança", [LINK, "/dashboard/payments", "/dashboard/links"]],
  ["pt-BR", "cobrar", [LINK, "/dashboard/links"]],
  ["pt-BR", "saque", ["/dashboard/payouts"]],
  ["pt-BR", "repasse", ["/dashboard/payouts"]],
  ["pt-BR", "antecipar", [PREPAYMENT]],
  ["pt-BR", "antecipação", [PREPAYMENT]],
  ["pt-BR", "chave", [KEY, KEYS]],
  ["pt-BR", "senha", [SECURITY]],
  ["pt-BR", "equipe", [INVITE, TEAM]],
  ["pt-BR", "usuário", [INVITE, TEAM]],
  ["pt-BR", "usuarios", [INVITE, TEAM]],
  ["pt-BR", "webhook", ["/dashboard/developers/webhooks?do=create", "/dashboard/developers/webhooks"]],
  ["pt-BR", "relógio", [SANDBOX]],
  ["pt-BR", "assinatura", ["/dashboard/subscriptions"]],
  ["pt-BR", "recorrência", ["/dashboard/subscriptions"]],
  ["pt-BR", "vendedor", ["/dashboard/sellers/new", "/dashboard/sellers"]],
  ["pt-BR", "recebedor", ["/dashboard/sellers/new", "/dashboard/sellers"]],
  ["pt-BR", "chargeback", ["/dashboard/disputes"]],
  ["pt-BR", "conciliação", ["/dashboard/finance"]],
  ["pt-BR", "comprador", ["/dashboard/customers"]],
  ["pt-BR", "adquirente", ["/dashboard/merchants"]],
  ["pt-BR", "planilha", ["/dashboard/reports/new"]],
  ["pt-BR", "sair", ["#signOut"]],
  ["pt-BR", "encerrar sessão", ["#signOut"]],
  ["pt-BR", "tema", ["#theme", "/dashboard/settings/brand"]],
  ["pt-BR", "modo escuro", ["#theme"]],
  ["pt-BR", "idioma", ["#language", "/dashboard/settings/profile"]],
  ["pt-BR", "inglês", ["#language"]],
  ["en", "link", [LINK, "/dashboard/links"]],
  ["en", "invoice", [LINK, "/dashboard/links"]],
  ["en", "charge", [LINK, "/dashboard/payments"]],
  ["en", "withdraw", ["/dashboard/payouts"]],
  ["en", "transfer", ["/dashboard/payouts"]],
  ["en", "settlement", ["/dashboard/payouts"]],
  ["en", "anticipate", [PREPAYMENT]],
  ["en", "key", [KEY, KEYS]],
  ["en", "password", [SECURITY]],
  ["en", "2FA", [SECURITY]],
  ["en", "team", [INVITE, TEAM]],
  ["en", "users", [INVITE, TEAM]],
  ["en", "webhook", ["/dashboard/developers/webhooks?do=create", "/dashboard/developers/webhooks"]],
  ["en", "clock", [SANDBOX]],
  ["en", "recurring", ["/dashboard/subscriptions"]],
  ["en", "vendor", ["/dashboard/sellers/new", "/dashboard/sellers"]],
  ["en", "recipient", ["/dashboard/sellers/new", "/dashboard/sellers"]],
  ["en", "chargeback", ["/dashboard/disputes"]],
  ["en", "reconciliation", ["/dashboard/finance"]],
  ["en", "buyer", ["/dashboard/customers"]],
  ["en", "acquirer", ["/dashboard/merchants"]],
  ["en", "sign out", ["#signOut"]],
  ["en", "log out", ["#signOut"]],
  ["en", "theme", ["#theme", "/dashboard/settings/brand"]],
  ["en", "dark mode", ["#theme"]],
  ["en", "language", ["#language", "/dashboard/settings/profile"]],
])("in %s, %s leads where people mean it to", async (locale, typed, wanted) => {
  expect(await foundBy(locale, typed)).toEqual(expect.arrayContaining(wanted));
});
