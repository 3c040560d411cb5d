import type { EndpointSpec } from "@/lib/http/endpoint";
import { placeholdersIn, withoutPlaceholders } from "@/lib/http/openapi/placeholders";
import { newId } from "@/lib/ids";
import { aKey, type TestClient } from "@/lib/testing/api";
import type { CallOptions } from "@/lib/testing/api-client";
import { kindOfMember } from "@/lib/testing/fuzz/kinds";
import { placeFor } from "@/lib/testing/fuzz/places";
import { MAKERS } from "@/lib/testing/fuzz/world";

export interface NamedExample {
  name: string;
  body?: unknown;
  query?: Record<string, string>;
}

/** What the declaration shows; an endpoint that shows nothing is called plainly. */
export function examplesOf(spec: EndpointSpec): NamedExample[] {
  const shown = Object.entries(spec.examples ?? {}).map(([name, { body, query }]) => ({ name, body, query }));
  return shown.length > 0 ? shown : [{ name: "plain" }];
}

export interface PreparedRequest {
  spec: EndpointSpec;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  /** A session's, where no other key is let in. */
  key?: string | undefined;
  form?: FormData | undefined;
}

/** The example with objects of this client behind every placeholder and every parameter of the path. */
export async function prepare(client: TestClient, spec: EndpointSpec, example: NamedExample): Promise<PreparedRequest> {
  const { params, query, key, form, ids: own } = await placeFor(client, spec);
  const ids = new Map(Object.entries(own ?? {}));
  for (const name of placeholdersIn([example.body, example.query])) {
    if (ids.has(name)) continue;
    const kind = kindOfMember(name);
    ids.set(name, kind ? await MAKERS[kind](client) : newId());
  }
  const resolve = (name: string) => ids.get(name) ?? "";
  return {
    spec,
    key,
    form,
    params,
    // Guarantee: resolving keeps the shape.
    query: { ...query, ...(withoutPlaceholders(example.query ?? {}, resolve) as Record<string, string>) },
    body:
      spec.method === "GET" ? undefined : withoutPlaceholders(example.body ?? (spec.body ? {} : undefined), resolve),
  };
}

export const pathOf = ({ spec, params }: Pick<PreparedRequest, "spec" | "params">): string =>
  spec.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));

export function optionsOf({ spec, query, body, key, form }: PreparedRequest): CallOptions {
  return {
    query,
    ...(key === undefined ? {} : { key }),
    ...(form ? { raw: form } : body === undefined ? {} : { body }),
    ...(spec.idempotency === "required" ? { idempotencyKey: aKey() } : {}),
  };
}

export const send = (client: TestClient, request: PreparedRequest) =>
  client.call(request.spec.method, pathOf(request), optionsOf(request));
