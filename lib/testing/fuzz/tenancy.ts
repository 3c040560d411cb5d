import postgres from "postgres";
import type { EndpointSpec } from "@/lib/http/endpoint";
import { openApiDocument } from "@/lib/http/openapi";
import type { JsonSchema, OpenApiDocument } from "@/lib/http/openapi/document";
import type { TestClient } from "@/lib/testing/api";
import type { Reply } from "@/lib/testing/api-client";
import { kindOfBody, kindOfMember, kindOfSegment } from "@/lib/testing/fuzz/kinds";
import { examplesOf, type PreparedRequest, prepare, send } from "@/lib/testing/fuzz/requests";
import type { Kind } from "@/lib/testing/fuzz/world";

/** One place of one request where an id stands. */
export interface Cell {
  name: string;
  spec: EndpointSpec;
  kind: Kind | undefined;
  /** With objects that were not used yet; what was refused may be asked again as it is. */
  request: PreparedRequest;
  prepare(): Promise<PreparedRequest>;
  /** The request with another id at the place. */
  withId(request: PreparedRequest, id: string): PreparedRequest;
}

type BodyPath = readonly (string | number)[];

/** Every place for an id in every request the declarations show, and in those their schemas allow beside it. */
export async function cellsOf(client: TestClient, spec: EndpointSpec): Promise<Cell[]> {
  const cells: Cell[] = [];
  const seen = new Set<string>();
  const { bodyPlaces, queryPlaces } = idPlaces(spec);
  const shown = new Set(examplesOf(spec).flatMap(({ query }) => Object.keys(query ?? {})));
  for (const [index, example] of examplesOf(spec).entries()) {
    const request = await prepare(client, spec, example);
    const made: Omit<Cell, "request">[] = [];
    const add = (where: string, kind: Kind | undefined, withId: Cell["withId"]) => {
      if (seen.has(where)) return;
      seen.add(where);
      const name = `${spec.method} ${spec.path} ${where}`;
      made.push({ name, spec, kind, prepare: () => prepare(client, spec, example), withId });
    };
    for (const parameter of Object.keys(request.params)) {
      add(`path ${parameter}`, kindOfParameter(spec, parameter), (sent, id) => ({
        ...sent,
        params: { ...sent.params, [parameter]: id },
      }));
    }
    for (const name of queryPlaces) {
      // Where an example shows it, whatever it needs beside it is there.
      if (shown.has(name) && !(name in request.query)) continue;
      const kind = name === "id" ? kindOfCollection(spec.path) : kindOfMember(name);
      add(`query ${name}`, kind, (sent, id) => ({ ...sent, query: { ...sent.query, [name]: id } }));
    }
    // Members that no example shows are tried in the first one.
    const places = [...idsIn(request.body), ...(index === 0 ? bodyPlaces : [])];
    for (const place of places) {
      const isOwn = place.length === 1 && place[0] === "id";
      const named = kindOfMember(String(place.at(-1))) ?? kindOfMember(place.slice(-2).join("."));
      const kind = isOwn ? kindOfBody(spec.path) : named;
      add(`body ${place.join(".")}`, kind, (sent, id) => ({ ...sent, body: withMember(sent.body, place, id) }));
    }
    // A write of one cell must not use up what another one needs.
    for (const cell of made) cells.push({ ...cell, request: await cell.prepare() });
  }
  return cells;
}

const kindOfParameter = (spec: EndpointSpec, parameter: string): Kind | undefined =>
  kindOfSegment(spec.path, parameter) ?? kindOfMember(parameter);

const kindOfCollection = (path: string): Kind | undefined => kindOfSegment(`${path}/{id}`, "id");

interface IdPlaces {
  bodyPlaces: BodyPath[];
  queryPlaces: string[];
}

/** Members with the format of an id, outside the choices that only examples can make. */
function idPlaces(spec: EndpointSpec): IdPlaces {
  const document = openApiDocument([spec]);
  const operation = document.paths[spec.path]?.[spec.method.toLowerCase()];
  const queryPlaces = (operation?.parameters ?? []).flatMap((parameter) =>
    "in" in parameter && parameter.in === "query" && parameter.schema.format === "uuid" ? [parameter.name] : [],
  );
  const body = operation?.requestBody?.content["application/json"]?.schema;
  return { queryPlaces, bodyPlaces: body ? idMembers(body, document) : [] };
}

function idMembers(schema: JsonSchema, document: OpenApiDocument, path: BodyPath = []): BodyPath[] {
  const name = schema.$ref?.split("/").at(-1);
  const found = name === undefined ? schema : (document.components.schemas[name] ?? {});
  // An optional member is its schema, or null.
  const [only, ...others] = (found.anyOf ?? []).filter(({ type }) => type !== "null");
  if (only && others.length === 0) return idMembers(only, document, path);
  if (found.format === "uuid") return [path];
  return Object.entries(found.properties ?? {}).flatMap(([member, inner]) =>
    idMembers(inner, document, [...path, member]),
  );
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function idsIn(value: unknown, path: BodyPath = []): BodyPath[] {
  if (typeof value === "string") return UUID.test(value) ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => idsIn(member, [...path, name]));
}

function withMember(value: unknown, [head, ...rest]: BodyPath, id: string): unknown {
  if (head === undefined) return id;
  const copy: Record<string | number, unknown> = { ...(value as Record<string, unknown>) };
  copy[head] = withMember(copy[head], rest, id);
  return Array.isArray(value) ? Object.values(copy) : copy;
}

const ANY_UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const ANY_INSTANT = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g;
const ANY_DURATION = /"\d+ms"/g;

/** Status and bytes; what is new in every success is left out of it. */
export function shape({ status, text }: Reply, id: string): string {
  const plain = text.replaceAll(id, "<the id>");
  const same =
    status < 300 ? plain.replace(ANY_UUID, "<id>").replace(ANY_INSTANT, "<at>").replace(ANY_DURATION, "<ms>") : plain;
  return `${status} ${same}`;
}

export async function ask(client: TestClient, cell: Cell, id: string): Promise<string> {
  const reply = await send(client, cell.withId(cell.request, id));
  // Accepted: its token is used up, and the same request would not be the same a second time.
  if (reply.status < 300 && cell.spec.method !== "GET") cell.request = await cell.prepare();
  return shape(reply, id);
}

/** The owner's connection: no role, no row security. */
export function ownerSql(): postgres.Sql {
  return postgres(process.env.DATABASE_OWNER_URL ?? "", { max: 1, onnotice: () => undefined });
}

/** Who is at work on a row, and for how long: whoever looks takes a lease first, and gives it back. And when a key was used. */
const LEASES = ["epoch", "lease_until", "last_used_at", "last_used_from"];

/** One text that changes with any row of the client, in any table of any schema; the log of requests apart. */
export async function rowsOf(sql: postgres.Sql, clientId: string): Promise<Record<string, string>> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select n.nspname as schema, c.relname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id' and not a.attisdropped
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'vault')
       and c.relname <> 'request_logs'
     order by 1, 2`;
  const digests: Record<string, string> = {};
  for (const { schema, name } of tables) {
    const [row] = await sql<{ digest: string | null }[]>`
      select md5(string_agg(kept, '|' order by kept)) as digest
        from (select (to_jsonb(t) - ${LEASES}::text[])::text as kept
                from ${sql(schema)}.${sql(name)} t where t.client_id = ${clientId})`;
    digests[`${schema}.${name}`] = row?.digest ?? "";
  }
  return digests;
}
