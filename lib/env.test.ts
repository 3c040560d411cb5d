import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { type Env, type EnvSource, parseEnv, variables } from "@/lib/env";

const SECRETS = {
  TRILHO_KEK: Buffer.alloc(32, 7).toString("base64"),
  TRILHO_SECRET: "s".repeat(32),
  AUTH_SECRET: "a".repeat(32),
};

function accepted(source: EnvSource): Env {
  const parsed = parseEnv({ ...SECRETS, ...source });
  if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
  return parsed.value;
}

function problemsOf(source: EnvSource): string[] {
  const parsed = parseEnv({ ...SECRETS, ...source });
  return parsed.ok ? [] : parsed.problems;
}

describe("defaults", () => {
  it("listen on this machine only, at port 3000, when the database is embedded", () => {
    expect(accepted({})).toMatchObject({
      HOST: "127.0.0.1",
      PORT: 3000,
      BASE_URL: "http://localhost:3000",
      CHECKOUT_URL: "http://localhost:3000",
      TRILHO_DATA_DIR: resolve(".data"),
    });
  });

  it("listen everywhere when a database is given", () => {
    expect(accepted({ DATABASE_URL: "postgres://u:p@db/trilho" }).HOST).toBe("0.0.0.0");
  });

  it("follow the port and the base address that are given", () => {
    expect(accepted({ PORT: "4000" }).BASE_URL).toBe("http://localhost:4000");
    expect(accepted({ BASE_URL: "https://pay.example/" }).CHECKOUT_URL).toBe("https://pay.example");
  });

  it("take an empty variable as not set", () => {
    expect(accepted({ PORT: "", HOST: " " })).toMatchObject({ PORT: 3000, HOST: "127.0.0.1" });
  });
});

describe("RATE_LIMITS", () => {
  it.each([
    ["on", 1],
    ["off", Number.POSITIVE_INFINITY],
    ["40", 40],
    ["0.5", 0.5],
  ])("%s becomes %s", (text, factor) => {
    expect(accepted({ RATE_LIMITS: text }).RATE_LIMITS).toBe(factor);
  });

  it.each(["0", "-1", "yes"])("refuses %s", (text) => {
    expect(problemsOf({ RATE_LIMITS: text })).toEqual([expect.stringContaining("RATE_LIMITS must be on, off")]);
  });
});

describe("a malformed variable is refused with one line that names it", () => {
  it.each([
    ["PORT", "http", 'PORT must be a whole number from 1 to 65535 (it is "http")'],
    ["PORT", "70000", 'PORT must be a whole number from 1 to 65535 (it is "70000")'],
    ["TRILHO_ROLE", "server", 'TRILHO_ROLE must be one of web, worker, all (it is "server")'],
    ["BASE_URL", "pay.example", 'BASE_URL must be an address, starting with http:// or https:// (it is "pay.example")'],
    ["SANDBOX_ENABLED", "1", 'SANDBOX_ENABLED must be one of true, false (it is "1")'],
  ])("%s=%s", (name, value, line) => {
    expect(problemsOf({ [name]: value })).toEqual([line]);
  });

  it.each([
    ["TRILHO_KEK", "c2hvcnQ=", "TRILHO_KEK must be 32 bytes in base64, or several of them with commas between them"],
    ["AUTH_SECRET", "short-secret", "AUTH_SECRET must have at least 32 characters"],
    [
      "DATABASE_URL",
      "mysql://u:secret@h/d",
      "DATABASE_URL must be a PostgreSQL address, starting with postgres:// or postgresql://",
    ],
  ])("%s, without showing its value", (name, value, line) => {
    expect(problemsOf({ [name]: value })).toEqual([line]);
  });

  it("and every one of them is named, not only the first", () => {
    expect(problemsOf({ PORT: "x", LOG_LEVEL: "loud" })).toHaveLength(2);
  });

  it("when a secret is missing", () => {
    const parsed = parseEnv({});
    expect(parsed.ok ? [] : parsed.problems).toEqual(
      ["TRILHO_KEK", "TRILHO_SECRET", "AUTH_SECRET"].map((name) => expect.stringContaining(`${name} is missing`)),
    );
  });
});

it("refuses half a group of variables", () => {
  expect(problemsOf({ INNGEST_EVENT_KEY: "k" })).toEqual(["INNGEST_EVENT_KEY needs INNGEST_SIGNING_KEY too"]);
});

