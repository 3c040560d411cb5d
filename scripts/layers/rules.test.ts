import { describe, expect, it } from "vitest";
import { circles, deadEdges, notAllowed } from "@/scripts/layers/folders";
import { doubledNames } from "@/scripts/layers/names";
import { type Breach, breachesIn, brokenLists, deadNames } from "@/scripts/layers/rules";
import { parseSource, readSources } from "@/scripts/layers/sources";
import { untoldFolders } from "@/scripts/layers/told";

const linesOf = (files: Record<string, string>): string[] =>
  breachesIn(Object.entries(files).map(([path, text]) => parseSource(path, text))).map(shown);
const shown = ({ path, line, why }: Breach) => `${path}:${line} ${why.split(":")[0]}`;

describe("edges between the folders of lib", () => {
  it.each([
    ["lib/money.ts", "lib/charges/service"],
    ["lib/providers/sandbox/adapter.ts", "lib/payments/attempts"],
    ["lib/payments/attempts.ts", "lib/customers/queries"],
    ["lib/customers/service.ts", "lib/charges/queries"],
    ["lib/customers/service.ts", "lib/cards/queries"],
    ["lib/documents.ts", "lib/brazil/cpf-cnpj"],
    ["lib/operators/team.ts", "lib/sign-in/invitations"],
    ["lib/scheduler/drain.ts", "lib/providers/sandbox/api/clock"],
    ["lib/charges/service.ts", "components/charges/list"],
    ["db/client.ts", "lib/env"],
    ["components/charges/list.tsx", "app/api/registry"],
    ["lib/charges/service.ts", "lib/purchases/machine"],
    ["lib/vault/cards.ts", "lib/payments/attempts"],
  ])("%s may not import %s", (path, other) => {
    expect(linesOf({ [path]: `import { x } from "@/${other}";` })).not.toEqual([]);
    expect(linesOf({ [path]: `import {\n  x,\n} from "@/${other}";\n` })[0]).toContain(`${path}:3`);
  });

  it.each([
    ["lib/charges/service.ts", "lib/payments/attempts"],
    ["lib/payments/attempts.ts", "lib/providers/provider"],
    ["lib/cards/links.ts", "lib/customers/service"],
    ["lib/providers/sandbox/api/clock.ts", "lib/scheduler/clock"],
    ["lib/providers/routing.ts", "lib/money"],
    ["app/api/v1/charges/route.ts", "lib/charges/service"],
  ])("%s may import %s", (path, other) => {
    expect(linesOf({ [path]: `import { x } from "@/${other}";` })).toEqual([]);
  });

  it("sees exports and dynamic imports too", () => {
    expect(linesOf({ "lib/money.ts": 'export { x } from "@/lib/charges/a";' })).toHaveLength(1);
    expect(linesOf({ "lib/money.ts": 'const x = await import("@/lib/charges/a");' })).toHaveLength(1);
  });
});

describe("the list of edges", () => {
  const source = (path: string, text = "") => parseSource(path, text);
  const importing = (other: string) => `import { x } from "@/lib/${other}/service";`;

  it("knows every folder: a new one says what it imports", () => {
    expect(notAllowed(source("lib/novelties/service.ts"))).toEqual([
      expect.objectContaining({ path: "lib/novelties/service.ts", why: expect.stringContaining("is a new folder") }),
    ]);
  });

  it("takes a package for no folder of the same name", () => {
    expect(notAllowed(source("lib/engine/driver.ts", 'import { x } from "inngest";'))).toEqual([]);
  });

  it("has no circle, however long, but for known debts that still close one", () => {
    const edges = { a: ["b"], b: ["c"], c: ["a", "d"], d: [] };
    const whys = (debts: [string, string][]) => circles({ edges, debts }).map(({ why }) => why);
    expect(whys([])).toEqual(["folders in a circle: a, b, c"]);
    expect(whys([["c", "a"]])).toEqual([]);
    expect(
      whys([
        ["c", "a"],
        ["c", "d"],
      ]),
    ).toEqual([expect.stringContaining("c → d closes no circle")]);
    expect(
      whys([
        ["c", "a"],
        ["d", "a"],
      ]),
    ).toEqual([expect.stringContaining("d → a closes no circle")]);
  });

  it("names no folder and no edge that does not exist", () => {
    const sources = [source("lib/a/service.ts", importing("b")), source("lib/b/service.ts")];
    const whys = (edges: Record<string, string[]>) => deadEdges(sources, { edges, debts: [] }).map(({ why }) => why);
    expect(whys({ a: ["b"], b: [] })).toEqual([]);
    expect(whys({ a: ["b"], b: ["a"], c: [] })).toEqual(["lib/b does not import a", "lib/c does not exist"]);
  });

  it("stands beside lists of modules that exist, and of places that need to be allowed", () => {
    const whys = deadNames([source("lib/time.ts", "new Date();")]).map(({ why }) => why);
    expect(whys).toContain("lib/env does not exist");
    expect(whys).toContain("nothing at ^db\\/embedded needs to be allowed");
    expect(whys).not.toContain("nothing at ^lib\\/time\\.ts$ needs to be allowed");
  });

  it("is right for this repository", () => {
    expect(brokenLists(readSources())).toEqual([]);
  });
});

