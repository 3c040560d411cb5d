import { z } from "zod";
import type { EndpointSpec } from "@/lib/http/endpoint";
import type { JsonSchema, Parameter, Reference } from "@/lib/http/openapi/document";
import { parameterRef } from "@/lib/http/openapi/document";
import { exampleId, withoutPlaceholders } from "@/lib/http/openapi/placeholders";
import type { SchemaBook } from "@/lib/http/openapi/schemas";

/** 1..255 printable ASCII characters without blanks. */
const KEY_PATTERN = "^[\\x21-\\x7e]{1,255}$";

const keyHeader = (required: boolean): Parameter => ({
  name: "X-Idempotency-Key",
  in: "header",
  required,
  description:
    "The same key with the same request answers the same bytes and does nothing twice; with another request it is refused. Kept for 24 hours at least.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: KEY_PATTERN },
  example: "6f1c1c1e-7f0e-4c52-9a0b-2f4f8f2f7a10",
});

export const PARAMETERS: Record<string, Parameter> = {
  IdempotencyKey: keyHeader(false),
  RequiredIdempotencyKey: keyHeader(true),
  SandboxScenario: {
    name: "X-Sandbox-Scenario",
    in: "header",
    required: false,
    description:
      "Sandbox accounts only: the outcome and the faults of the simulated provider for this request, as `key=value;key=value` with the keys outcome, fault, latency, status, retryAfter, step, times, slot and provider. Live accounts ignore it.",
    schema: { type: "string" },
    example: "outcome=approved;latency=0",
  },
  PlanHash: {
    name: "X-Plan-Hash",
    in: "header",
    required: false,
    description:
      "Secret keys only. `planHash` of a dry run: the call does what was planned, or is refused with 409 `plan_changed` and the plan of now, as JSON, in `details`.",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
    example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  },
  CaptchaToken: {
    name: "X-Captcha-Token",
    in: "header",
    required: false,
    description:
      "With a session's key: the solved challenge of the hosted page, once and within five minutes. Needed when the session asks for a captcha, and after a refused card; `sandbox-ok` passes on sandbox accounts.",
    schema: { type: "string" },
    example: "sandbox-ok",
  },
  MerchantId: {
    name: "X-Merchant-Id",
    in: "header",
    required: false,
    description: "Of this merchant; without it, the account's default",
    schema: { type: "string", format: "uuid" },
    example: "0192f210-0000-7000-8000-000000000002",
  },
};

export function parametersOf(spec: EndpointSpec, book: SchemaBook): (Parameter | Reference)[] {
  return [...pathParameters(spec, book), ...queryParameters(spec, book), ...headerParameters(spec)];
}

function headerParameters(spec: EndpointSpec): Reference[] {
  const names: string[] = [];
  if (spec.method === "POST" && spec.idempotency !== "none" && spec.reply !== "raw") {
    names.push(spec.idempotency === "required" ? "RequiredIdempotencyKey" : "IdempotencyKey");
  }
  if (spec.merchantHeader) names.push("MerchantId");
  if (spec.scenario) names.push("SandboxScenario");
  if (spec.planned) names.push("PlanHash");
  if (spec.captcha) names.push("CaptchaToken");
  return names.map(parameterRef);
}

function pathParameters(spec: EndpointSpec, book: SchemaBook): Parameter[] {
  return members(spec.params, book).map(({ name, schema }) => ({
    name,
    in: "path",
    required: true,
    ...described(schema),
    ...(schema.format === "uuid" ? { example: exampleId(pathExampleName(spec.path, name)) } : {}),
  }));
}

/** `{id}` under /v1/charges is the example's `{{chargeId}}`. */
function pathExampleName(path: string, name: string): string {
  if (name !== "id") return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const segments = path.split("/");
  const before = segments[segments.indexOf("{id}") - 1] ?? "";
  return `${before.replace(/s$/, "")}Id`;
}

function queryParameters(spec: EndpointSpec, book: SchemaBook): Parameter[] {
  return members(spec.query, book).map(({ name, schema, isRequired }) => ({
    name,
    in: "query",
    required: isRequired,
    ...described(schema),
    ...queryExamples(spec, name),
  }));
}

function queryExamples(spec: EndpointSpec, name: string): Pick<Parameter, "examples"> {
  const examples = Object.entries(spec.examples ?? {}).flatMap(([key, { summary, query }]) => {
    const value = query?.[name];
    return value === undefined
      ? []
      : [[key, { summary, value: typed(withoutPlaceholders(value, exampleId)) }] as const];
  });
  return examples.length > 0 ? { examples: Object.fromEntries(examples) } : {};
}

/** In an address everything is text; in the document a number is a number. */
function typed(value: unknown): unknown {
  if (value === "true" || value === "false") return value === "true";
  return typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

/** The description of a parameter stands beside its schema, where readers look for it. */
function described({ description, ...schema }: JsonSchema): Pick<Parameter, "description" | "schema"> {
  return { ...(description ? { description } : {}), schema };
}

function members(schema: z.ZodType | undefined, book: SchemaBook) {
  if (!(schema instanceof z.ZodObject)) return [];
  const { properties = {}, required = [] } = book.of({ schema, direction: "input" });
  return Object.entries(properties).map(([name, member]) => ({
    name,
    schema: member,
    isRequired: required.includes(name),
  }));
}
