import { Ajv2020, type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import type { EndpointSpec } from "@/lib/http/endpoint";
import type { JsonSchema, OpenApiDocument } from "@/lib/http/openapi/document";
import { mapSchema } from "@/lib/http/openapi/json-schema";

const NAME = "trilho";
const JSON_TYPE = "application~1json";

export interface DocumentValidator {
  /** What is wrong with a body sent to, or answered by, an endpoint; undefined where the document names no such body. */
  requestProblems(spec: EndpointSpec, body: unknown): string[] | undefined;
  replyProblems(spec: EndpointSpec, status: number, body: unknown): string[] | undefined;
}

/** Judges bodies by the published document alone. */
export function documentValidator(document: OpenApiDocument): DocumentValidator {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ $id: NAME, ...closed(document) });
  const compiled = new Map<string, ValidateFunction>();
  const problems = (pointer: string, body: unknown): string[] => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${NAME}#${pointer}` });
    compiled.set(pointer, validate);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
    );
  };
  return {
    requestProblems(spec, body) {
      const at = `${pointerOf(spec)}/requestBody/content/${JSON_TYPE}/schema`;
      return document.paths[spec.path]?.[spec.method.toLowerCase()]?.requestBody ? problems(at, body) : undefined;
    },
    replyProblems(spec, status, body) {
      const answer = document.paths[spec.path]?.[spec.method.toLowerCase()]?.responses[status];
      if (!answer) return undefined;
      // A file is what it is.
      if ("content" in answer && answer.content && !answer.content["application/json"]) return [];
      const at = "$ref" in answer ? answer.$ref.slice(1) : `${pointerOf(spec)}/responses/${status}`;
      return problems(`${at}/content/${JSON_TYPE}/schema`, body);
    },
  };
}

const pointerOf = ({ path, method }: EndpointSpec): string =>
  `/paths/${encodeURIComponent(path.replaceAll("/", "~1"))}/${method.toLowerCase()}`;

/** Answers may grow, so the document leaves them open; here a member that it does not name is a mistake. */
function closed(document: OpenApiDocument): OpenApiDocument {
  const close = (schema: JsonSchema): JsonSchema =>
    schema.properties && schema.additionalProperties === undefined && !schema.anyOf && !schema.oneOf && !schema.allOf
      ? { ...schema, additionalProperties: false }
      : schema;
  const schemas = Object.entries(document.components.schemas);
  const closedSchemas = Object.fromEntries(schemas.map(([name, schema]) => [name, mapSchema(schema, close)]));
  return { ...document, components: { ...document.components, schemas: closedSchemas } };
}
