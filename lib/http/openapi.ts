import type { EndpointSpec } from "@/lib/http/endpoint";
import { errorBody } from "@/lib/http/errors";
import { HEADERS, refusalsOf, sharedAnswers, successOf } from "@/lib/http/openapi/answers";
import type { DocumentedExample, DocumentedOperation, JsonSchema, OpenApiDocument } from "@/lib/http/openapi/document";
import { operationIdOf } from "@/lib/http/openapi/names";
import { PARAMETERS, parametersOf } from "@/lib/http/openapi/parameters";
import { exampleId, withoutPlaceholders } from "@/lib/http/openapi/placeholders";
import { type SchemaBook, type SchemaUse, schemaBook } from "@/lib/http/openapi/schemas";
import { describedTags } from "@/lib/http/openapi/tags";

const API_VERSION = "0.5";

const INTRODUCTION = `One API for cards, Pix, boleto, payment links, purchases on several cards, splits and payouts in Brazil.

Every call carries \`X-Client-Id\` and \`X-Api-Key\`: a secret key may call everything of its account, a public key the routes of its scopes. Amounts are integers in cents. A POST with \`X-Idempotency-Key\` may be repeated safely. Lists answer \`items\` and \`meta\`. Members may be added to answers at any time: ignore what you do not know.

Accounts are sandbox or live for good. On a sandbox account payments go to a simulated provider whose outcomes are chosen by card number, amount or the header \`X-Sandbox-Scenario\`.`;

/** Both headers together: a key means nothing without its account. */
const CREDENTIALS = [{ clientId: [], apiKey: [] }];

/** What the document says of events, from whoever declares them. */
export interface DescribedWebhooks {
  schemas(): SchemaUse[];
  documents(book: SchemaBook): NonNullable<OpenApiDocument["webhooks"]>;
}

/** The OpenAPI document of these endpoints and events: nothing in it is written twice. */
export function openApiDocument(specs: readonly EndpointSpec[], webhooks?: DescribedWebhooks): OpenApiDocument {
  const uses = specs.flatMap(schemasOf).concat(webhooks?.schemas() ?? []);
  const book = schemaBook(uses.concat({ schema: errorBody, direction: "output" }));
  const paths: OpenApiDocument["paths"] = {};
  for (const spec of specs) {
    paths[spec.path] = { ...paths[spec.path], [spec.method.toLowerCase()]: operationOf(spec, book) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Trilho",
      version: API_VERSION,
      summary: "Open payment orchestration for Brazil",
      description: INTRODUCTION,
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This installation" }],
    tags: describedTags(specs.map(({ tag }) => tag)),
    security: CREDENTIALS,
    paths,
    ...(webhooks ? { webhooks: webhooks.documents(book) } : {}),
    components: {
      securitySchemes: {
        clientId: { type: "apiKey", in: "header", name: "X-Client-Id", description: "Id of the client account" },
        apiKey: { type: "apiKey", in: "header", name: "X-Api-Key", description: "A secret, public or session key" },
      },
      schemas: book.components,
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: sharedAnswers(book, specs),
    },
  };
}

function schemasOf({ params, query, body, reply }: EndpointSpec): SchemaUse[] {
  const uses: SchemaUse[] = [params, query, body].flatMap((schema) => (schema ? [{ schema, direction: "input" }] : []));
  return typeof reply === "string" ? uses : [...uses, { schema: reply, direction: "output" }];
}

function operationOf(spec: EndpointSpec, book: SchemaBook): DocumentedOperation {
  const success = successOf(spec, book);
  return {
    operationId: operationIdOf(spec, isList(success.content?.["application/json"]?.schema, book)),
    tags: [spec.tag],
    summary: spec.summary,
    description: [spec.description, keysOf(spec)].filter(Boolean).join("\n\n"),
    security: spec.access === "none" ? [] : CREDENTIALS,
    parameters: parametersOf(spec, book),
    ...requestBodyOf(spec, book),
    responses: { [spec.status]: success, ...refusalsOf(spec, book) },
  };
}

function keysOf({ access, session, sandboxOnly }: EndpointSpec): string {
  if (access === "none") return "No key is needed.";
  if (access === "session") return "Key: that of a session, for what belongs to it.";
  const scopes = access === "secret" ? [] : access.map((scope) => `\`${scope}\``);
  const others = [
    ...(scopes.length > 0 ? [`a public key with the scope ${scopes.join(" or ")}`] : []),
    ...(session ? ["the key of a session, for what belongs to it"] : []),
  ];
  const keys = others.length > 0 ? `Keys: secret, ${others.join(", ")}.` : "Key: secret.";
  return sandboxOnly ? `${keys} Sandbox accounts only.` : keys;
}

function requestBodyOf(spec: EndpointSpec, book: SchemaBook): Pick<DocumentedOperation, "requestBody"> {
  if (!spec.body) return {};
  const examples = Object.entries(spec.examples ?? {}).flatMap(
    ([name, { summary, body }]): [string, DocumentedExample][] =>
      body === undefined ? [] : [[name, { summary, value: withoutPlaceholders(body, exampleId) }]],
  );
  const schema = book.of({ schema: spec.body, direction: "input" });
  return {
    requestBody: {
      // An empty body is read as an empty object.
      required: !spec.body.safeParse({}).success,
      content: {
        "application/json": { schema, ...(examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}) },
        ...(spec.files ? { "multipart/form-data": { schema: withFiles(schema, spec.files) } } : {}),
      },
    },
  };
}

const withFiles = (schema: JsonSchema, files: Readonly<Record<string, string>>): JsonSchema => ({
  allOf: [
    schema,
    {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(files).map(([name, description]) => [
          name,
          { type: "string", contentMediaType: "application/octet-stream", description },
        ]),
      ),
    },
  ],
});

function isList(schema: JsonSchema | undefined, book: SchemaBook): boolean {
  if (!schema) return false;
  if (schema.type === "array" || schema.anyOf?.some((part) => part.type === "array")) return true;
  const component = book.components[schema.$ref?.split("/").at(-1) ?? ""];
  const { properties } = component ?? schema;
  // An object of its own may have items too.
  return properties?.items?.type === "array" && properties.id === undefined;
}
