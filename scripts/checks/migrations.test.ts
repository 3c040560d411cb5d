import { expect, it } from "vitest";
import { parseMigration } from "@/db/migrating/files";
import { migrationObjections, objectionsTo } from "@/scripts/checks/migrations";

const BASELINE = parseMigration(
  "0000_baseline",
  `-- version: 0.1
CREATE TABLE "charges" ("id" uuid PRIMARY KEY NOT NULL, CONSTRAINT "charges_reference" UNIQUE("id"));
--> statement-breakpoint
CREATE UNIQUE INDEX "charges_order" ON "charges" USING btree ("id");`,
);
const whysOf = (sql: string, version = "0.2") =>
  objectionsTo([BASELINE, parseMigration("0001_next", `-- version: ${version}\n${sql}`)]).map(({ why }) => why);

it("has nothing to say of the migrations that stand", () => {
  expect(migrationObjections()).toEqual([]);
});

it.each([
  'CREATE TABLE "notes" ("id" uuid PRIMARY KEY NOT NULL);\n--> statement-breakpoint\nCREATE INDEX "notes_id" ON "notes" USING btree ("id");',
  'CREATE TABLE "notes" ("id" uuid);\n--> statement-breakpoint\nALTER TABLE "notes" ADD CONSTRAINT "notes_fk" FOREIGN KEY ("id") REFERENCES "public"."charges"("id") ON DELETE no action;',
  'CREATE INDEX CONCURRENTLY IF NOT EXISTS "charges_at" ON "charges" USING btree ("at" DESC NULLS LAST,"id");',
  'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "charges_at" ON "charges" ("at");\n--> statement-breakpoint\nALTER TABLE "charges" ADD CONSTRAINT "charges_at" UNIQUE USING INDEX "charges_at";',
  'DROP INDEX CONCURRENTLY IF EXISTS "charges_at";',
  'ALTER TABLE "charges" ADD COLUMN "note" text;',
  'ALTER TABLE "charges" ADD COLUMN "is_kept" boolean DEFAULT false NOT NULL;',
  'ALTER TABLE "charges" ADD COLUMN "rest" jsonb DEFAULT \'{"a": 1}\'::jsonb NOT NULL;',
  'ALTER TABLE "charges" ADD COLUMN "rate" numeric(7, 4);',
  'ALTER TABLE "charges" ALTER COLUMN "note" SET DEFAULT gen_random_uuid();',
  'ALTER TABLE "charges" ALTER COLUMN "note" DROP NOT NULL;',
  'ALTER TABLE "charges" ADD CONSTRAINT "c" CHECK ("note" in (\'a\', \'b\')) NOT VALID;\n--> statement-breakpoint\nALTER TABLE "charges" VALIDATE CONSTRAINT "c";',
  'ALTER TABLE "charges" ADD CONSTRAINT "n" CHECK ("note" IS NOT NULL) NOT VALID;\n--> statement-breakpoint\nALTER TABLE "charges" VALIDATE CONSTRAINT "n";\n--> statement-breakpoint\nALTER TABLE "charges" ALTER COLUMN "note" SET NOT NULL;\n--> statement-breakpoint\nALTER TABLE "charges" DROP CONSTRAINT "n";',
  "-- why\nCOMMENT ON TABLE charges IS 'a; b';",
])("lets a careful migration pass: %s", (sql) => {
  expect(whysOf(sql)).toEqual([]);
});

it.each([
  ['CREATE INDEX "charges_at" ON "charges" USING btree ("at");', /CONCURRENTLY/],
  ['CREATE INDEX CONCURRENTLY "charges_at" ON "charges" USING btree ("at");', /IF NOT EXISTS/],
  ['DROP INDEX "charges_at";', /CONCURRENTLY/],
  ['ALTER TABLE "charges" ADD COLUMN "note" text NOT NULL;', /nullable/],
  ['ALTER TABLE "charges" ADD COLUMN "key" uuid DEFAULT gen_random_uuid();', /rewrites/],
  ['ALTER TABLE "charges" ADD COLUMN "at" timestamp DEFAULT now() NOT NULL;', /rewrites/],
  ['ALTER TABLE "charges" ADD COLUMN "sum" bigint GENERATED ALWAYS AS (1) STORED;', /generated/],
  ['ALTER TABLE "charges" ADD COLUMN "shop" uuid REFERENCES "shops"("id");', /statements of their own/],
  ['ALTER TABLE "charges" ALTER COLUMN "amount" SET DATA TYPE bigint;', /rewrite/],
  ['ALTER TABLE "charges" ALTER COLUMN "note" SET NOT NULL;', /CHECK/],
  ['ALTER TABLE "charges" ADD CONSTRAINT "f" FOREIGN KEY ("a") REFERENCES "b"("id");', /NOT VALID/],
  ['ALTER TABLE "charges" ADD CONSTRAINT "c" CHECK ("a" > 0);', /NOT VALID/],
  ['ALTER TABLE "charges" ADD CONSTRAINT "c" CHECK ("a" > 0) NOT VALID;', /never validated/],
  ['ALTER TABLE "charges" ADD CONSTRAINT "u" UNIQUE("a");', /USING INDEX/],
  ['ALTER TABLE "charges" ADD COLUMN "a" text, ADD COLUMN "b" text;', /one action/],
  ['ALTER TABLE "charges" SET LOGGED;', /no rule/],
  ["UPDATE charges SET note = '';", /batches/],
  ["DO $$ begin perform 1; end $$;", /batches|one statement/],
  ["LOCK TABLE charges;", /no rule/],
  ["VACUUM FULL charges;", /no rule/],
  ['ALTER TABLE "charges" ADD COLUMN "a" text; ALTER TABLE "charges" ADD COLUMN "b" text;', /one statement/],
])("refuses %s", (sql, why) => {
  expect(whysOf(sql)).toEqual([expect.stringMatching(why)]);
});

it.each([
  'ALTER TABLE "charges" DROP COLUMN "note";',
  'ALTER TABLE "charges" RENAME COLUMN "note" TO "remark";',
  'ALTER TABLE "charges" ALTER COLUMN "note" DROP DEFAULT;',
  'ALTER TABLE "charges" DROP CONSTRAINT "charges_reference";',
  'DROP INDEX CONCURRENTLY IF EXISTS "charges_order";',
  'DROP TABLE "charges";',
])("lets only a major version take away what older code uses: %s", (sql) => {
  expect(whysOf(sql)).toEqual([expect.stringMatching(/major/)]);
  expect(whysOf(sql, "1.0")).toEqual([]);
});

it("asks for a version that rises, and that the code knows", () => {
  expect(whysOf("COMMENT ON TABLE charges IS '';", "0.1")).toEqual([expect.stringMatching(/not above/)]);
  expect(whysOf("COMMENT ON TABLE charges IS '';", "9999.0")).toEqual([expect.stringMatching(/SCHEMA_VERSION/)]);
  expect(() => parseMigration("0001_next", "SELECT 1;")).toThrow(/version/);
});
