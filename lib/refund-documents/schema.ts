import { z } from "zod";
import { REFUND_DOCUMENT_TYPES } from "@/db/schema/refund-documents";
import { instantOut, uuid } from "@/lib/http/fields";
import { listOf, pageQuery } from "@/lib/http/pagination";

export const newRefundDocument = z
  .object({
    type: z.enum(REFUND_DOCUMENT_TYPES).meta({
      description: "A letter for each confirmed refund, or one receipt of all of them; no letters for Pix",
    }),
  })
  .meta({ id: "NewRefundDocument" });

export const refundDocumentBody = z
  .object({
    id: z.uuid(),
    chargeId: z.uuid(),
    type: z.enum(REFUND_DOCUMENT_TYPES),
    format: z.enum(["pdf", "zip"]).meta({ description: "zip: more than one letter" }),
    url: z.url().meta({ description: "Opens the file without a key until urlExpiresAt" }),
    urlExpiresAt: instantOut,
    refundCount: z.int(),
    issuedAt: instantOut,
  })
  .meta({ id: "RefundDocument", description: "A document of what was given back, as of the day it was issued" });

export const refundDocumentList = listOf(refundDocumentBody);
export const refundDocumentFilters = pageQuery;
export const refundDocumentParams = z.object({ id: uuid });
export const oneRefundDocument = z.object({ id: uuid, documentId: uuid });
