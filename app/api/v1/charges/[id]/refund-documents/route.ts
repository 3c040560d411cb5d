import { endpoint } from "@/app/api/endpoint";
import { now } from "@/lib/context";
import { envelope } from "@/lib/http/pagination";
import {
  newRefundDocument,
  refundDocumentBody,
  refundDocumentFilters,
  refundDocumentList,
  refundDocumentParams,
} from "@/lib/refund-documents/schema";
import { issueDocument, listRefundDocuments, serializeRefundDocument } from "@/lib/refund-documents/service";

export const POST = endpoint({
  method: "POST",
  path: "/v1/charges/{id}/refund-documents",
  tag: "Charges",
  summary: "Issue a refund document",
  description: "Of every refund that is confirmed by then. Letters of more than one refund come as a zip.",
  access: "secret",
  params: refundDocumentParams,
  body: newRefundDocument,
  reply: refundDocumentBody,
  status: 201,
  errors: ["refund_not_confirmed", "cancellation_letter_not_available_for_pix"],
  examples: {
    receipt: { summary: "One receipt of all refunds", body: { type: "receipt" } },
    letters: { summary: "A letter for each refund", body: { type: "cancellation_letter" } },
  },
  handle: async (ctx, { params, body }) =>
    serializeRefundDocument(await issueDocument(ctx, params.id, body.type), now(ctx)),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/charges/{id}/refund-documents",
  tag: "Charges",
  summary: "List issued refund documents",
  access: "secret",
  params: refundDocumentParams,
  query: refundDocumentFilters,
  reply: refundDocumentList,
  status: 200,
  examples: { all: { summary: "The ten newest" } },
  handle: async (ctx, { params, query }) => {
    const { items, totalItems } = await listRefundDocuments(ctx, params.id, query);
    return envelope(query, { items: items.map((row) => serializeRefundDocument(row, now(ctx))), totalItems });
  },
});
