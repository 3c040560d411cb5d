import SwaggerParser from "@apidevtools/swagger-parser";
import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "@/app/api/endpoints";
import { productDocument } from "@/app/api/openapi.json/document";
import { GET } from "@/app/api/openapi.json/route";
import { BUSINESS_CODES } from "@/lib/errors";
import type { DocumentedOperation, JsonSchema, OpenApiDocument } from "@/lib/http/openapi/document";
import { mapSchema } from "@/lib/http/openapi/json-schema";
import { operationIdOf } from "@/lib/http/openapi/names";
import { CONTRACT_ROUTES } from "@/lib/testing/contract-routes";
import { documentValidator } from "@/lib/testing/fuzz/document";

/** Authentication by the issuer and notifications of providers come with their own areas. */
const NOT_BUILT = /\/(?:3ds|notifications)(?:\/|$)/;

const document = productDocument();
const operations = ENDPOINTS.map(({ spec }) => {
  // Guarantee: the test that every endpoint has its operation stands below.
  const operation = document.paths[spec.path]?.[spec.method.toLowerCase()] as DocumentedOperation;
  return [`${spec.method} ${spec.path}`, spec, operation] as const;
});

describe("the document", () => {
  it("is valid OpenAPI 3.1", async () => {
    // Guarantee: the parser takes any object, and its own types lag behind 3.1.
    const copy = structuredClone(document) as unknown as Parameters<typeof SwaggerParser.validate>[0];
    await expect(SwaggerParser.validate(copy)).resolves.toBeDefined();
  });

  it("has every endpoint, and nothing else", () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.sort()).toEqual(operations.map(([name]) => name).sort());
  });

  it("has every route of the contract in the areas that are built", () => {
    const built = ["auth", "tokens", "cards", "customers", "charges", "merchants", "providers", "sandbox"];
    const missing = CONTRACT_ROUTES.filter(({ path }) => built.includes(path.split("/")[2] ?? ""))
      .map(({ method, path }) => `${method} ${path}`)
      .filter((name) => !NOT_BUILT.test(name) && !operations.some(([known]) => known === name));
    expect(missing).toEqual([]);
  });

  it("is served as it is, to any origin, and may be kept", async () => {
    const answer = GET();
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it("names its version, its licence and both headers of a caller", () => {
    expect(document.info.version).toBe("0.5");
    expect(document.info.license.identifier).toBe("Apache-2.0");
    expect(document.security).toEqual([{ clientId: [], apiKey: [] }]);
    expect(Object.values(document.components.securitySchemes).map(({ name }) => name)).toEqual([
      "X-Client-Id",
      "X-Api-Key",
    ]);
  });

  it("gives every operation a name of its own", () => {
    const ids = operations.map(([, , { operationId }]) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
  });

  it("describes every tag", () => {
    expect(document.tags.filter(({ name, description }) => name === description)).toEqual([]);
  });

  it("shows ids where the declarations have placeholders", () => {
    expect(JSON.stringify(document)).not.toContain("{{");
  });

  it("knows the type of every member it answers, or says what it may be", () => {
    expect(untyped(document)).toEqual([]);
  });
});

describe.each(operations)("%s", (_, spec, operation) => {
  const validator = documentValidator(document);

  it("shows requests that its own schema takes", () => {
    const examples = operation.requestBody?.content["application/json"]?.examples ?? {};
    for (const [name, { value }] of Object.entries(examples)) {
      expect([name, validator.requestProblems(spec, value)]).toEqual([name, []]);
    }
  });

  it("shows refusals that its own schema takes, under their status", () => {
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      const resolved = "$ref" in answer ? document.components.responses[answer.$ref.split("/").at(-1) ?? ""] : answer;
      const examples = Object.values(resolved?.content?.["application/json"]?.examples ?? {});
      expect(examples.length, status).toBeGreaterThan(0);
      for (const { value } of examples) {
        expect(value).toMatchObject({ error: { code: Number(status) } });
        expect(validator.replyProblems(spec, Number(status), value)).toEqual([]);
      }
    }
  });

  it("lists its business codes under their status, and asks for the credentials it needs", () => {
    for (const code of spec.errors ?? []) {
      const answer = operation.responses[BUSINESS_CODES[code].status];
      expect(answer && "description" in answer ? answer.description : "", code).toContain(`\`${code}\``);
    }
    expect(operation.security).toEqual(spec.access === "none" ? [] : document.security);
    expect(operation.responses[401] !== undefined).toBe(spec.access !== "none");
  });
});

describe("operation names", () => {
  it.each([
    ["GET", "/v1/charges", true, "listCharges"],
    ["POST", "/v1/charges", false, "createCharge"],
    ["GET", "/v1/charges/{id}", false, "getCharge"],
    ["POST", "/v1/charges/{id}", false, "setCharge"],
    ["POST", "/v1/charges/{id}/capture", false, "captureCharge"],
    ["PUT", "/v1/merchants/{merchantId}/platform-fee", false, "replaceMerchantPlatformFee"],
    ["GET", "/v1/sellers/{id}/registration-reviews/{reviewId}", false, "getSellerRegistrationReview"],
    ["PATCH", "/v1/subscriptions/{id}/cancel", false, "cancelSubscription"],
    ["GET", "/v1/sandbox/settings", false, "getSandboxSettings"],
    ["DELETE", "/v1/auth/{publicKey}", false, "deletePublicKey"],
  ] as const)("%s %s is %s %s", (method, path, isList, name) => {
    expect(operationIdOf({ method, path }, isList)).toBe(name);
  });
});

/** Members that could be anything and do not say why: a conversion that lost its type. */
function untyped({ paths, components }: OpenApiDocument): string[] {
  const found: string[] = [];
  const look = (where: string, schema: JsonSchema) =>
    mapSchema(schema, (part) => {
      for (const [name, member] of Object.entries(part.properties ?? {})) {
        const { examples: _, ...keywords } = member;
        if (Object.keys(keywords).length === 0) found.push(`${where}: ${name}`);
      }
      return part;
    });
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      for (const answer of Object.values(responses)) {
        const schema = "content" in answer ? answer.content?.["application/json"]?.schema : undefined;
        if (schema) look(`${method} ${path}`, schema);
      }
    }
  }
  for (const [name, schema] of Object.entries(components.schemas)) look(name, schema);
  return found;
}
