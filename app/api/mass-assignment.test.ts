import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "@/app/api/endpoints";
import type { EndpointSpec } from "@/lib/http/endpoint";
import { openApiDocument } from "@/lib/http/openapi";
import type { JsonSchema, OpenApiDocument } from "@/lib/http/openapi/document";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { examplesOf, prepare, send } from "@/lib/testing/fuzz/requests";
import { ownerSql } from "@/lib/testing/fuzz/tenancy";

/** Values that can be found again wherever they end up. */
const MARK = "mass-assigned";
const MARKED_ID = newId();
const MARKED_AT = "2001-02-03T04:05:06.789Z";
const MARKED_NUMBER = 987_654_321;

/** Columns and rights that no schema names but somebody might try. */
const ALWAYS: Record<string, unknown> = {
  id: MARKED_ID,
  clientId: MARKED_ID,
  client_id: MARKED_ID,
  createdByKey: MARKED_ID,
  sessionId: MARKED_ID,
  isAdmin: true,
  mode: "live",
  scopes: ["*"],
  requestId: MARK,
  idempotencyKey: MARK,
  createdAt: MARKED_AT,
  updatedAt: MARKED_AT,
  deletedAt: MARKED_AT,
};

const writers = ENDPOINTS.map(({ spec }) => spec).filter(
  ({ body, method, envelope }) => body && method !== "GET" && envelope !== "purchases",
);

let sql: postgres.Sql;
beforeAll(() => {
  sql = ownerSql();
});
afterAll(() => sql.end());

describe.each(writers.map((spec) => [`${spec.method} ${spec.path}`, spec] as const))("%s", (_, spec) => {
  it("ignores members that are only answered", async () => {
    const [example] = examplesOf(spec);
    if (!example) throw new Error("an endpoint has at least one example");
    const [plainClient, client] = [await openClient(), await openClient()];
    const plain = await send(plainClient, await prepare(plainClient, spec, example));
    const request = await prepare(client, spec, example);
    const extra = readOnlyMembers(spec, request.body);
    const reply = await send(client, { ...request, body: withMembers(request.body, extra) });
    expect([reply.status, reply.error ?? undefined]).toEqual([spec.status, undefined]);
    for (const mark of [MARK, MARKED_ID, MARKED_AT, String(MARKED_NUMBER)]) expect(reply.text).not.toContain(mark);
    expect(await tablesWithMarks(client.clientId)).toEqual([]);
    const [given, expected] = [scalarsOf(reply.body, extra), scalarsOf(plain.body, extra)];
    expect(given).toEqual(expected);
  });
});

/** Members of the answer that the request has not, each with a value of its type that it would not have by itself. */
function readOnlyMembers(spec: EndpointSpec, body: unknown): Record<string, unknown> {
  const document = openApiDocument([spec]);
  const operation = document.paths[spec.path]?.[spec.method.toLowerCase()];
  const answer = operation?.responses[spec.status];
  const schema = answer && "content" in answer ? answer.content?.["application/json"]?.schema : undefined;
  const taken = propertiesOf(operation?.requestBody?.content["application/json"]?.schema, document);
  const answered = Object.entries(propertiesOf(schema, document)).map(([name, member]) => [name, markOf(member)]);
  const sent = Array.isArray(body) ? (body[0] ?? {}) : body;
  const isFree = ([name]: unknown[]) => typeof name === "string" && !(name in taken) && !(name in (sent as object));
  return Object.fromEntries([...Object.entries(ALWAYS), ...answered].filter(isFree));
}

function propertiesOf(schema: JsonSchema | undefined, document: OpenApiDocument): Record<string, JsonSchema> {
  if (!schema) return {};
  if (schema.type === "array") return propertiesOf(schema.items, document);
  const name = schema.$ref?.split("/").at(-1);
  if (name !== undefined) return propertiesOf(document.components.schemas[name], document);
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  return Object.assign({}, schema.properties, ...choices.map((choice) => propertiesOf(choice, document)));
}

function markOf(schema: JsonSchema): unknown {
  const inner = schema.anyOf?.find(({ type }) => type !== "null");
  if (inner) return markOf(inner);
  if (schema.enum) return schema.enum.at(-1);
  if (schema.format === "uuid") return MARKED_ID;
  if (schema.format === "date-time") return MARKED_AT;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "integer" || type === "number") return MARKED_NUMBER;
  if (type === "boolean") return true;
  if (type === "array") return [{ id: MARKED_ID, name: MARK }];
  return type === "string" ? MARK : { id: MARKED_ID, name: MARK };
}

/** Beside the members of the body, and of the objects in its lists. */
function withMembers(body: unknown, extra: Record<string, unknown>): unknown {
  if (Array.isArray(body)) return body.map((item) => withMembers(item, extra));
  if (typeof body !== "object" || body === null) return body;
  const members = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? withObjects(value) : value,
  ]);
  return { ...Object.fromEntries(members), ...extra };
}
const withObjects = (list: unknown[]): unknown[] =>
  list.map((item) => (typeof item === "object" && item !== null ? { ...item, ...ALWAYS } : item));

/** Ids, instants, keys, digests and links that are each account's own. */
const NEW_EACH_TIME =
  /^[0-9a-f]{8}-|\/[0-9a-f]{8}-[0-9a-f-]{27}$|^\d{4}-\d{2}-\d{2}T|^[\w-]{43}$|^[0-9a-f]{64}$|^-----BEGIN|^eyJ|[?&]token=[\w-]{43}$/;

/** Status, flags and sums have no mark: they must be what they are without the attempt. */
function scalarsOf(body: unknown, extra: Record<string, unknown>): [string, unknown][] {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof first !== "object" || first === null) return [];
  return Object.entries(first)
    .filter(([name, value]) => name in extra && (typeof value !== "object" || value === null))
    .map(([name, value]) => [name, typeof value === "string" && NEW_EACH_TIME.test(value) ? "<new>" : value]);
}

async function tablesWithMarks(clientId: string): Promise<string[]> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select n.nspname as schema, c.relname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id' and not a.attisdropped
     where c.relkind = 'r' and n.nspname in ('public', 'vault') and c.relname <> 'request_logs'`;
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const rows = await sql`
      select 1 from ${sql(schema)}.${sql(name)} t
       where t::text like any(${[MARK, MARKED_ID, "2001-02-03"].map((mark) => `%${mark}%`)})
          and (t.client_id = ${clientId} or t.client_id = ${MARKED_ID}) limit 1`;
    if (rows.length > 0) found.push(name);
  }
  return found;
}
