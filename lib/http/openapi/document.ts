/** The parts of OpenAPI 3.1 that the document uses. */

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  additionalProperties?: boolean | JsonSchema;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  [keyword: string]: unknown;
}

export interface Reference {
  $ref: string;
}

export interface DocumentedExample {
  summary: string;
  value: unknown;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, DocumentedExample>;
}

export interface MediaType {
  schema: JsonSchema;
  examples?: Record<string, DocumentedExample>;
}

export interface DocumentedAnswer {
  description: string;
  headers?: Record<string, Reference | { description: string; schema: JsonSchema }>;
  content?: Record<string, MediaType>;
}

export interface DocumentedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: Record<string, MediaType> };
  responses: Record<string, DocumentedAnswer | Reference>;
}

export interface OpenApiDocument {
  openapi: "3.1.1";
  info: { title: string; version: string; summary: string; description: string; license: Record<string, string> };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  security: Record<string, string[]>[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks?: Record<string, { post: DocumentedOperation }>;
  components: {
    securitySchemes: Record<string, Record<string, string>>;
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, { description: string; schema: JsonSchema }>;
    responses: Record<string, DocumentedAnswer>;
  };
}

const POINTER = "#/components/";
export const schemaRef = (name: string): { $ref: string } => ({ $ref: `${POINTER}schemas/${name}` });
export const parameterRef = (name: string): Reference => ({ $ref: `${POINTER}parameters/${name}` });
export const headerRef = (name: string): Reference => ({ $ref: `${POINTER}headers/${name}` });
export const answerRef = (name: string): Reference => ({ $ref: `${POINTER}responses/${name}` });
