import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyOut } from "@/db/driver/copy";
import { testDatabaseUrl } from "@/lib/testing/database";

let client: postgres.Sql;
beforeAll(async () => {
  client = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
});
afterAll(() => client.end({ timeout: 5 }));

const rowsOf = (kilobytes: number) => `copy (select repeat('x', 1023) from generate_series(1, ${kilobytes})) to stdout`;

/** Around what a stream holds before it asks the socket to wait, and around what one read of a socket brings. */
const SIZES = [1, 8, 12, 15, 16, 17, 20, 24, 28, 31, 32, 33, 40, 48, 60, 63, 64, 65, 80, 120];

it.each(SIZES)("answers the statement after a copy of %i kB, read at once or slowly", async (kilobytes) => {
  for (const turns of [0, 1, 3]) {
    const sum = await client.begin(async (sql) => {
      let bytes = 0;
      for await (const piece of copyOut(sql, rowsOf(kilobytes))) {
        bytes += piece.length;
        for (let turn = 0; turn < turns; turn++) await new Promise((done) => setImmediate(done));
      }
      const [next] = await sql<{ one: number }[]>`select 1 as one`;
      return { bytes, next: next?.one };
    });
    expect(sum).toEqual({ bytes: kilobytes * 1_024, next: 1 });
  }
});

it("answers the next statement after a copy that was left at its first piece", async () => {
  const next = await client.begin(async (sql) => {
    for await (const _ of copyOut(sql, rowsOf(5_000))) break;
    return sql`select 1 as one`;
  });
  expect(next).toEqual([{ one: 1 }]);
});

it("throws what stops a copy, and serves again", async () => {
  const read = async () => {
    for await (const _ of copyOut(client, "copy (select 1 / (500 - n) from generate_series(1, 100000) n) to stdout"));
  };
  await expect(read()).rejects.toThrow("division by zero");
  expect(await client`select 1 as one`).toEqual([{ one: 1 }]);
});

it("throws what stops a copy at its first row", async () => {
  const read = async () => {
    for await (const _ of copyOut(client, "copy (select 1 / (n - 1) from generate_series(1, 3) n) to stdout"));
  };
  await expect(read()).rejects.toThrow("division by zero");
  expect(await client`select 1 as one`).toEqual([{ one: 1 }]);
});
