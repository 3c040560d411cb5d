import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { systemDb } from "@/db/client";
import { isLostTypeQuery } from "@/db/driver/array-types";
import { runText } from "@/db/driver/run-text";
import { testDatabaseUrl } from "@/lib/testing/database";
import { inRoot } from "@/scripts/start/paths";

/** The versions whose internals the patches of this folder were checked against (README.md). */
const CHECKED = { postgres: "3.4.9", "drizzle-orm": "0.45.4" };

let client: postgres.Sql;
let url: string;
beforeAll(async () => {
  url = await testDatabaseUrl();
  client = postgres(url, { max: 1, onnotice: () => undefined });
});
afterAll(() => client.end({ timeout: 5 }));

it.each(Object.entries(CHECKED))(
  "%s is the version that was checked: read README.md after an upgrade",
  (name, version) => {
    // Guarantee: a package says its version.
    const installed = JSON.parse(readFileSync(inRoot(`node_modules/${name}/package.json`), "utf8")) as {
      version: string;
    };
    expect(installed.version).toBe(version);
  },
);

describe("the driver", () => {
  it("asks for array types with the statement whose loss is outlived", () => {
    const source = readFileSync(inRoot("node_modules/postgres/src/connection.js"), "utf8");
    const text = /new Query\(\[`([^`]*typarray[^`]*)`/.exec(source)?.[1];
    expect(isLostTypeQuery(Object.assign(new Error("lost"), { query: text }))).toBe(true);
  });

  it("begins with a function as its last argument, and hands it unsafe and savepoint", async () => {
    const names = await client.begin("read only", async (tx) => [typeof tx, typeof tx.unsafe, typeof tx.savepoint]);
    expect(names).toEqual(["function", "function", "function"]);
  });

  it("keeps a statement that is sent with `prepare`, and no other", async () => {
    const text = "select $1::int as upgrade";
    const kept = async () => (await client`select 1 from pg_prepared_statements where statement = ${text}`).length;
    await client.unsafe(text, [1], { prepare: false });
    expect(await kept()).toBe(0);
    await client.unsafe(text, [1], { prepare: true });
    expect(await kept()).toBe(1);
  });

  it("takes a function that makes its socket, and sends by `write` alone, the start-up message first", async () => {
    const { hostname, port } = new URL(url);
    const firstBytes: Buffer[] = [];
    // Guarantee: the driver takes `socket`; its types do not say so.
    const options = {
      max: 1,
      onnotice: () => undefined,
      socket: () => {
        const socket = connect(Number(port), hostname);
        const write = socket.write.bind(socket);
        socket.write = ((...given: Parameters<typeof write>) => {
          if (Buffer.isBuffer(given[0])) firstBytes.push(Buffer.from(given[0]));
          return write(...given);
        }) as typeof socket.write;
        return socket;
      },
    } as postgres.Options<Record<string, never>>;
    const own = postgres(url, options);
    expect(await own`select 1 as one`).toEqual([{ one: 1 }]);
    await own.end({ timeout: 5 });
    const [startup] = firstBytes;
    expect([startup?.readInt32BE(0), startup?.readInt32BE(4)]).toEqual([startup?.length, 196_608]);
  });
});

describe("Drizzle", () => {
  it("sends by `unsafe` with its parameters and options, and begins with a function alone", async () => {
    const unsafe = vi.spyOn(client, "unsafe");
    const begin = vi.spyOn(client, "begin");
    const database = drizzle({ client });
    await database.execute(sql`select ${7}::int as seven`);
    expect(unsafe).toHaveBeenLastCalledWith("select $1::int as seven", [7], { prepare: false });
    await database.transaction((tx) => tx.execute(sql`select 1`));
    expect(begin.mock.lastCall).toEqual([expect.any(Function)]);
  });

  it("runs a written statement and reads its rows as lists of values", async () => {
    expect(await runText(systemDb(), "select $1::int as a, 'x' as b", [7], (rows) => rows)).toEqual([[7, "x"]]);
    await systemDb().transaction(async (tx) => {
      await runText(tx, "select set_config('app.upgrade', $1, true)", ["in"]);
      expect(await runText(tx, "select current_setting('app.upgrade')", [], (rows) => rows)).toEqual([["in"]]);
    });
  });
});
