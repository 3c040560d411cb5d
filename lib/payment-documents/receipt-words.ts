import type { Locale } from "@/lib/i18n/locales";
import type { ExtraLine, PaidBy, ReceiptStatus } from "@/lib/payment-documents/views";

interface ReceiptWords {
  title: string;
  status: Readonly<Record<ReceiptStatus, string>>;
  holdUntil(day: string): string;
  shop: string;
  date: string;
  when(moment: string): string;
  method: string;
  methods: Readonly<Record<Exclude<PaidBy, "cards">, string>>;
  cards(count: number): string;
  card: string;
  cardNumber(number: number): string;
  ending(brand: string, last4: string): string;
  parts(first: string, others: string, count: number): string;
  equalParts(part: string, count: number): string;
  once: string;
  adjustment: string;
  amount: string;
  installments: string;
  authorization: string;
  nsu: string;
  endToEnd: string;
  line: string;
  order: string;
  about: string;
  details: string;
  statement(name: string): string;
  payment: string;
  refund: string;
  refundLine(amount: string, day: string): string;
  cardLine(amount: string, day: string, card: string): string;
  moreRefunds(count: number, amount: string): string;
  dispute: string;
  disputed(amount: string, total: string, day: string): string;
  items: string;
  more(count: number): string;
  extra: Readonly<Record<ExtraLine, string>>;
  capturedPart(amount: string, total: string): string;
  simulated: string;
  overpaid(amount: string, total: string): string;
  underpaid(amount: string, total: string): string;
}

export const RECEIPT: Readonly<Record<Locale, ReceiptWords>> = {
  "pt-BR": {
    title: "Comprovante de pagamento",
    status: {
      paid: "Pagamento aprovado",
      authorized: "Pagamento autorizado: valor reservado, a loja ainda precisa confirmar a cobrança",
      partly_refunded: "Pagamento aprovado, devolvido em parte",
      refunded: "Pagamento devolvido",
      disputed: "Pagamento aprovado, contestado pelo comprador",
      partly_disputed: "Pagamento aprovado, contestado em parte pelo comprador",
    },
    holdUntil: (day) => `A reserva vale até ${day}.`,
    shop: "Loja",
    date: "Data",
    when: (moment) => `${moment} (horário de São Paulo)`,
    method: "Meio de pagamento",
    methods: {
      pix: "Pix",
      boleto: "Boleto",
      credit: "Cartão de crédito",
      nupay: "NuPay",
      drip: "Drip",
      other: "Outro meio",
    },
    cards: (count) => `${count} cartões`,
    card: "Cartão",
    cardNumber: (number) => `Cartão ${number}`,
    ending: (brand, last4) => `${brand} final ${last4}`,
    parts: (first, others, count) => `${count}x: 1ª de ${first} e ${count - 1} de ${others}`,
    equalParts: (part, count) => `${count}x de ${part}`,
    once: "À vista",
    adjustment: "Ajuste da loja",
    amount: "Valor",
    installments: "Parcelas",
    authorization: "Código de autorização",
    nsu: "NSU",
    endToEnd: "ID da transação",
    line: "Linha digitável",
    order: "Pedido",
    about: "Descrição",
    details: "Detalhes",
    statement: (name) => `Na fatura, a compra aparece como ${name}.`,
    payment: "ID do pagamento",
    refund: "Devolução",
    refundLine: (amount, day) => `${amount} em ${day}`,
    cardLine: (amount, day, card) => `${amount} em ${day}, ${card}`,
    moreRefunds: (count, amount) => `mais ${count} devoluções, ${amount} no total`,
    dispute: "Contestação",
    disputed: (amount, total, day) => `${amount} de ${total} foram contestados no banco em ${day}.`,
    items: "Itens",
    more: (count) => (count === 1 ? "e mais 1 item" : `e mais ${count} itens`),
    extra: {
      lateFees: "Multa e juros",
      overpaid: "Pago a mais",
      underpaid: "Pago a menos",
      notCharged: "Não cobrado",
    },
    capturedPart: (amount, total) => `A loja cobrou ${amount} dos ${total} autorizados. O resto não será cobrado.`,
    simulated: "Ambiente de testes: nenhum dinheiro de verdade é movimentado.",
    overpaid: (amount, total) =>
      `Foram pagos ${amount} a mais que os ${total} do pedido. A loja recebeu tudo. Se a diferença não for multa ou juros, fale com ela.`,
    underpaid: (amount, total) =>
      `Foram pagos ${amount} a menos que os ${total} do pedido. A loja recebeu só uma parte: fale com ela para completar o pagamento.`,
  },
  en: {
    title: "Payment receipt",
    status: {
      paid: "Payment approved",
      authorized: "Payment authorized: amount held, the shop has yet to confirm the charge",
      partly_refunded: "Payment approved, partly refunded",
      refunded: "Payment refunded",
      disputed: "Payment approved, disputed by the buyer",
      partly_disputed: "Payment approved, disputed in part by the buyer",
    },
    holdUntil: (day) => `The hold lasts until ${day}.`,
    shop: "Shop",
    date: "Date",
    when: (moment) => `${moment} (São Paulo time)`,
    method: "Payment method",
    methods: {
      pix: "Pix",
      boleto: "Boleto",
      credit: "Credit card",
      nupay: "NuPay",
      drip: "Drip",
      other: "Another method",
    },
    cards: (count) => `${count} cards`,
    card: "Card",
    cardNumber: (number) => `Card ${number}`,
    ending: (brand, last4) => `${brand} ending in ${last4}`,
    parts: (first, others, count) => `${count}x: first ${first}, then ${count - 1} of ${others}`,
    equalParts: (part, count) => `${count}x ${part}`,
    once: "In full",
    adjustment: "Adjustment by the shop",
    amount: "Amount",
    installments: "Installments",
    authorization: "Authorization code",
    nsu: "Transaction number (NSU)",
    endToEnd: "Transaction ID",
    line: "Boleto number",
    order: "Order",
    about: "Description",
    details: "Details",
    statement: (name) => `On the card's statement the purchase shows as ${name}.`,
    payment: "Payment ID",
    refund: "Refund",
    refundLine: (amount, day) => `${amount} on ${day}`,
    cardLine: (amount, day, card) => `${amount} on ${day}, ${card}`,
    moreRefunds: (count, amount) => `${count} more refunds, ${amount} in all`,
    dispute: "Dispute",
    disputed: (amount, total, day) => `${amount} of ${total} was disputed with the bank on ${day}.`,
    items: "Items",
    more: (count) => (count === 1 ? "and 1 more item" : `and ${count} more items`),
    extra: {
      lateFees: "Fine and interest",
      overpaid: "Overpaid",
      underpaid: "Underpaid",
      notCharged: "Not charged",
    },
    capturedPart: (amount, total) =>
      `The shop charged ${amount} of the ${total} authorized. The rest will not be charged.`,
    simulated: "Test environment: no real money moves.",
    overpaid: (amount, total) =>
      `${amount} more than the order's ${total} was paid. The shop received all of it. If the difference is not a fine or interest, contact the shop.`,
    underpaid: (amount, total) =>
      `${amount} less than the order's ${total} was paid. The shop received only part of it: contact the shop to complete the payment.`,
  },
};
