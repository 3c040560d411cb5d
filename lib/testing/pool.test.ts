import { expect, it } from "vitest";
import { systemSql } from "@/db/client";

it("db/client reaches the file's database, migrated, without asking for it first", async () => {
  const [row] = await systemSql()<{ name: string; migrated: boolean }[]>`
    select current_database() as name, to_regclass('public.clients') is not null as migrated`;
  expect(row).toEqual({ name: expect.stringMatching(/^trilho_run_/), migrated: true });
});
