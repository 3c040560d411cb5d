import { eq } from "drizzle-orm";
import { customers } from "@/db/schema/customers";
import { maskTaxId } from "@/lib/brazil/cpf-cnpj";
import { type Charge, getCharge } from "@/lib/charges/queries";
import { loadPayment } from "@/lib/checkout/load";
import type { PaymentState, PaymentView } from "@/lib/checkout/view";
import { type Context, inTransaction } from "@/lib/context";
import type { Locale } from "@/lib/i18n/locales";
import { boletoPdf } from "@/lib/payment-documents/boleto-pdf";
import { lateFeeLines, lateFeesOf } from "@/lib/payment-documents/late-fees";
import { receiptPdf } from "@/lib/payment-documents/receipt-pdf";
import type { BoletoView, ItemLine, Party, ReceiptStatus, ReceiptView } from "@/lib/payment-documents/views";
import { getSession } from "@/lib/sessions/queries";
import { lookOfShop } from "@/lib/settings/brand";

/** The slip of a charge as a PDF; undefined when it is not a boleto, or has no slip yet. */
export async function boletoPaper(ctx: Context, chargeId: string, locale: Locale): Promise<Uint8Array | undefined> {
  const view = await inTransaction(ctx, (inside) => boletoView(inside, chargeId));
  return view && boletoPdf(view, locale);
}

async function boletoView(ctx: Context, chargeId: string): Promise<BoletoView | undefined> {
  const { row } = await getCharge(ctx, chargeId);
  const { barcodeData: line, barcode, expiresDate: dueOn, qrCodeData } = row.paymentMethod;
  if (typeof line !== "string" || typeof barcode !== "string" || typeof dueOn !== "string") return undefined;
  const brand = await lookOfShop(ctx, row.merchantId);
  const items = row.sessionId ? (await getSession(ctx, row.sessionId)).items : [];
  return {
    barcode,
    line,
    pixCode: typeof qrCodeData === "string" ? qrCodeData : null,
    amount: row.amount,
    dueOn,
    issuedAt: row.createdAt,
    beneficiary: { name: brand.name, document: null, address: null },
    payer: await payerOf(ctx, row),
    documentNumber: row.orderId ?? row.id.slice(0, 8),
    ourNumber: row.providerTxId ?? row.id,
    instructions: instructionsOf(row),
    items: items.map(({ name, quantity, unitPrice }) => ({ name, quantity, unitPrice })),
    isSandbox: ctx.account.mode === "sandbox",
  };
}

async function payerOf(ctx: Context, { sourceCustomerId }: Charge["row"]): Promise<Party> {
  const [customer] = sourceCustomerId
    ? await ctx.db.select().from(customers).where(eq(customers.id, sourceCustomerId))
    : [];
  if (!customer) return { name: "", document: null, address: null };
  const { name, documentNumber, documentCountry, address } = customer;
  const document = documentNumber && documentCountry === "BR" ? maskTaxId(documentNumber) : documentNumber;
  return { name, document, address: address ? addressLine(address) : null };
}

function addressLine(address: object): string {
  const of = (name: string): string | undefined => {
    const value: unknown = Object.getOwnPropertyDescriptor(address, name)?.value;
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const street = [of("street"), of("streetNumber"), of("complement")].filter(Boolean).join(", ");
  const town = [of("city"), of("state")].filter(Boolean).join("/");
  return [street, of("district"), [of("zipCode"), town].filter(Boolean).join(" ")].filter(Boolean).join(" - ");
}

/** The slip speaks Portuguese, whoever reads the page. */
function instructionsOf({ paymentMethod }: Charge["row"]): string[] {
  const written = typeof paymentMethod.instructions === "string" ? paymentMethod.instructions.split("\n") : [];
  return [...written, ...lateFeeLines(lateFeesOf(paymentMethod), "pt-BR")];
}

const STATUSES: Partial<Record<PaymentState, ReceiptStatus>> = {
  paid: "paid",
  authorised: "authorized",
  partlyRefunded: "partly_refunded",
  refunding: "paid",
  refunded: "refunded",
  disputed: "disputed",
};

/** The receipt of a payment as a PDF; undefined while there is nothing to show one for. */
export async function receiptPaper(
  ctx: Context,
  sessionId: string,
  paymentId: string,
  locale: Locale,
): Promise<Uint8Array | undefined> {
  const view = await inTransaction(ctx, async (inside) => {
    const loaded = await loadPayment(inside, sessionId, paymentId);
    const status = loaded && STATUSES[loaded.view.state];
    if (!loaded || !status) return undefined;
    const brand = await lookOfShop(inside, loaded.session.merchantId);
    return receiptView(loaded.view, status, brand.name, inside.account.mode === "sandbox");
  });
  return view && receiptPdf(view, locale);
}

const receiptView = (view: PaymentView, status: ReceiptStatus, shop: string, isSandbox: boolean): ReceiptView => ({
  shop: { name: shop, document: null },
  status,
  amount: view.amount,
  currency: view.order.currency,
  at: view.endedAt,
  method: view.method,
  cards: view.cards.map(({ brand, last4, amount, installments, authorizationCode, nsu }) => ({
    brand,
    last4,
    amount,
    installments,
    authorizationCode,
    nsu,
  })),
  endToEndId: view.endToEndId,
  line: view.boleto?.line ?? null,
  difference: view.boleto?.difference ?? 0,
  orderId: view.order.orderId,
  paymentId: view.id,
  items: view.order.items.map((item): ItemLine => ({ ...item })),
  adjustment: view.order.adjustment,
  refunds: view.refunds,
  holdUntil: view.holdUntil,
  isSandbox,
});
