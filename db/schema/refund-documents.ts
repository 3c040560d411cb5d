import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { charges } from "@/db/schema/charges";
import { clientId, createdAt, id } from "@/db/schema/columns";

export const REFUND_DOCUMENT_TYPES = ["cancellation_letter", "receipt"] as const;
export type RefundDocumentType = (typeof REFUND_DOCUMENT_TYPES)[number];

/** A confirmed refund, as it was when the document was issued. */
export interface DocumentedRefund {
  id: string;
  amount: number;
  /** When its provider confirmed it. */
  at: string;
}

/** What was issued for a charge that was given back (spec/contract.md 8.10); its pages are drawn whenever it is opened. */
export const refundDocuments = pgTable(
  "refund_documents",
  {
    id: id(),
    clientId: clientId(),
    chargeId: uuid()
      .notNull()
      .references(() => charges.id),
    type: text({ enum: REFUND_DOCUMENT_TYPES }).notNull(),
    locale: text({ enum: ["pt-BR", "en"] }).notNull(),
    /** The oldest first. */
    refunds: jsonb().$type<DocumentedRefund[]>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("refund_documents_charge").on(t.chargeId, t.createdAt, t.id),
    check("refund_documents_type", sql`${t.type} in ('cancellation_letter', 'receipt')`),
    check("refund_documents_refunds", sql`jsonb_array_length(${t.refunds}) > 0`),
  ],
);
