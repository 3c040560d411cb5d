import { endpoint } from "@/app/api/endpoint";
import { now } from "@/lib/context";
import { oneRefundDocument, refundDocumentBody } from "@/lib/refund-documents/schema";
import { refundDocumentAt, serializeRefundDocument } from "@/lib/refund-documents/service";

export const GET = endpoint({
  method: "GET",
  path: "/v1/charges/{id}/refund-documents/{documentId}",
  tag: "Charges",
  summary: "Read a refund document, with a fresh URL",
  access: "secret",
  params: oneRefundDocument,
  reply: refundDocumentBody,
  status: 200,
  examples: { one: { summary: "One document" } },
  handle: async (ctx, { params }) =>
    serializeRefundDocument(await refundDocumentAt(ctx, params.id, params.documentId), now(ctx)),
});
