import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "@/app/api/endpoints";
import { CONTRACT_ROUTES } from "@/lib/testing/contract-routes";
import { endpointsModule } from "@/scripts/endpoints";

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const named = ENDPOINTS.map(({ spec }) => [nameOf(spec), spec] as const);

it("the list of endpoints is the one the route modules make", () => {
  expect(readFileSync(join(import.meta.dirname, "endpoints.ts"), "utf8")).toBe(endpointsModule());
});

it("no two endpoints share a method and a path", () => {
  const names = named.map(([name]) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe.each(named)("%s", (name, spec) => {
  const route = CONTRACT_ROUTES.find((candidate) => nameOf(candidate) === name);

  it("is a route of the contract, with its keys and its status", () => {
    expect(route).toBeDefined();
    const scopes = typeof spec.access === "string" ? [] : [...spec.access];
    expect({
      scopes: scopes.sort(),
      isOpen: spec.access === "none",
      isForSessions: spec.session ?? false,
      status: spec.status,
    }).toEqual({
      scopes: [...(route?.scopes ?? [])].sort(),
      isOpen: route?.isOpen,
      isForSessions: route?.isForSessions,
      status: route?.status,
    });
  });

  it("says what it is for, and shows a request when it takes a body", () => {
    expect(spec.summary.length).toBeGreaterThan(3);
    expect(spec.tag.length).toBeGreaterThan(3);
    if (spec.body) expect(Object.keys(spec.examples ?? {}).length).toBeGreaterThan(0);
  });

  it("declares a parameter for each name in its path", () => {
    const names = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param);
    const declared = spec.params && "shape" in spec.params ? Object.keys(spec.params.shape as object) : [];
    expect(declared.sort()).toEqual(names.sort());
  });
});
