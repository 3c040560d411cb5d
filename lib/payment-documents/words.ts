import type { Locale } from "@/lib/i18n/locales";

export const moneyText = (locale: Locale, cents: number, currency = "BRL"): string =>
  new Intl.NumberFormat(locale, { style: "currency", currency }).format(cents / 100);

/** A day on the slip, whose fields have room for digits alone, as every bank prints them. */
export const slipDay = (day: string): string => day.split("-").reverse().join("/");

/** The slip itself is a Brazilian form: its labels stay Portuguese, only what explains it is translated. */
export const SLIP = {
  bankOfTests: "BANCO DE TESTES",
  whereToPay: "Local de pagamento",
  anywhere: "Pagável em qualquer banco, lotérica ou aplicativo, até o vencimento",
  dueOn: "Vencimento",
  beneficiary: "Beneficiário",
  agency: "Agência / Código do beneficiário",
  issuedOn: "Data do documento",
  number: "Nº do documento",
  kind: "Espécie doc.",
  accepted: "Aceite",
  processedOn: "Data do processamento",
  ourNumber: "Nosso número",
  bankUse: "Uso do banco",
  wallet: "Carteira",
  currency: "Espécie",
  quantity: "Quantidade",
  value: "Valor",
  amount: "(=) Valor do documento",
  instructions: "Instruções (texto de responsabilidade do beneficiário)",
  discount: "(-) Desconto / Abatimento",
  otherDeductions: "(-) Outras deduções",
  fine: "(+) Mora / Multa",
  otherAdditions: "(+) Outros acréscimos",
  charged: "(=) Valor cobrado",
  payer: "Pagador",
  stub: "Recibo do pagador",
  compensation: "Autenticação mecânica - Ficha de compensação",
  notPayable: "SIMULAÇÃO: este boleto não pode ser pago",
} as const;

export const GUIDE: Readonly<
  Record<
    Locale,
    {
      title: string;
      lead(amount: string, day: string): string;
      steps: readonly string[];
      /** Under the QR code of a boleto that Pix pays too. */
      pix: string;
      items: string;
      more(count: number): string;
      simulated: string;
    }
  >
> = {
  "pt-BR": {
    title: "Boleto",
    lead: (amount, day) => `${amount} com vencimento em ${day}`,
    steps: [
      "Copie a linha digitável ou leia o código de barras no aplicativo do seu banco, ou pague em uma lotérica.",
      "Se o vencimento cair em dia sem expediente bancário, o boleto pode ser pago no dia útil seguinte.",
      "A confirmação chega à loja no dia útil depois do pagamento.",
    ],
    pix: "Ou pague com Pix",
    items: "Itens",
    more: (count) => (count === 1 ? "e mais 1 item" : `e mais ${count} itens`),
    simulated: "Simulação: não pode ser pago.",
  },
  en: {
    title: "Boleto (Brazilian bank slip)",
    lead: (amount, day) => `${amount} due on ${day}`,
    steps: [
      "Copy the digits or scan the barcode in your bank's app, or pay at a lottery outlet.",
      "If the due date is not a banking day, the slip can be paid on the next one.",
      "The shop gets the confirmation on the banking day after the payment.",
    ],
    pix: "Or pay with Pix",
    items: "Items",
    more: (count) => (count === 1 ? "and 1 more item" : `and ${count} more items`),
    simulated: "Simulation: it cannot be paid.",
  },
};
