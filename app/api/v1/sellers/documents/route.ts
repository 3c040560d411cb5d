import { endpoint } from "@/app/api/endpoint";
import { envelope } from "@/lib/http/pagination";
import { documentBody, documentList } from "@/lib/sellers/answer-schema";
import { documentFilters, newDocument } from "@/lib/sellers/document-schema";
import { listDocuments, uploadDocument } from "@/lib/sellers/documents";
import { serializeDocument } from "@/lib/sellers/serializer";

const FILES = {
  file: "PNG, JPEG, BMP, WebP, HEIC or HEIF by content, PDF too as SELFIE and CNH_FULL; at most 3 MB. Pictures are drawn anew, so that nothing but the picture is kept",
};

export const POST = endpoint({
  method: "POST",
  path: "/v1/sellers/documents",
  tag: "Sellers",
  summary: "Upload a document of a seller",
  description:
    "Kept encrypted. It is named in `documents` of a seller or of a review's answer within 7 days, or forgotten. The same file again is the same document.",
  access: ["sellers"],
  inBand: true,
  body: newDocument,
  files: FILES,
  reply: documentBody,
  status: 201,
  errors: ["document_too_large"],
  examples: { selfie: { summary: "The owner's face, beside the member `file`", body: { type: "SELFIE" } } },
  handle: (_, { body, files }, answer) =>
    answer.held(async (inside) =>
      serializeDocument(await uploadDocument(inside, { type: body.type, file: files.file?.bytes })),
    ),
});

export const GET = endpoint({
  method: "GET",
  path: "/v1/sellers/documents",
  tag: "Sellers",
  summary: "List documents of sellers",
  description: "A public key sees what it uploaded. What a document shows is answered nowhere in the API.",
  access: ["sellers"],
  query: documentFilters,
  reply: documentList,
  status: 200,
  examples: { waiting: { summary: "Those that nobody names yet", query: { status: "uploaded" } } },
  async handle(ctx, { query }) {
    const { items, totalItems } = await listDocuments(ctx, query);
    return envelope(query, { items: items.map(serializeDocument), totalItems });
  },
});
