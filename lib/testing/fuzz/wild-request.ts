import type { TestClient } from "@/lib/testing/api";
import { requestOf } from "@/lib/testing/api-client";
import { BODIES, HEADERS, METHODS, QUERIES, SEGMENTS, TEXTS } from "@/lib/testing/fuzz/hostile";
import { mutated, textOf } from "@/lib/testing/fuzz/mutate";
import type { Random } from "@/lib/testing/fuzz/random";
import { optionsOf, type PreparedRequest, pathOf } from "@/lib/testing/fuzz/requests";

export interface WildRequest {
  request: Request;
  /** For the message of a failure. */
  text: string;
}

const SHOWN = 2_000;

/** A valid request with one or more of its parts spoiled; now and then none is. */
export function wildRequest(random: Random, client: TestClient, base: PreparedRequest): WildRequest {
  const { spec } = base;
  const method = random.chance(3) ? random.pick(METHODS) : spec.method;
  const path = random.chance(12) ? spoiledPath(random, base) : pathOf(base);
  const query = random.chance(spec.query ? 40 : 5) ? spoiledQuery(random, base) : queryOf(base);
  const headers: Record<string, string> = {};
  for (let count = random.chance(25) ? 1 + random.below(3) : 0; count > 0; count--) {
    const [name, value] = random.pick(HEADERS);
    headers[name] = value;
  }
  const raw = method === "GET" || method === "HEAD" ? undefined : bodyOf(random, base);
  if (raw !== undefined) headers["content-type"] ??= "application/json";
  const { idempotencyKey, key } = optionsOf(base);
  const address = `${path}${query ? `?${query}` : ""}`;
  const request = requestOf(client, method, address, {
    headers,
    ...(raw === undefined ? {} : { raw }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(key === undefined ? {} : { key }),
  });
  const body = typeof raw === "string" ? raw : raw && Buffer.from(raw).toString("hex");
  return { request, text: `${method} ${address} ${JSON.stringify(headers)} ${body ?? ""}`.slice(0, SHOWN) };
}

type RawBody = string | Uint8Array<ArrayBuffer>;

function bodyOf(random: Random, { spec, body }: PreparedRequest): RawBody | undefined {
  if (random.chance(15)) return random.pick(BODIES);
  if (body === undefined) return random.chance(20) ? textOf(random, mutated(random, {})) : undefined;
  if (random.chance(spec.body ? 90 : 30)) return textOf(random, mutated(random, body));
  const text = JSON.stringify(body);
  return random.chance(30) ? text.slice(0, random.below(text.length)) : text;
}

const queryOf = ({ query }: PreparedRequest): string => new URLSearchParams(query).toString();

function spoiledQuery(random: Random, { query, spec }: PreparedRequest): string {
  if (random.chance(50)) return random.pick(QUERIES);
  const shape = spec.query && "shape" in spec.query ? Object.keys(spec.query.shape as object) : [];
  const name = random.pick([...shape, ...Object.keys(query), "page"]);
  const value = new URLSearchParams({ value: random.pick(TEXTS) }).toString().slice("value=".length);
  const twice = random.chance(10) ? `&${name}=${value}` : "";
  return `${name}=${value}${twice}`;
}

function spoiledPath(random: Random, base: PreparedRequest): string {
  const names = Object.keys(base.params);
  if (names.length === 0) return `${pathOf(base)}${random.pick(["/", "//", "/%00", "/x", ".json", "?", "%"])}`;
  const name = random.pick(names);
  const text = random.pick(SEGMENTS);
  return pathOf({ ...base, params: { ...base.params, [name]: "SPOILED" } }).replace("SPOILED", () => text);
}
