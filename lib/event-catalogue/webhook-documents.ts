import { z } from "zod";
import { EVENT_CATALOGUE, type EventDeclaration } from "@/lib/event-catalogue/catalogue";
import type { DocumentedOperation, Parameter } from "@/lib/http/openapi/document";
import type { SchemaBook, SchemaUse } from "@/lib/http/openapi/schemas";

const bodyOf = ({ object, event, data }: EventDeclaration) =>
  z.object({
    id: z.uuid().meta({ description: "The same in every delivery of the event" }),
    object: z.literal(object),
    event: z.literal(event),
    apiVersion: z.literal("1.1"),
    entityVersion: z.int().min(1).meta({ description: "Grows by 1 per event of one object" }),
    createdAt: z.iso.datetime(),
    data,
  });

const DOCUMENTED = EVENT_CATALOGUE.map((declared) => ({ ...declared, body: bodyOf(declared) }));

/** For the schema book of the document: every schema is announced to it before it is used. */
export const webhookSchemas = (): SchemaUse[] =>
  DOCUMENTED.map(({ body }) => ({ schema: body, direction: "output" as const }));

const header = (name: string, description: string): Parameter => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

const HEADERS: Parameter[] = [
  header("webhook-id", "Id of the event: drop what was seen before"),
  header("webhook-timestamp", "Seconds since 1970 of this attempt: refuse what is more than five minutes away"),
  header(
    "webhook-signature",
    "`v1a,` and the base64 of the Ed25519 signature over `<webhook-id>.<webhook-timestamp>.<body>`; two of them during a rotation",
  ),
  header("x-idempotency-key", "Id of the event"),
  header("x-signature-date", "Milliseconds since 1970 of this attempt"),
  header("x-signature", "Hex of the Ed25519 signature over `<x-signature-date>`, a line feed and the body"),
];

const operationId = (name: string): string =>
  `on${name.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;

/** The `webhooks` member of the OpenAPI document. */
export function webhookDocuments(book: SchemaBook): Record<string, { post: DocumentedOperation }> {
  return Object.fromEntries(
    DOCUMENTED.map(({ name, when, body }) => [
      name,
      {
        post: {
          operationId: operationId(name),
          tags: ["Events"],
          summary: name,
          description: when,
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { "application/json": { schema: book.of({ schema: body, direction: "output" }) } },
          },
          responses: {
            "2XX": { description: "Received. Anything else, and 15 seconds without an answer, is tried again." },
          },
        },
      },
    ]),
  );
}
