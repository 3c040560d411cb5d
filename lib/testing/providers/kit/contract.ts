import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const SPECS = join(import.meta.dirname, "..", "specs");

type Json = Record<string, unknown>;
/** A node of a document: every member is looked at before it is used. */
type Node = { readonly [name: string]: Node | undefined } & { readonly type?: unknown };

export interface Exchanged {
  method: string;
  path: string;
  query?: URLSearchParams;
  body?: unknown;
}

/** A provider's published document, asked in both directions. Each answer lists what is wrong with what it was given. */
export interface Contract {
  requestBreaches(request: Exchanged): string[];
  answerBreaches(request: Exchanged, status: number, body: unknown): string[];
}

export interface Reading {
  document: unknown;
  dialect: "3.0" | "3.1";
  /** Of request bodies. */
  media: string;
  /** What precedes the paths of the document at the address that is called. */
  prefix?: string;
  /** Members of the query that this address wants besides the document's. */
  alsoAsked?: readonly string[];
}

export const specText = (file: string): string => readFileSync(join(SPECS, file), "utf8");
export const specDigest = (file: string): string =>
  createHash("sha256")
    .update(readFileSync(join(SPECS, file)))
    .digest("hex");

const FORMATS = ["int32", "int64", "unix-time", "decimal", "double", "float", "currency", "password", "base64"];

export function openContract({ document, dialect, media, prefix = "", alsoAsked = [] }: Reading): Contract {
  // Compiled once and asked a few hundred times: what is slow is the compiling.
  const options = { strict: false, allErrors: true, code: { optimize: false } } as const;
  const make = (coerceTypes: boolean) => {
    const ajv = dialect === "3.1" ? new Ajv2020({ ...options, coerceTypes }) : new Ajv({ ...options, coerceTypes });
    addFormats.default(ajv);
    for (const format of FORMATS) ajv.addFormat(format, true);
    ajv.addSchema(document as Json, "doc"); // Guarantee: a document is a JSON object.
    return ajv;
  };
  // A form knows texts alone.
  const isForm = media.includes("form");
  const [asking, answering] = [make(isForm), make(false)];
  const compiled = new Map<string, ValidateFunction>();
  const validator = (ajv: Ajv, pointer: readonly string[]): ValidateFunction => {
    const name = `${ajv === asking} ${pointer.join(" ")}`;
    const known = compiled.get(name) ?? ajv.compile({ $ref: `doc#/${pointer.map(escaped).join("/")}` });
    compiled.set(name, known);
    return known;
  };
  const paths = Object.entries((document as { paths: Record<string, Node> }).paths).map(([template, operations]) => ({
    template,
    operations,
    pattern: new RegExp(`^${prefix}${template.replace(/\{[^}]+\}/g, "[^/]+")}$`),
  }));
  const operationOf = ({ method, path }: Exchanged) => {
    // An address without a variable wins over one with.
    const found = paths
      .filter(({ pattern }) => pattern.test(path))
      .sort((a, b) => Number(a.template.includes("{")) - Number(b.template.includes("{")))[0];
    const operation = found?.operations[method.toLowerCase()];
    return found && operation ? { template: found.template, operation } : undefined;
  };
  return {
    requestBreaches(request) {
      const found = operationOf(request);
      if (!found) return [`${request.method} ${request.path} is not in the document`];
      const { template, operation } = found;
      const at = ["paths", template, request.method.toLowerCase()];
      const names = queryMembers(document, operation);
      const breaches = queryBreaches([...names, ...alsoAsked], template, request.query);
      const schema = follow(document, [...at, "requestBody", "content", media, "schema"]);
      if (request.method === "GET" || !schema) return breaches;
      const validate = validator(asking, schema);
      const isFine = validate(structuredClone(request.body ?? {}));
      return isFine ? breaches : [...breaches, ...said(`${request.method} ${template}`, validate.errors)];
    },
    answerBreaches(request, status, body) {
      const found = operationOf(request);
      if (!found) return [];
      const { template } = found;
      const at = ["paths", template, request.method.toLowerCase(), "responses"];
      const own = follow(document, [...at, String(status)]) ?? follow(document, [...at, "default"]);
      if (!own) return [`${request.method} ${template} never answers ${status}`];
      const type = Object.keys(nodeAt(document, [...own, "content"]) ?? {}).find((one) => one.includes("json"));
      const schema = type === undefined ? undefined : follow(document, [...own, "content", type, "schema"]);
      if (!schema) return [];
      const validate = validator(answering, schema);
      return validate(body) ? [] : said(`${status} of ${request.method} ${template}`, validate.errors);
    },
  };
}

/** Where a pointer leads once every reference on its way was followed. */
function follow(document: unknown, pointer: readonly string[]): string[] | undefined {
  let at: string[] = [];
  for (const part of ["", ...pointer]) {
    if (part !== "") at = [...at, part];
    const node = nodeAt(document, at);
    if (node === undefined) return undefined;
    const reference: unknown = node.$ref;
    if (typeof reference === "string" && reference.startsWith("#/")) {
      at = reference
        .slice(2)
        .split("/")
        .map((one) => decodeURIComponent(one.replaceAll("~1", "/").replaceAll("~0", "~")));
    }
  }
  return at;
}

const nodeAt = (document: unknown, pointer: readonly string[]): Node | undefined =>
  pointer.reduce<Node | undefined>((node, part) => node?.[part], document as Node); // A document is a JSON object.

const escaped = (part: string): string => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));

function queryMembers(document: unknown, operation: Node): string[] {
  const listed: unknown = operation.parameters ?? [];
  return (Array.isArray(listed) ? listed : []).flatMap((one: { in?: string; name?: string; $ref?: string }) => {
    const pointer = one.$ref === undefined ? undefined : follow(document, one.$ref.slice("#/".length).split("/"));
    const named: unknown = pointer ? nodeAt(document, pointer) : one;
    const { in: place, name } = named as { in?: unknown; name?: unknown }; // Both are objects.
    return place === "query" && typeof name === "string" ? [name] : [];
  });
}

const queryBreaches = (names: readonly string[], template: string, query = new URLSearchParams()): string[] =>
  [...query.keys()]
    .map((name) => name.replace(/\[.*$/, ""))
    .filter((name) => !names.includes(name))
    .map((name) => `${template} has no member ${name} in its query`);

const MOST_SAID = 5;
const said = (where: string, errors: ErrorObject[] | null | undefined): string[] =>
  (errors ?? [])
    .slice(0, MOST_SAID)
    .map(({ instancePath, message, params }) => `${where}: ${instancePath} ${message} ${JSON.stringify(params)}`);

/** OpenAPI 3.0 says `nullable` where JSON Schema has a type of its own. */
export function withNulls(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNulls);
  if (typeof node !== "object" || node === null) return node;
  const { nullable, ...rest } = Object.fromEntries(Object.entries(node).map(([name, one]) => [name, withNulls(one)]));
  if (nullable !== true) return nullable === undefined ? rest : { ...rest, nullable };
  return { anyOf: [rest, { type: "null" }] };
}
