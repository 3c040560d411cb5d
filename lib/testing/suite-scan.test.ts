import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { madeDatabaseUrl } from "@/lib/testing/database";
import { tablesWithNumbers } from "@/lib/testing/suite-scan";

test("the scan after every file finds a number in text and in bytes, and names the table", async () => {
  const sql = systemSql();
  const pan = sandboxPan("approve", "elo");
  await sql`insert into rate_buckets (key, tokens, updated_at) values (${`card ${pan}`}, 1, now())`;
  const url = (await madeDatabaseUrl()) ?? "";
  expect(await tablesWithNumbers(url)).toEqual(["public.rate_buckets"]);
  await sql`delete from rate_buckets`;
  await sql`
    insert into outbox (id, client_id, name, data, created_at)
    values (gen_random_uuid(), gen_random_uuid(), 'x', ${sql.json({ pan: Buffer.from(pan).toString("hex") })}, now())`;
  expect(await tablesWithNumbers(url)).toEqual(["public.outbox"]);
  await sql`delete from outbox`;
  expect(await tablesWithNumbers(url)).toEqual([]);
});