describe("the company's sign-in", () => {
  const given = (OIDC_ISSUER: string) => ({ OIDC_ISSUER, OIDC_CLIENT_ID: "trilho", OIDC_CLIENT_SECRET: "kept-back" });

  it.each(["https://login.empresa.example/", "https://login.empresa.example/realms/a", "http://127.0.0.1:9000"])(
    "%s is taken as it is written",
    (issuer) => {
      expect(accepted(given(issuer)).OIDC_ISSUER).toBe(issuer);
    },
  );

  it("is refused in part, and over plain http from another machine, without its secret in the words", () => {
    expect(problemsOf({ OIDC_ISSUER: "https://login.empresa.example" })).toEqual([
      "OIDC_ISSUER needs OIDC_CLIENT_ID, OIDC_CLIENT_SECRET too",
    ]);
    const lines = problemsOf(given("http://login.empresa.example"));
    expect(lines).toEqual(['OIDC_ISSUER must start with https:// (it is "http://login.empresa.example")']);
  });
});

describe("WEBHOOK_EGRESS_ADDRESSES", () => {
  it("is a list of addresses and networks", () => {
    expect(accepted({ WEBHOOK_EGRESS_ADDRESSES: "203.0.113.7, 2001:db8::/48" }).WEBHOOK_EGRESS_ADDRESSES).toEqual([
      "203.0.113.7",
      "2001:db8::/48",
    ]);
    expect(problemsOf({ WEBHOOK_EGRESS_ADDRESSES: "203.0.113.7,gateway" })).toEqual([
      expect.stringContaining("WEBHOOK_EGRESS_ADDRESSES must be IP addresses or networks"),
    ]);
  });
});

describe("MTLS_CLIENT_HEADER", () => {
  it("is a header's name, and only a proxy can vouch for it", () => {
    const name = { MTLS_CLIENT_HEADER: "X-Client-Subject" };
    expect(accepted({ ...name, TRUST_PROXY: "1" }).MTLS_CLIENT_HEADER).toBe("x-client-subject");
    expect(problemsOf(name)).toEqual(["MTLS_CLIENT_HEADER needs TRUST_PROXY too"]);
    expect(problemsOf({ MTLS_CLIENT_HEADER: "a b", TRUST_PROXY: "1" })).toEqual([
      expect.stringContaining("must be the name of a header"),
    ]);
  });
});

describe("PROVIDER_TEST_HOSTS", () => {
  const hostsOf = (given: unknown) => ({ PROVIDER_TEST_HOSTS: JSON.stringify(given) });

  it("names one address per kind, or one per role", () => {
    const given = { STRIPE: "http://127.0.0.1:4000/", BB: { api: "https://localhost:1", token: "http://[::1]:2" } };
    expect(accepted(hostsOf(given)).PROVIDER_TEST_HOSTS).toEqual({
      STRIPE: { api: "http://127.0.0.1:4000" },
      BB: { api: "https://localhost:1", token: "http://[::1]:2" },
    });
  });

  it.each([
    [{ STRIPE: "https://api.stripe.com" }, "must name addresses of this machine"],
    [{ STRIPE: "ftp://127.0.0.1" }, "must name addresses of this machine"],
    [{ STRIPE: { files: "http://127.0.0.1" } }, "may name api, token and query"],
    ["http://127.0.0.1", "must be JSON"],
  ])("%j is refused", (given, line) => {
    expect(problemsOf(hostsOf(given))).toEqual([expect.stringContaining(line)]);
  });
});

describe(".env.example", () => {
  const text = readFileSync(join(import.meta.dirname, "..", ".env.example"), "utf8");
  const listed = new Map(
    text
      .split("\n")
      .flatMap((line) => [/^# ([A-Z][A-Z0-9_]*)=(.*)$/.exec(line)])
      .flatMap((found) => (found ? [[found[1] ?? "", found[2] ?? ""] as const] : [])),
  );

  it("lists every variable, and none that is not read", () => {
    expect([...listed.keys()].sort()).toEqual(Object.keys(variables).sort());
  });

  it("gives the defaults that the code has", () => {
    expect(accepted(Object.fromEntries([...listed].filter(([name]) => !(name in SECRETS))))).toEqual(accepted({}));
    const given = new Set([...listed].filter(([, value]) => value !== "").map(([name]) => name));
    const withDefault = Object.entries(variables).filter(([, type]) => type.safeParse(undefined).data !== undefined);
    expect([...given].sort()).toEqual(withDefault.map(([name]) => name).sort());
  });
});
