import { and, asc, desc, eq } from "drizzle-orm";
import type { z } from "zod";
import { clients } from "@/db/schema/accounts";
import { type DocumentedRefund, type RefundDocumentType, refundDocuments } from "@/db/schema/refund-documents";
import { surplusOf } from "@/lib/charges/engine/surplus";
import { type Charge, getCharge } from "@/lib/charges/queries";
import { type Context, now } from "@/lib/context";
import { DomainError, notFound } from "@/lib/errors";
import { directionOf, offsetOf, type Page, type Paged } from "@/lib/http/pagination";
import { newId } from "@/lib/ids";
import { linkToDocument, type RefundDocumentRow } from "@/lib/refund-documents/links";
import type { refundDocumentBody } from "@/lib/refund-documents/schema";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** What its provider has confirmed, the oldest first; money that came beside the sale and went back is no refund of it. */
export const confirmedRefunds = ({ attempts }: Charge): DocumentedRefund[] =>
  attempts
    .filter((each) => each.kind === "refund" && each.state === "approved" && surplusOf(each) === undefined)
    .map(({ id, amount, updatedAt }) => ({ id, amount, at: updatedAt.toISOString() }))
    .sort((a, b) => (a.at < b.at || (a.at === b.at && a.id < b.id) ? -1 : 1));

/** Of every refund so far; a later one needs a document of its own. */
export async function issueDocument(
  ctx: Context,
  chargeId: string,
  type: RefundDocumentType,
): Promise<RefundDocumentRow> {
  const charge = await getCharge(ctx, chargeId);
  if (type === "cancellation_letter" && charge.row.paymentType === "pix") {
    throw new DomainError("cancellation_letter_not_available_for_pix", "a Pix has no cancellation letter");
  }
  const refunds = confirmedRefunds(charge);
  if (refunds.length === 0) throw new DomainError("refund_not_confirmed", "no refund of the charge is confirmed");
  const clientId = ctx.account.id;
  const [account] = await ctx.db.select({ locale: clients.locale }).from(clients).where(eq(clients.id, clientId));
  if (!account) throw new Error("a request without an account");
  const row = { id: newId(), clientId, chargeId, type, locale: account.locale, refunds, createdAt: now(ctx) };
  await ctx.db.insert(refundDocuments).values(row);
  return row;
}

/** Unknown, of another charge or another client's: 404. */
export async function refundDocumentAt(ctx: Context, chargeId: string, id: string): Promise<RefundDocumentRow> {
  const [row] = await ctx.db
    .select()
    .from(refundDocuments)
    .where(and(ofCharge(ctx, chargeId), eq(refundDocuments.id, id)));
  if (!row) throw notFound("refund document");
  return row;
}

export async function listRefundDocuments(
  ctx: Context,
  chargeId: string,
  page: Page,
): Promise<Paged<RefundDocumentRow>> {
  await getCharge(ctx, chargeId);
  const order = directionOf(page) === "asc" ? asc : desc;
  const where = ofCharge(ctx, chargeId);
  const items = await ctx.db
    .select()
    .from(refundDocuments)
    .where(where)
    .orderBy(order(refundDocuments.createdAt), order(refundDocuments.id))
    .limit(page.limit)
    .offset(offsetOf(page));
  return { items, totalItems: await ctx.db.$count(refundDocuments, where) };
}

const ofCharge = (ctx: Context, chargeId: string) =>
  and(eq(refundDocuments.clientId, ctx.account.id), eq(refundDocuments.chargeId, chargeId));

export const formatOf = ({ type, refunds }: Pick<RefundDocumentRow, "type" | "refunds">): "pdf" | "zip" =>
  type === "cancellation_letter" && refunds.length > 1 ? "zip" : "pdf";

/** Each answer has a link of its own, which opens the file for a day of the account's clock. */
export function serializeRefundDocument(row: RefundDocumentRow, at: Date): z.input<typeof refundDocumentBody> {
  const urlExpiresAt = addSeconds(at, DAY_SECONDS);
  return {
    id: row.id,
    chargeId: row.chargeId,
    type: row.type,
    format: formatOf(row),
    url: linkToDocument(row, urlExpiresAt),
    urlExpiresAt,
    refundCount: row.refunds.length,
    issuedAt: row.createdAt,
  };
}