describe("what only one module may touch", () => {
  it.each(["Date.now()", "new Date()", "Math.random()", "setTimeout(f, 5)", "fetch(url)"])("%s is refused", (code) => {
    expect(linesOf({ "lib/charges/service.ts": `const x = 1;\n${code};` })[0]).toMatch(/^lib\/charges\/service\.ts:2 /);
  });

  it.each(["new Date(row.createdAt)", "clock.setTimeout(f)", "client.fetch(url)", "prefetch(url)"])(
    "%s is fine",
    (code) => {
      expect(linesOf({ "lib/charges/service.ts": code })).toEqual([]);
    },
  );

  it("speaks of code, not of comments and texts", () => {
    const text = '// Date.now()\n/* fetch(url)\n new Date() */\nconst x = "Math.random()";\nconst y = `setTimeout(`;';
    expect(linesOf({ "lib/charges/service.ts": text })).toEqual([]);
    expect(linesOf({ "lib/charges/service.ts": ["const t = `$", "{Date.now()} ms`;"].join("") })).toHaveLength(1);
  });

  it("knows the one allowed place", () => {
    expect(linesOf({ "lib/time.ts": "new Date();" })).toEqual([]);
    expect(linesOf({ "scripts/run.ts": "Date.now();" })).toEqual([]);
  });
});

describe("the simulator", () => {
  it.each([
    ["lib/payments/call.ts", "lib/providers/sandbox/hints"],
    ["lib/charges/service.ts", "lib/providers/sandbox"],
    ["lib/providers/kinds.ts", "lib/providers/sandbox/capabilities"],
    ["lib/providers/registry.ts", "lib/providers/sandbox/adapter"],
    ["lib/checkout/pay.ts", "lib/providers/sandbox/api/tools"],
    ["components/charges/list.tsx", "lib/providers/sandbox/api/schema"],
    ["app/api/endpoint.ts", "lib/providers/sandbox/scenario"],
  ])("%s may not import %s", (path, other) => {
    expect(linesOf({ [path]: `import { x } from "@/${other}";` })).not.toEqual([]);
    expect(linesOf({ [path]: `import type { X } from "@/${other}";` })).not.toEqual([]);
  });

  it.each([
    ["lib/providers/registry.ts", "lib/providers/sandbox"],
    ["app/api/v1/sandbox/clock/route.ts", "lib/providers/sandbox/api/clock"],
    ["inngest/functions/send.ts", "lib/providers/sandbox/api/send-notifications"],
    ["lib/providers/sandbox/api/tools.ts", "lib/charges/service"],
    ["lib/providers/sandbox/api/tools.ts", "lib/providers/sandbox/pay"],
  ])("%s may import %s", (path, other) => {
    expect(linesOf({ [path]: `import { x } from "@/${other}";` })).toEqual([]);
  });

  it("stands below its own calls", () => {
    const files = { "lib/providers/sandbox/adapter.ts": 'import { x } from "@/lib/providers/sandbox/api/tools";' };
    expect(linesOf(files)).toHaveLength(1);
  });
});

describe("components", () => {
  const service = { "lib/charges/service.ts": 'import { appDb } from "@/db/client";' };

  it("may not reach the database, however far away", () => {
    const files = {
      ...service,
      "lib/charges/labels.ts": 'import { x } from "@/lib/charges/service";',
      "components/charges/list.tsx": 'import { y } from "@/lib/charges/labels";',
    };
    expect(linesOf(files)).toEqual([
      expect.stringContaining("components/charges/list.tsx:1 a component may not reach"),
    ]);
  });

  it("may take types from anywhere in lib", () => {
    const files = { ...service, "components/charges/list.tsx": 'import type { Row } from "@/lib/charges/service";' };
    expect(linesOf(files)).toEqual([]);
  });
});

it("a file of more than 400 lines is refused", () => {
  expect(linesOf({ "lib/charges/service.ts": "x();\n".repeat(401) })).toHaveLength(1);
  expect(linesOf({ "lib/charges/service.ts": "x();\n".repeat(400) })).toEqual([]);
});

it("reads the modules of this repository", () => {
  expect(readSources().map(({ path }) => path)).toContain("lib/errors.ts");
});

describe("exported functions and types of one name", () => {
  const whys = (files: Record<string, string>) =>
    doubledNames(Object.entries(files).map(([path, text]) => parseSource(path, text))).map(
      ({ path, line, why }) => `${path}:${line} ${why}`,
    );

  it.each(["export function judge() {", "export async function judge<T>(", "export const judge = (one: string) =>"])(
    "are a breach: %s",
    (text) => {
      expect(whys({ "lib/a/one.ts": "export const judge = (): void => {};", "lib/b/two.ts": `\n${text}` })).toEqual([
        "lib/b/two.ts:2 judge is something else in lib/a/one.ts",
      ]);
    },
  );

  it.each(["interface", "type", "class"])("are a breach: %s", (kind) => {
    const text = `export ${kind} Asked`;
    expect(whys({ "lib/a/one.ts": text, "lib/b/two.ts": text })).toHaveLength(1);
  });

  it("may stand in each adapter, and in each e-mail", () => {
    const text = "export const send = () => {};";
    expect(whys({ "lib/providers/adyen/call.ts": text, "lib/providers/stripe/call.ts": text })).toEqual([]);
    expect(whys({ "components/emails/a.tsx": text, "components/emails/b.tsx": text })).toEqual([]);
  });
});

it("README's table names every folder of lib, and nothing else", () => {
  const sources = ["lib/money.ts", "lib/cards/read.ts", "lib/flows/rules/side.ts"].map((path) => parseSource(path, ""));
  const whys = (rows: string) =>
    untoldFolders(sources, `| Folder | What |\n|---|---|\n${rows}\n\nMore.`).map(({ why }) => why);
  expect(whys("| `lib/cards`, `lib/flows` | |\n| `lib/flows/rules`, `lib/<resource>`, `lib/*.ts` | |")).toEqual([]);
  expect(whys("| `lib/cards`, `lib/gone` | |")).toEqual([
    "the table lacks lib/flows",
    "the table names lib/gone, which does not exist",
  ]);
});
