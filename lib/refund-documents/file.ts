import { eq } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { refundDocuments } from "@/db/schema/refund-documents";
import { loadAccount } from "@/lib/accounts/service";
import { getCharge } from "@/lib/charges/queries";
import { inTransaction, now, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { refundLetterPdf, refundReceiptPdf } from "@/lib/payment-documents/refund-pdf";
import type { RefundView } from "@/lib/payment-documents/views";
import { isTokenOfDocument, type RefundDocumentRow } from "@/lib/refund-documents/links";
import { formatOf } from "@/lib/refund-documents/service";
import { fromBytes, zipped } from "@/lib/reports/archive";
import { lookOfShop } from "@/lib/settings/brand";

export interface OpenedDocument {
  name: string;
  contentType: string;
  content: Uint8Array;
}

/** By the link of an answer; undefined for a link of nothing, and for one whose day is over. */
export async function openLinkedDocument(
  id: string,
  until: number,
  token: string,
): Promise<OpenedDocument | undefined> {
  const [row] = await systemDb().select().from(refundDocuments).where(eq(refundDocuments.id, id));
  const expiresAt = new Date(until);
  if (!row || Number.isNaN(expiresAt.getTime()) || !isTokenOfDocument(row, expiresAt, token)) return undefined;
  const ctx = systemContext(await loadAccount(row.clientId), newId());
  if (now(ctx) > expiresAt) return undefined;
  const charge = await inTransaction(ctx, (inside) => getCharge(inside, row.chargeId));
  const shop = await lookOfShop(ctx, charge.row.merchantId);
  const { card, authorizationCode, authorizationNsu } = factsOf(charge);
  return fileOf(row, {
    shop: shop.name,
    chargeId: row.chargeId,
    orderId: charge.row.orderId,
    currency: charge.row.currency,
    paidAt: charge.row.capturedAt ?? charge.row.createdAt,
    paidAmount: charge.row.capturedAmount,
    method: charge.row.paymentType,
    card,
    authorizationCode,
    nsu: authorizationNsu,
    refunds: row.refunds.map(({ at, ...refund }) => ({ ...refund, at: new Date(at) })),
    issuedAt: row.createdAt,
    isSandbox: ctx.account.mode === "sandbox",
  });
}

function factsOf({ attempts, brand, paidWith }: Awaited<ReturnType<typeof getCharge>>) {
  const paid = attempts.find(({ kind, state }) => kind === "authorize" && state === "approved");
  return {
    card: paidWith ? { brand: brand ?? null, last4: paidWith.last4digits } : null,
    authorizationCode: paid?.authorizationCode ?? null,
    authorizationNsu: paid?.authorizationNsu ?? null,
  };
}

async function fileOf(row: RefundDocumentRow, view: RefundView): Promise<OpenedDocument> {
  const name = `${row.type.replaceAll("_", "-")}-${row.id}`;
  const pdf = { name: `${name}.pdf`, contentType: "application/pdf" };
  if (row.type === "receipt") return { ...pdf, content: await refundReceiptPdf(view, row.locale) };
  const letters = await Promise.all(view.refunds.map((refund) => refundLetterPdf({ ...view, refund }, row.locale)));
  const [first] = letters;
  if (formatOf(row) === "pdf" && first) return { ...pdf, content: first };
  const files = letters.map((letter, index) =>
    fromBytes(`${index + 1}-${view.refunds[index]?.id}.pdf`, Buffer.from(letter)),
  );
  const pieces: Buffer[] = [];
  for await (const piece of zipped(files)) pieces.push(piece);
  return { name: `${name}.zip`, contentType: "application/zip", content: Buffer.concat(pieces) };
}
