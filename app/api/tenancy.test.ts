import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "@/app/api/endpoints";
import { newId } from "@/lib/ids";
import { openClient, type TestClient } from "@/lib/testing/api";
import { WITHOUT_OBJECTS } from "@/lib/testing/fuzz/kinds";
import { pathOf } from "@/lib/testing/fuzz/requests";
import { ask, type Cell, cellsOf, ownerSql, rowsOf } from "@/lib/testing/fuzz/tenancy";
import { DELETIONS, type Kind, MAKERS } from "@/lib/testing/fuzz/world";

/** Pictures and returns need no key: whoever has the id may load them. */
const closed = ENDPOINTS.map(({ spec }) => spec).filter(({ access }) => access !== "none");

let mine: TestClient;
let other: TestClient;
let sql: postgres.Sql;
const cells: Cell[] = [];
const foreignIds = new Map<Kind, string>();

beforeAll(async () => {
  [mine, other] = [await openClient(), await openClient()];
  sql = ownerSql();
  for (const spec of closed) cells.push(...(await cellsOf(mine, spec)));
  for (const kind of Object.keys(MAKERS) as Kind[]) foreignIds.set(kind, await MAKERS[kind](other));
}, 120_000);
afterAll(() => sql.end());

/** What the contract tells an owner of its deleted object, where that is more than of an unknown one (2.4). */
const TOLD: Partial<Record<Kind, string>> = { card: '"businessCode":"card_not_usable"' };

const foreignIdFor = ({ kind }: Cell): string => (kind && foreignIds.get(kind)) ?? newId();

/** Every cell whose answer to the other tenant's object is not its answer to an id nobody has. */
async function told(caller: TestClient, of: readonly Cell[]): Promise<string[]> {
  const differing: string[] = [];
  for (const cell of of) {
    const unknown = await ask(caller, cell, newId());
    const foreign = await ask(caller, cell, foreignIdFor(cell));
    if (foreign !== unknown) differing.push(`${cell.name}: ${foreign} instead of ${unknown}`);
  }
  return differing;
}

/** Filters without which a list is refused, where they are not those of most. */
const NEEDED: Readonly<Record<string, Record<string, string>>> = {
  "/v1/explanations": { figure: "balance.available" },
};

/** Ids of the other account's objects that stand in any list the caller is given. */
async function listedTo(caller: TestClient): Promise<string[]> {
  const chargeId = foreignIds.get("charge") ?? "";
  const texts: string[] = [];
  for (const spec of closed.filter(({ method, params }) => method === "GET" && !params)) {
    const isFiltered = spec.query?.safeParse({}).success === false;
    const needed = NEEDED[spec.path] ?? { date: "2026-11-20", chargeId, type: "transactions" };
    const query: Record<string, string | number> = isFiltered ? needed : { limit: 100 };
    const { status, text } = await caller.call("GET", pathOf({ spec, params: {} }), { query });
    // Hidden from its owner, these are not found: objects of which there is one, and a list that is never empty.
    const isNeverEmpty = spec.path === "/v1/subacquirer/prepayment/receivables";
    if (!isNeverEmpty && (!spec.path.endsWith("/settings") || spec.path.includes("sandbox")))
      expect([spec.path, status]).toEqual([spec.path, 200]);
    texts.push(text);
  }
  return [...foreignIds.values()].filter((id) => texts.join("\n").includes(id));
}

describe("an object of another account", () => {
  it("stands in every path, query and body that names one", () => {
    const named = new Set(cells.map(({ spec }) => `${spec.method} ${spec.path}`));
    const expected = closed.filter(({ params, method, path }) => params && !named.has(`${method} ${path}`));
    expect(expected).toEqual([]);
    expect(cells.length).toBeGreaterThan(50);
  });

  it("is of a kind that the test's world can make", () => {
    const isNobody = (name: string) => [...WITHOUT_OBJECTS].some((member) => name.endsWith(member));
    const unknown = cells.filter(({ kind, name }) => !kind && !isNobody(name));
    // A new kind of id gets its line in lib/testing/fuzz/kinds.ts.
    expect(unknown.map(({ name }) => name)).toEqual([]);
  });

  it("is in no list", async () => {
    expect(await listedTo(mine)).toEqual([]);
  });

  it("is answered, in every place, as an id that never existed; none of its owner's rows changes", async () => {
    const before = await rowsOf(sql, other.clientId);
    expect(await told(mine, cells)).toEqual([]);
    expect(await rowsOf(sql, other.clientId)).toEqual(before);
  }, 120_000);

  it("is no more than that when it is deleted", async () => {
    const differing: string[] = [];
    for (const cell of cells) {
      const deletion = cell.kind && DELETIONS[cell.kind];
      if (!cell.kind || !deletion) continue;
      const id = await MAKERS[cell.kind](mine);
      await deletion(mine, id);
      const [deleted, unknown] = [await ask(mine, cell, id), await ask(mine, cell, newId())];
      if (deleted.includes(TOLD[cell.kind] ?? "<nothing>")) continue;
      // What a deleted merchant sold can still be reported.
      if (cell.name.startsWith("POST /v1/reports body filters.")) continue;
      if (deleted !== unknown) differing.push(`${cell.name}: ${deleted} instead of ${unknown}`);
    }
    expect(differing).toEqual([]);
  }, 120_000);
});

describe("each policy alone", () => {
  const tenantTables = () => sql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relrowsecurity and n.nspname in ('public', 'vault')`;

  it("the filters, with row security switched off in this database", async () => {
    const tables = await tenantTables();
    for (const { name } of tables) await sql.unsafe(`alter table ${name} disable row level security`);
    try {
      const before = await rowsOf(sql, other.clientId);
      expect(await told(mine, cells)).toEqual([]);
      expect(await rowsOf(sql, other.clientId)).toEqual(before);
    } finally {
      for (const { name } of tables) await sql.unsafe(`alter table ${name} enable row level security`);
    }
  }, 120_000);

  it("row security, with filters that let everything of the other account through", async () => {
    // The owner itself asks for what is its own, while the database believes the caller to be somebody else.
    const [before] = await sql<{ definition: string }[]>`
      select pg_get_functiondef('current_client'::regproc) as definition`;
    await sql.unsafe(
      `create or replace function current_client() returns uuid language sql stable parallel safe as $$ select '${mine.clientId}'::uuid $$`,
    );
    try {
      const rows = await rowsOf(sql, other.clientId);
      expect(await told(other, cells)).toEqual([]);
      expect(await listedTo(other)).toEqual([]);
      expect(await rowsOf(sql, other.clientId)).toEqual(rows);
    } finally {
      await sql.unsafe(before?.definition ?? "");
    }
  }, 120_000);
});
