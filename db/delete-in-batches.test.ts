import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { deleteInBatches, inBatches } from "@/db/delete-in-batches";
import { testDatabaseUrl } from "@/lib/testing/database";

let sql: postgres.Sql;
beforeAll(async () => {
  sql = postgres(await testDatabaseUrl(), { max: 3, onnotice: () => {} });
  await sql`create table old_rows (id int primary key, transaction bigint)`;
  await sql`create table deletions (transaction bigint, rows int)`;
  await sql.unsafe(`
    create function noted() returns trigger language plpgsql as $$
      begin insert into deletions select txid_current(), count(*) from gone; return null; end $$;
    create trigger noted after delete on old_rows referencing old table as gone
      for each statement execute function noted()`);
});
afterAll(() => sql.end());

const fill = (rows: number) => sql`insert into old_rows select n from generate_series(1, ${rows}) n`;

it("deletes all of it in transactions of a bounded size", async () => {
  await fill(95);
  expect(await deleteInBatches(sql, "old_rows", sql`id > ${5}`, { rows: 20 })).toBe(90);
  expect(await sql`select count(*)::int as rows from old_rows`).toEqual([{ rows: 5 }]);
  const [most] = await sql<{ rows: number }[]>`
    select max(rows)::int as rows from (select sum(rows) as rows from deletions group by transaction) each`;
  expect(most?.rows).toBeLessThanOrEqual(20);
});

it("does not wait for a row that somebody holds", async () => {
  await sql`truncate old_rows`;
  await fill(3);
  await sql.begin(async (holder) => {
    await holder`select 1 from old_rows where id = 2 for update`;
    expect(await deleteInBatches(sql, "old_rows", sql`true`)).toBe(2);
  });
  expect(await deleteInBatches(sql, "old_rows", sql`true`)).toBe(1);
});

it("ends when its time is up, though rows are left", async () => {
  let left = 100;
  const removed = await inBatches(
    async (rows) => {
      left -= rows;
      return rows;
    },
    { rows: 10, seconds: 0 },
  );
  expect([removed, left]).toEqual([10, 90]);
});
