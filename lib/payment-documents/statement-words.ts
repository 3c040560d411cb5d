import type { Locale } from "@/lib/i18n/locales";

interface StatementWords {
  title(month: string): string;
  settled: string;
  expected: string;
  day: string;
  sales: string;
  fees: string;
  early: string;
  refunds: string;
  chargebacks: string;
  net: string;
  total: string;
  payouts: string;
  noPayouts: string;
  paid: string;
  pending: string;
  carried: string;
  /** What moved without a sale. */
  others: string;
  otherTypes: Record<
    | "transfer_fee"
    | "transfer_fee_returned"
    | "returned"
    | "credit"
    | "correction"
    | "write_off"
    | "seller_credit"
    | "seller_correction",
    string
  >;
  moreOthers(shown: number, count: number): string;
  balance: string;
  rows: string;
  more(shown: number, count: number): string;
  morePlain(shown: number, count: number): string;
  morePayouts(shown: number, count: number): string;
  types: Record<"credit" | "refund" | "refund_reversal" | "chargeback" | "chargeback_refund", string>;
  installment(number: number, count: number): string;
  issued(at: string): string;
  /** Where entries lead to pages, and where they do not. */
  how: string;
  howPlain: string;
  none: string;
  page(number: number): string;
}

export const STATEMENT: Readonly<Record<Locale, StatementWords>> = {
  "pt-BR": {
    title: (month) => `Extrato de ${month}`,
    settled: "Liquidado no mês",
    expected: "Ainda a liquidar",
    day: "Dia",
    sales: "Vendas",
    fees: "Taxas",
    early: "Antecipação",
    refunds: "Reembolsos",
    chargebacks: "Chargebacks",
    net: "Líquido",
    total: "Total",
    payouts: "Repasses",
    noPayouts: "Nenhum repasse neste mês.",
    paid: "Pago",
    pending: "A caminho",
    carried: "Fica para o próximo repasse",
    others: "Tarifas de transferência e ajustes",
    otherTypes: {
      transfer_fee: "Tarifa de transferência",
      transfer_fee_returned: "Tarifa de transferência devolvida",
      returned: "Repasse devolvido pelo banco",
      credit: "Crédito",
      correction: "Correção",
      write_off: "Dívida baixada",
      seller_credit: "Crédito a um seller",
      seller_correction: "Correção com um seller",
    },
    moreOthers: (shown, count) => `Os primeiros ${shown} de ${count} ajustes e tarifas; o total soma todos eles.`,
    balance: "Líquido com tarifas e ajustes",
    rows: "Lançamentos por dia",
    more: (shown, count) =>
      `Os primeiros ${shown} de ${count} lançamentos; os demais estão no relatório de recebíveis.`,
    morePlain: (shown, count) => `Os primeiros ${shown} de ${count} lançamentos; os totais somam todos eles.`,
    morePayouts: (shown, count) => `Os primeiros ${shown} de ${count} repasses; o total soma todos eles.`,
    types: {
      credit: "Venda",
      refund: "Reembolso",
      refund_reversal: "Reembolso revertido",
      chargeback: "Chargeback",
      chargeback_refund: "Chargeback revertido",
    },
    installment: (number, count) => `parcela ${number} de ${count}`,
    issued: (at) => `Emitido em ${at}`,
    how: "Por data de liquidação, no horário de São Paulo. Cada dia leva aos seus lançamentos, e cada lançamento ao seu pagamento.",
    howPlain: "Por data de liquidação, no horário de São Paulo. Cada dia leva aos seus lançamentos.",
    none: "Nada se liquida neste mês.",
    page: (number) => `Página ${number}`,
  },
  en: {
    title: (month) => `Statement for ${month}`,
    settled: "Settled in the month",
    expected: "Still to settle",
    day: "Day",
    sales: "Sales",
    fees: "Fees",
    early: "Prepayment",
    refunds: "Refunds",
    chargebacks: "Chargebacks",
    net: "Net",
    total: "Total",
    payouts: "Payouts",
    noPayouts: "No payouts in this month.",
    paid: "Paid",
    pending: "On its way",
    carried: "Carried over to a later payout",
    others: "Transfer fees and adjustments",
    otherTypes: {
      transfer_fee: "Transfer fee",
      transfer_fee_returned: "Transfer fee given back",
      returned: "Payout returned by the bank",
      credit: "Credit",
      correction: "Correction",
      write_off: "Debt written off",
      seller_credit: "Credit to a seller",
      seller_correction: "Correction with a seller",
    },
    moreOthers: (shown, count) =>
      `The first ${shown} of ${count} fees and adjustments; the total includes all of them.`,
    balance: "Net with fees and adjustments",
    rows: "Entries by day",
    more: (shown, count) => `The first ${shown} of ${count} entries; the others are in the receivables report.`,
    morePlain: (shown, count) => `The first ${shown} of ${count} entries; the totals include all of them.`,
    morePayouts: (shown, count) => `The first ${shown} of ${count} payouts; the total includes all of them.`,
    types: {
      credit: "Sale",
      refund: "Refund",
      refund_reversal: "Refund reversed",
      chargeback: "Chargeback",
      chargeback_refund: "Chargeback won",
    },
    installment: (number, count) => `installment ${number} of ${count}`,
    issued: (at) => `Issued ${at}`,
    how: "By settlement date, in São Paulo time. Each day leads to its entries, and each entry to its payment.",
    howPlain: "By settlement date, in São Paulo time. Each day leads to its entries.",
    none: "Nothing settles in this month.",
    page: (number) => `Page ${number}`,
  },
};
