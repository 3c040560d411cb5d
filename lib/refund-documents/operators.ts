import type { RefundDocumentType } from "@/db/schema/refund-documents";
import { audit } from "@/lib/audit";
import { getCharge } from "@/lib/charges/queries";
import { type Context, inSnapshot, inTransaction, now } from "@/lib/context";
import { demand, may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { linkToDocument } from "@/lib/refund-documents/links";
import { confirmedRefunds, formatOf, issueDocument, listRefundDocuments } from "@/lib/refund-documents/service";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** Documents that a page lists: the newest. */
const MOST_LISTED = 10;

export interface ShownRefundDocument {
  id: string;
  type: RefundDocumentType;
  format: "pdf" | "zip";
  refundCount: number;
  issuedAt: Date;
  /** Opens the file for a day. */
  url: string;
}

export interface RefundDocumentsView {
  items: ShownRefundDocument[];
  /** What can be issued now. */
  types: RefundDocumentType[];
  refundCount: number;
}

/** The documents of a charge's refunds; undefined while no refund is confirmed, and for who refunds nothing. */
export async function refundDocumentsView(
  ctx: Context,
  role: OperatorRole,
  chargeId: string,
): Promise<RefundDocumentsView | undefined> {
  if (!may(role, "payments.refund")) return undefined;
  return inSnapshot(ctx, async (inside) => {
    const charge = await getCharge(inside, chargeId);
    const refundCount = confirmedRefunds(charge).length;
    if (refundCount === 0) return undefined;
    const { items } = await listRefundDocuments(inside, chargeId, { page: 1, limit: MOST_LISTED, order: "desc" });
    const until = addSeconds(now(inside), DAY_SECONDS);
    return {
      refundCount,
      types: charge.row.paymentType === "pix" ? ["receipt"] : ["receipt", "cancellation_letter"],
      items: items.map((row) => ({
        id: row.id,
        type: row.type,
        format: formatOf(row),
        refundCount: row.refunds.length,
        issuedAt: row.createdAt,
        url: linkToDocument(row, until),
      })),
    };
  });
}

export const issueForOperator = (
  ctx: Context,
  role: OperatorRole,
  chargeId: string,
  type: RefundDocumentType,
): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    demand(role, "payments.refund");
    const { id, refunds } = await issueDocument(inside, chargeId, type);
    const after = { type, document: id, refunds: refunds.length };
    await audit(inside, { action: "refund_document.issue", object: "charge", objectId: chargeId, after });
  });
