import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gunzipSync } from "node:zlib";
import { readXlsx } from "hucre/xlsx";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { REPORT_TYPES } from "@/db/schema/reports";
import { newId } from "@/lib/ids";
import { csvLines } from "@/lib/reports/copied-lines";
import { csvFile } from "@/lib/reports/csv-file";
import { madeReport, textOf } from "@/lib/reports/testing";
import { acceptedColumns, sourceOf } from "@/lib/reports/types/registry";
import { xlsxFile } from "@/lib/reports/xlsx-file";
import { openClient } from "@/lib/testing/api";
import { testDatabaseUrl } from "@/lib/testing/database";
import { openCustomer } from "@/lib/testing/payments";

/** What spreadsheets have taken for a formula, a command, or the end of a cell. */
const BEGINNINGS = ["=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠"];
const TRIGGERS = [
  ...BEGINNINGS.map((begins) => `${begins}1+1`),
  ...BEGINNINGS.map((begins) => `  ${begins}SUM(A1)`),
  '=HYPERLINK("http://evil.example","x")',
  "=cmd|' /C calc'!A0",
  "@SUM(1+1)*cmd|' /C calc'!A0",
  "+1;=1+1",
  "-2,=1+1",
  "\u00a0=1+1",
  "\ufeff=1+1",
  "\u2003@x",
  "\v=1+1",
  "\f=1+1",
  "\r\n=1+1",
  '"=1+1',
  "';=1+1",
  "\\=1+1",
  "\\.",
  "\\N",
];

/** As COPY writes it. */
const escaped = (text: string): string =>
  text.replace(/[\\\b\f\n\r\t\v]/g, (character) => `\\${LETTERS[character] ?? character}`);
const LETTERS: Readonly<Record<string, string>> = {
  "\b": "b",
  "\f": "f",
  "\n": "n",
  "\r": "r",
  "\t": "t",
  "\v": "v",
};

const isFormula = (cell: string): boolean => /^[\s\0]*[=+\-@\t\r\n\0＝＋－＠]/.test(cell);

/** As RFC 4180 is written down, one character after the other. */
function rowsIn(text: string, delimiter: string): string[][] {
  const rows: string[][] = [[]];
  let [cell, isQuoted] = ["", false];
  const end = (): void => {
    rows.at(-1)?.push(cell);
    cell = "";
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (character === '"' && cell === "") isQuoted = true;
    else if (character === delimiter) end();
    else if (character === "\r" && text[at + 1] === "\n") {
      end();
      at++;
      rows.push([]);
    } else cell += character;
  }
  rows.pop();
  return rows;
}

let owner: postgres.Sql;
beforeAll(async () => {
  owner = postgres(await testDatabaseUrl(), { max: 1, onnotice: () => undefined });
});
afterAll(() => owner.end());

/** PostgreSQL's own reader of CSV; it keeps no NUL. */
async function loaded(text: string, width: number, delimiter: string): Promise<string[][]> {
  const columns = Array.from({ length: width }, (_, at) => `c${at} text`);
  return owner.begin(async (sql) => {
    await sql.unsafe(`create temporary table cells (n serial, ${columns.join(", ")}) on commit drop`);
    const names = columns.map((_, at) => `c${at}`).join(", ");
    const into = await sql
      .unsafe(`copy cells (${names}) from stdin (format csv, delimiter '${delimiter}', null 'none')`)
      .writable();
    await pipeline(Readable.from([Buffer.from(text)]), into);
    const rows = await sql.unsafe(`select array[${names}]::text[] as cells from cells order by n`);
    return rows.map(({ cells }) => cells as string[]);
  });
}

describe.each([",", ";"] as const)("cells between %s", (delimiter) => {
  test("forty beginnings of a formula in every column are text for two readers, and nothing is lost", async () => {
    expect(TRIGGERS).toHaveLength(40);
    const columns = REPORT_TYPES.flatMap((type) =>
      acceptedColumns(sourceOf(type)).filter(({ kind }) => kind === "text"),
    );
    const labels = columns.map(({ id }) => id);
    const file = csvFile({ labels, kinds: columns.map(({ kind }) => kind), delimiter, bom: false });
    const lines = csvLines(columns, { timezone: "UTC", language: "en", amounts: "cents" }, delimiter);
    const copied = TRIGGERS.map((trigger) => `${columns.map(() => escaped(trigger)).join("\t")}\t\\N\n`);
    await file.write(lines.convert(Buffer.from(copied.join("")), 0, TRIGGERS.length).text);
    const text = gunzipSync((await file.end()).content).toString();
    const [header, ...rows] = rowsIn(text, delimiter);
    expect(header).toEqual(labels);
    expect(rows.flat().filter(isFormula)).toEqual([]);
    expect(rows).toEqual(TRIGGERS.map((trigger) => columns.map(() => (isFormula(trigger) ? `'${trigger}` : trigger))));
    const withoutNul = rows.filter(([cell = ""]) => !cell.includes("\0"));
    const kept = [header ?? [], ...withoutNul];
    expect(await loaded(withoutNulLines(text), columns.length, delimiter)).toEqual(kept);
  });
});

/** Lines whose cells hold a NUL, which no text of PostgreSQL can. */
const withoutNulLines = (text: string): string =>
  text
    .split(/(?<=\r\n)(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .filter((line) => !line.includes("\0"))
    .join("");

test("what the database holds reaches the file as it is, guarded and whole", async () => {
  const client = await openClient();
  await openCustomer(client);
  const named = TRIGGERS.filter((trigger) => !trigger.includes("\0"));
  for (const [at, name] of named.entries())
    await systemSql()`
      insert into customers (id, client_id, name, email, phone_number, document_type, document_country, is_forced, created_at, updated_at)
      values (${newId()}, ${client.clientId}, ${name}, ${`${at}@example.com`}, '+55 11 0', 'noDocument', 'BR', true,
              now() + make_interval(secs => -1000 + ${at}), now())`;
  const whole = await madeReport(client, {
    type: "customers",
    fields: ["customer__name", "customer__email"],
    bom: false,
  });
  const [, ...rows] = rowsIn(await textOf(client, whole), ",");
  expect(rows.slice(0, named.length)).toEqual(
    named.map((name, at) => [isFormula(name) ? `'${name}` : name, `${at}@example.com`]),
  );
});

test("in a workbook all of them are text, codes of characters too, and amounts are numbers", async () => {
  const odd = ["_x0041_", "a_x000d_b", " kept ", "tab\tand\nline", "a\u0001b\uffff", "<&>", "ção 😀"];
  const texts = [...TRIGGERS.filter((trigger) => !trigger.includes("\0")), ...odd];
  const file = xlsxFile({ labels: ["=text", "amount"], kinds: ["text", "amount"], delimiter: ",", bom: false });
  const row = (text: string, at: number) => [text, at % 2 === 0 ? `-${at}.50` : null];
  await file.write(texts.slice(0, 10).map(row));
  await file.write([]);
  await file.write(texts.slice(10).map((text, at) => row(text, at + 10)));
  const { content, bytes, sha256 } = await file.end();
  expect([bytes, sha256]).toEqual([content.length, createHash("sha256").update(content).digest("hex")]);
  const [sheet] = (await readXlsx(content)).sheets;
  const read = texts.map((text) => text.replaceAll("\uffff", "\ufffd"));
  expect(sheet?.rows).toEqual([
    ["=text", "amount"],
    ...read.map((text, at) => [text, at % 2 === 0 ? -(at + 0.5) : null]),
  ]);
  expect([...(sheet?.cells?.values() ?? [])].filter(({ formula }) => formula !== undefined)).toEqual([]);
});
