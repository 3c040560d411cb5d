import { endpoint } from "@/app/api/endpoint";
import { documentBody } from "@/lib/sellers/answer-schema";
import { documentParams } from "@/lib/sellers/document-schema";
import { deleteDocument, documentAt } from "@/lib/sellers/documents";
import { serializeDocument } from "@/lib/sellers/serializer";

export const GET = endpoint({
  method: "GET",
  path: "/v1/sellers/documents/{documentId}",
  tag: "Sellers",
  summary: "Read a document's state",
  access: ["sellers"],
  params: documentParams,
  reply: documentBody,
  status: 200,
  examples: { one: { summary: "One document" } },
  handle: async (ctx, { params }) => serializeDocument(await documentAt(ctx, params.documentId)),
});

export const DELETE = endpoint({
  method: "DELETE",
  path: "/v1/sellers/documents/{documentId}",
  tag: "Sellers",
  summary: "Delete a document that nobody names",
  access: ["sellers"],
  params: documentParams,
  reply: "empty",
  status: 204,
  errors: ["document_in_use"],
  handle: (ctx, { params }) => deleteDocument(ctx, params.documentId),
});
