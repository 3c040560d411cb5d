import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { maskCep } from "@/lib/brazil/cep";
import { maskTaxId } from "@/lib/brazil/cpf-cnpj";
import { getCharge } from "@/lib/charges/queries";
import { disputedPartOf } from "@/lib/checkout/money-lines";
import { receiptTitle } from "@/lib/checkout/order-title";
import type { PaymentState, PaymentView } from "@/lib/checkout/view";
import { type Context, inTransaction } from "@/lib/context";
import { getCustomer } from "@/lib/customers/service";
import type { Locale } from "@/lib/i18n/locales";
import { boletoPdf } from "@/lib/payment-documents/boleto-pdf";
import { lateFeeLines } from "@/lib/payment-documents/late-fees";
import { receiptPdf } from "@/lib/payment-documents/receipt-pdf";
import type { BoletoView, ReceiptStatus } from "@/lib/payment-documents/views";
import type { SessionRow } from "@/lib/sessions/state";
import { lookOfShop } from "@/lib/settings/brand";

const FILES = { receipt: { en: "receipt", "pt-BR": "recibo" }, boleto: { en: "boleto", "pt-BR": "boleto" } } as const;
const ID_DIGITS = 8;

/** Told apart from the others in a folder of downloads. */
export const fileNameOf = (what: keyof typeof FILES, { id }: Pick<PaymentView, "id">, locale: Locale): string =>
  `${FILES[what][locale]}-${id.slice(-ID_DIGITS)}.pdf`;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The slip of a boleto that can still be paid; undefined for anything else. */
export async function boletoFile(
  ctx: Context,
  session: SessionRow,
  view: PaymentView,
  locale: Locale,
): Promise<Uint8Array | undefined> {
  if (view.state !== "boleto" && view.state !== "boletoOverdue") return undefined;
  const { boleto } = view;
  if (!boleto) return undefined;
  const shop = await lookOfShop(ctx, session.merchantId);
  const { row, buyer } = await inTransaction(ctx, async (inside) => {
    const charge = await getCharge(inside, view.id);
    const { sourceCustomerId } = charge.row;
    return { row: charge.row, buyer: sourceCustomerId ? await getCustomer(inside, sourceCustomerId) : undefined };
  });
  const lines = (boleto.instructions ?? "").split("\n");
  // The slip speaks Portuguese, whoever reads the page.
  const lateLines = lateFeeLines(boleto.late, "pt-BR", saoPauloDay(boleto.payableUntil));
  const slip: BoletoView = {
    barcode: textOf(row.paymentMethod.barcode),
    line: boleto.line,
    pixCode: boleto.pix?.code ?? null,
    amount: row.amount,
    dueOn: boleto.dueOn,
    issuedAt: row.createdAt,
    beneficiary: { name: shop.name, document: null, address: null },
    payer: {
      name: buyer?.name ?? "",
      document: buyer?.documentNumber ? maskTaxId(buyer.documentNumber) : null,
      address: buyer?.address ? addressLine(buyer.address) : null,
    },
    documentNumber: session.orderId ?? shortNumber(row.id),
    ourNumber: shortNumber(row.id),
    instructions: [...lines.filter((line) => line !== ""), ...lateLines],
    items: view.order.items,
    isSandbox: ctx.account.mode === "sandbox",
  };
  return boletoPdf(slip, locale);
}

/** What fits a field of the slip and still tells one payment from the others. */
const shortNumber = (id: string): string => id.replaceAll("-", "").slice(-11).toUpperCase();

const addressLine = (address: object): string => {
  const part = (name: string): string => textOf(Object.getOwnPropertyDescriptor(address, name)?.value);
  const first = [part("street"), part("streetNumber"), part("complement")].filter(Boolean).join(", ");
  const second = [part("district"), part("city"), part("state"), maskCep(part("zipCode"))].filter(Boolean).join(", ");
  return [first, second].filter(Boolean).join(" - ");
};

const STATUS: Readonly<Partial<Record<PaymentState, ReceiptStatus>>> = {
  paid: "paid",
  authorised: "authorized",
  refunding: "paid",
  partlyRefunded: "partly_refunded",
  refunded: "refunded",
  disputed: "disputed",
};

/** The receipt on paper says what the page says. */
export async function receiptFile(
  ctx: Context,
  session: SessionRow,
  view: PaymentView,
  locale: Locale,
): Promise<Uint8Array | undefined> {
  const status = disputedPartOf(view) ? "partly_disputed" : STATUS[view.state];
  if (status === undefined) return undefined;
  const shop = await lookOfShop(ctx, session.merchantId);
  return receiptPdf(
    {
      shop: { name: shop.name, document: null },
      status,
      amount: view.amount,
      currency: session.currency,
      at: view.endedAt,
      method: view.method,
      cards: view.cards,
      endToEndId: view.endToEndId,
      line: view.boleto?.line ?? null,
      asked: view.order.amount,
      difference: view.difference,
      lateFees: view.lateFees,
      notCharged: view.notCharged,
      orderId: session.orderId,
      title: receiptTitle(view.order),
      about: view.order.description,
      statement: view.cards.length > 0 ? view.order.statement : null,
      paymentId: view.id,
      items: view.order.items,
      adjustment: view.order.adjustment,
      refunds: view.refunds,
      disputes: view.disputes,
      holdUntil: view.holdUntil,
      isSandbox: ctx.account.mode === "sandbox",
    },
    locale,
  );
}
