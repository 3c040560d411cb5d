import {
  BUSINESS_CODES,
  type BusinessCode,
  CardRefused,
  DomainError,
  type ErrorType,
  invalid,
  RequestError,
} from "@/lib/errors";
import type { EndpointSpec } from "@/lib/http/endpoint";
import { type Envelope, errorAnswer, errorBody } from "@/lib/http/errors";
import {
  answerRef,
  type DocumentedAnswer,
  type DocumentedExample,
  headerRef,
  type JsonSchema,
  type Reference,
} from "@/lib/http/openapi/document";
import type { SchemaBook } from "@/lib/http/openapi/schemas";

export const HEADERS = {
  "X-Request-Id": { description: "Id of this request, also in the logs", schema: { type: "string", format: "uuid" } },
  "Retry-After": { description: "Seconds to wait before the next try", schema: { type: "integer", minimum: 1 } },
  "Idempotent-Replayed": {
    description: "`true` when the stored answer of an earlier request with the same key was sent again",
    schema: { type: "string", const: "true" },
  },
  Location: { description: "Where the browser goes on", schema: { type: "string", format: "uri" } },
} as const satisfies Record<string, { description: string; schema: JsonSchema }>;

const JSON_TYPE = "application/json";

interface Shared {
  status: number;
  description: string;
  type: ErrorType;
  message: string;
  isRetried?: boolean;
}

/** What any endpoint may answer besides its own refusals. */
const SHARED = {
  Unauthorized: {
    status: 401,
    description: "A header is missing, the client is unknown, or the key is wrong, expired or revoked",
    type: "invalid_request_error",
    message: "unauthorized",
  },
  Forbidden: {
    status: 403,
    description: "The key is valid and may not call this",
    type: "invalid_request_error",
    message: "forbidden",
  },
  NotFound: {
    status: 404,
    description: "Unknown, deleted, or of another account",
    type: "entity_not_found",
    message: "object not found",
  },
  ContentTooLarge: {
    status: 413,
    description: "The body is larger than 256 kB",
    type: "bad_request",
    message: "request body too large",
  },
  UnsupportedMediaType: {
    status: 415,
    description: "The body is not application/json",
    type: "bad_request",
    message: "unsupported content type",
  },
  TooManyRequests: {
    status: 429,
    description: "A limit of the key, the account or the address was reached",
    type: "api_error",
    message: "too many requests",
    isRetried: true,
  },
  UnexpectedError: {
    status: 500,
    description: "A fault of this installation; a repeat with the same idempotency key is safe",
    type: "api_error",
    message: "unexpected error",
  },
  Unavailable: {
    status: 503,
    description: "More load than this installation can carry",
    type: "api_error",
    message: "try again later",
    isRetried: true,
  },
} as const satisfies Record<string, Shared>;
type SharedName = keyof typeof SHARED;

const envelopeOf = ({ envelope }: EndpointSpec): Envelope => envelope ?? "standard";
const componentName = (name: SharedName, envelope: Envelope): string =>
  envelope === "purchases" ? `Purchase${name}` : name;

const errorContent = (book: SchemaBook, examples: Record<string, DocumentedExample>) => ({
  [JSON_TYPE]: { schema: book.of({ schema: errorBody, direction: "output" }), examples },
});

/** Rendered as the edge renders it, so that the document cannot say otherwise. */
const example = (summary: string, thrown: Error, envelope: Envelope): DocumentedExample => ({
  summary,
  value: errorAnswer(thrown, envelope).body,
});

/** Components that operations refer to, in each of the envelopes that are spoken. */
export function sharedAnswers(book: SchemaBook, specs: readonly EndpointSpec[]): Record<string, DocumentedAnswer> {
  const answers: Record<string, DocumentedAnswer> = {};
  for (const envelope of new Set(specs.map(envelopeOf))) {
    for (const [name, shared] of Object.entries<Shared>(SHARED)) {
      const { status, description, type, message, isRetried } = shared;
      const key = name.charAt(0).toLowerCase() + name.slice(1);
      // Guarantee: the entries are those of the table above.
      answers[componentName(name as SharedName, envelope)] = {
        description,
        headers: {
          "X-Request-Id": headerRef("X-Request-Id"),
          ...(isRetried ? { "Retry-After": headerRef("Retry-After") } : {}),
        },
        content: errorContent(book, {
          [key]: example(description, new RequestError(status, type, message), envelope),
        }),
      };
    }
  }
  return answers;
}

