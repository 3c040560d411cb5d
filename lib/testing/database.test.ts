import postgres from "postgres";
import { afterAll, describe, expect, it } from "vitest";
import { testDatabaseUrl } from "@/lib/testing/database";

describe("the database of a test file", () => {
  const open: postgres.Sql[] = [];
  afterAll(() => Promise.all(open.map((sql) => sql.end())));

  it("is this file's own, at the address that its owner has", async () => {
    const url = await testDatabaseUrl();
    expect(url).toBe(process.env.DATABASE_OWNER_URL);
    const sql = postgres(url, { max: 1 });
    open.push(sql);
    const [row] = await sql<{ name: string }[]>`select current_database() as name`;
    expect(row?.name).toMatch(/^trilho_run_\d+_\d+_\d+$/);
  });

  it("is made once, however often it is asked for", async () => {
    expect(await testDatabaseUrl()).toBe(await testDatabaseUrl());
  });
});
