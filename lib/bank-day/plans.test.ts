import postgres from "postgres";
import { expect, test } from "vitest";
import { closePools, observeStatements, type SentStatement } from "@/db/client";
import { after, plus } from "@/lib/testing/account-year/calendar";
import { act } from "@/lib/testing/account-year/life";
import { openYear, toNoon } from "@/lib/testing/account-year/lived";
import { goOn } from "@/lib/testing/account-year/run";
import { testDatabaseUrl } from "@/lib/testing/database";
import { planned, readsWhole } from "@/lib/testing/plans/explain";
import { fillTables } from "@/lib/testing/plans/fill";

/** Those that grow with what is sold. */
const LARGE = [
  ...["charges", "journals", "ledger_checkpoints", "payout_batches", "payout_lines", "payout_transfers", "receivables"],
  ...["split_rules", "statement_lines", "transfers"],
];

const sent: SentStatement[] = [];
observeStatements((statement) => sent.push(statement));

test("a week of a merchant's bank days reads no large table from end to end, once the tables are known", async () => {
  const sql = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
  const lived = await openYear(7);
  const { client } = lived.place.shop;
  await goOn(lived, after(lived.day));
  for (let day = 0; day < 12; day++) {
    await act(lived, lived.day);
    await goOn(lived, plus(lived.day, 1));
  }
  const large = new Set(await fillTables(sql, LARGE));
  expect([...large].sort()).toEqual(LARGE);
  const scans = async () => {
    await closePools();
    const rows = await sql<{ table: string; scans: string }[]>`
      select relname as table, seq_scan as scans from pg_stat_user_tables where schemaname = 'public'`;
    return new Map(rows.map(({ table, scans }) => [table, Number(scans)]));
  };
  const before = await scans();
  sent.length = 0;
  await toNoon(client, plus(lived.day, 7));
  const now = await scans();
  const whole: { text: string; tables: string[] }[] = [];
  for (const statement of planned(sent)) {
    const tables = (await readsWhole(sql, statement, client.clientId)).filter((table) => large.has(table));
    if (tables.length > 0) whole.push({ text: statement.text, tables });
  }
  expect(whole).toEqual([]);
  // What triggers, policies and foreign keys ask is in no statement that was sent.
  expect([...now].filter(([table, scans]) => large.has(table) && scans !== before.get(table))).toEqual([]);
  // Copies by the thousand would be searched for card numbers one by one.
  await sql.unsafe("set session_replication_role = replica");
  await sql.unsafe(`truncate ${LARGE.join(", ")} cascade`);
  await sql.end();
}, 180_000);