/** Every refusal the endpoint documents: the shared ones, and its business codes by status. */
export function refusalsOf(spec: EndpointSpec, book: SchemaBook): Record<string, DocumentedAnswer | Reference> {
  const answers: Record<string, DocumentedAnswer | Reference> = {};
  for (const name of sharedNamesOf(spec)) {
    answers[SHARED[name].status] = answerRef(componentName(name, envelopeOf(spec)));
  }
  for (const [status, examples] of ownRefusals(spec)) {
    answers[status] = {
      description: described(status, Object.keys(examples)),
      headers: {
        "X-Request-Id": headerRef("X-Request-Id"),
        ...(status === 409 ? { "Retry-After": headerRef("Retry-After") } : {}),
      },
      content: errorContent(book, examples),
    };
  }
  return answers;
}

function sharedNamesOf(spec: EndpointSpec): SharedName[] {
  const names: SharedName[] = [];
  if (spec.access !== "none") names.push("Unauthorized", "Forbidden");
  if (spec.params || spec.sandboxOnly) names.push("NotFound");
  names.push("ContentTooLarge");
  if (spec.method !== "GET" && spec.reply !== "raw") names.push("UnsupportedMediaType");
  names.push("TooManyRequests", "UnexpectedError", "Unavailable");
  return names;
}

const takesKey = ({ method, idempotency, reply }: EndpointSpec): boolean =>
  method === "POST" && idempotency !== "none" && reply !== "raw";

const KEY_CODES: readonly BusinessCode[] = ["idempotency_key_payload_mismatch", "idempotency_key_in_progress"];

function ownRefusals(spec: EndpointSpec): Map<number, Record<string, DocumentedExample>> {
  const byStatus = new Map<number, Record<string, DocumentedExample>>();
  const add = (name: string, summary: string, thrown: Error & { status: number }) =>
    byStatus.set(thrown.status, {
      ...byStatus.get(thrown.status),
      [name]: example(summary, thrown, envelopeOf(spec)),
    });
  add("invalid", "A rule is broken", invalid("member: what it must be"));
  if (spec.cardAt)
    add("card_declined", "Card data that cannot be true", new CardRefused("invalid_number", "card declined"));
  for (const code of new Set([...(spec.errors ?? []), ...(takesKey(spec) ? KEY_CODES : [])])) {
    const words = code.replaceAll("_", " ");
    add(code, words.charAt(0).toUpperCase() + words.slice(1), new DomainError(code, words));
  }
  return byStatus;
}

const REASONS: Readonly<Record<number, string>> = {
  400: "Refused by validation or by a rule",
  409: "Refused: it conflicts with what exists or is being done",
  422: "Refused by a rule of the resource",
  424: "A provider failed",
};

function described(status: number, names: readonly string[]): string {
  const codes = names.filter((name) => name in BUSINESS_CODES);
  const reason = REASONS[status] ?? "Refused";
  return codes.length === 0 ? reason : `${reason}. \`businessCode\`: ${codes.map((code) => `\`${code}\``).join(", ")}`;
}

const FIRST_REDIRECT = 300;

export function successOf(spec: EndpointSpec, book: SchemaBook): DocumentedAnswer {
  const headers = {
    "X-Request-Id": headerRef("X-Request-Id"),
    ...(takesKey(spec) ? { "Idempotent-Replayed": headerRef("Idempotent-Replayed") } : {}),
  };
  if (spec.reply === "empty") return { description: "Done", headers };
  if (spec.status >= FIRST_REDIRECT) {
    return { description: "Goes on", headers: { ...headers, Location: headerRef("Location") } };
  }
  if (spec.reply === "file") {
    return {
      description: spec.summary,
      headers,
      content: { [spec.produces]: { schema: { type: "string", format: "binary" } } },
    };
  }
  if (spec.reply === "raw") {
    if (spec.produces === null) return { description: spec.summary, headers };
    const schema: JsonSchema = spec.produces === JSON_TYPE ? { type: "object" } : { type: "string", format: "binary" };
    return { description: spec.summary, headers, content: { [spec.produces]: { schema } } };
  }
  return {
    description: spec.summary,
    headers,
    content: { [JSON_TYPE]: { schema: book.of({ schema: spec.reply, direction: "output" }) } },
  };
}
