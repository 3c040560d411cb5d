import { createHash, verify } from "node:crypto";
import { rmSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemDb, systemSql } from "@/db/client";
import { canonicalJson } from "@/lib/canonical-json";
import { openReports } from "@/lib/reports/run";
import { newReport, type ReportReply } from "@/lib/reports/testing";
import { createOperator } from "@/lib/sign-in/service";
import { fileStore } from "@/lib/storage/storage";
import { openClient, type TestClient } from "@/lib/testing/api";
import { REPORT_POINTS, ROWS_PER_FILE } from "@/lib/testing/kills/report-seams";
import { environment } from "@/lib/testing/kills/runs";
import { startWorker } from "@/lib/testing/kills/worker";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { bundled } from "@/lib/testing/simulator/bundle";

const IN_SUITE = 6;
/**
 * Of one process, which dies with all of them under way; each is of an account of its own. Each holds a connection where
 * it stands still: more than the pool has would never come to their steps.
 */
const AT_ONCE = 6;
const ROWS = 3 * ROWS_PER_FILE + 7;
/** As many step boundaries as a report of so many files has. */
const STEPS = 44;
/** No worker stands still there. */
const NOWHERE = 1_000_000;

let program: string;
beforeAll(async () => {
  program = await bundled("lib/testing/kills/worker-program.ts", "kill-reports", REPORT_POINTS);
});
afterAll(() => rmSync(program, { force: true }));

test("workers die at every step of an export: each file is whole or absent, and each report has one e-mail", {
  timeout: proofTimeout(120_000),
}, async () => {
  const [first, runs] = [proofFrom(), proofRuns(IN_SUITE)];
  const violations: string[] = [];
  const figures = { processesKilled: 0, operationsInterrupted: 0, operationsNotInterrupted: 0 };
  const points = new Set<string>();
  for (let done = 0; done < runs; done += AT_ONCE) {
    const seen = await killOnce(first + done, Math.min(AT_ONCE, runs - done));
    violations.push(...seen.violations);
    figures.processesKilled += seen.killed;
    figures.operationsInterrupted += seen.held.length;
    figures.operationsNotInterrupted += seen.asked - seen.held.length;
    for (const at of seen.held) points.add(at);
  }
  recordProof({ ran: runs, violations, figures, met: { points: [...points] } });
  expect(violations).toEqual([]);
  expect(figures.operationsInterrupted).toBeGreaterThan(0);
});

interface Chosen {
  client: TestClient;
  id: string;
  /** Rows in the order of the file. */
  rows: string[];
  /** Where each worker that is killed stands still. */
  stops: number[];
  format: "csv" | "xlsx";
}

async function chosenAt(number: number): Promise<Chosen> {
  const client = await openClient();
  const email = `fin.${client.clientId.slice(-8)}@equipe.example`;
  const person = { email, name: "Fin", password: "correct horse battery staple", clientId: client.clientId };
  await createOperator(systemDb(), { ...person, role: "finance" });
  await systemSql()`
    insert into customers (id, client_id, name, email, phone_number, document_type, document_country, is_forced, created_at, updated_at)
    select gen_random_uuid(), ${client.clientId}, 'Ana ' || n, n || '@example.com', '+55 11 0', 'noDocument', 'BR', true,
           now() - make_interval(secs => ${ROWS} - n), now() from generate_series(1, ${ROWS}) n`;
  const rows = await systemSql()<{ id: string }[]>`
    select id from customers where client_id = ${client.clientId} order by created_at, id`;
  const format = number % 4 === 3 ? "xlsx" : "csv";
  const body = newReport({ type: "customers", fields: ["customer__id"], sendTo: email, format });
  const { id } = await client.make("POST", "/v1/reports", { body });
  // Every second one dies a second time, while it is written anew.
  const stops = [1 + ((number * 7) % STEPS), ...(number % 2 === 1 ? [1 + ((number * 11 + 5) % STEPS)] : [])];
  return { client, id, rows: rows.map((row) => row.id), stops, format };
}

/** Reports under way in a process that dies, once or twice; then one that goes on, and what became of each. */
async function killOnce(first: number, count: number) {
  const chosen: Chosen[] = [];
  for (let n = 0; n < count; n++) chosen.push(await chosenAt(first + n));
  const held: string[] = [];
  let asked = 0;
  const deaths = Math.max(...chosen.map(({ stops }) => stops.length));
  for (let death = 0; death < deaths; death++) {
    const worker = await startWorker(program, environment());
    const given = chosen.filter(({ stops }) => stops.length > death);
    for (const { client, id, stops } of given)
      worker.give({ ...jobOf(client, id), stopAt: stops[death] ?? NOWHERE, holdsLocks: true });
    await worker.settled(given.map(({ id }) => id));
    worker.child.kill("SIGKILL");
    asked += given.length;
    held.push(...worker.told.flatMap(({ id, at }) => (at !== undefined && id !== "process" ? [at] : [])));
    await systemSql()`
      update reports set lease_until = now() - interval '1 second'
       where id = any(${chosen.map(({ id }) => id)}::uuid[]) and lease_until is not null`;
  }
  // As the sweep of every minute does, until nothing is open.
  const survivor = await startWorker(program, environment());
  for (let sweep = 0; sweep < 3; sweep++) {
    const ids = new Set(chosen.map(({ id }) => id));
    const open = (await openReports()).filter(({ id }) => ids.has(id)).map(({ id }) => id);
    for (const { client, id } of chosen.filter(({ id }) => open.includes(id)))
      survivor.give({ ...jobOf(client, id), id: `${id}:${sweep}`, stopAt: NOWHERE, holdsLocks: true });
    await survivor.settled(
      open.map((id) => `${id}:${sweep}`),
      true,
    );
  }
  survivor.child.kill();
  const violations: string[] = [];
  for (const [index, one] of chosen.entries())
    for (const wrong of await wrongsOf(one)) violations.push(`SEED=${first + index + 1} at ${one.stops}: ${wrong}`);
  return { violations, held, asked, killed: deaths };
}

const jobOf = (client: TestClient, id: string) => ({
  id,
  clientId: client.clientId,
  operationId: id,
  work: "report" as const,
});

interface Signed {
  manifest: { rows: number; files: { name: string; rows: number; bytes: number; sha256: string }[] };
  signature: string;
  publicKey: string;
}

async function wrongsOf({ client, id, rows, format }: Chosen): Promise<string[]> {
  const wrongs: string[] = [];
  const report = await client.make<ReportReply>("GET", `/v1/reports/${id}`);
  if (report.status !== "sent") return [`it is ${report.status}`];
  const { manifest, signature, publicKey } = await client.make<Signed>("GET", `/v1/reports/${id}/manifest`);
  if (!verify(null, Buffer.from(canonicalJson(manifest)), publicKey, Buffer.from(signature, "base64")))
    wrongs.push("its manifest is not signed");
  const told: string[] = [];
  for (const [index, file] of manifest.files.entries()) {
    const reply = await client.call("GET", `/v1/reports/${id}/files/${index + 1}`);
    const bytes = Buffer.from(reply.bytes);
    if (createHash("sha256").update(bytes).digest("hex") !== file.sha256 || bytes.length !== file.bytes)
      wrongs.push(`${file.name} is not what its manifest says`);
    if (format === "csv") told.push(...bytes.toString().trim().split("\r\n").slice(1));
  }
  if (manifest.files.length !== Math.ceil(ROWS / ROWS_PER_FILE)) wrongs.push(`it has ${manifest.files.length} files`);
  if (manifest.rows !== rows.length) wrongs.push(`its manifest says ${manifest.rows} rows`);
  if (format === "csv" && told.join() !== rows.join()) wrongs.push("its rows are not those of the list, each once");
  const sql = systemSql();
  const [{ mails } = { mails: 0 }] = await sql<{ mails: number }[]>`
    select count(*)::int as mails from emails where client_id = ${client.clientId} and template = 'report-ready'`;
  if (mails !== 1) wrongs.push(`${mails} e-mails`);
  const kept = await sql<{ name: string; isKept: boolean }[]>`
    select name, expires_at is null as "isKept" from stored_files where client_id = ${client.clientId}`;
  const [row] = await sql<{ files: { stored: string }[] }[]>`select files from reports where id = ${id}`;
  const pointed = (row?.files ?? []).map(({ stored }) => stored).sort();
  if (
    pointed.join() !==
    kept
      .filter(({ isKept }) => isKept)
      .map(({ name }) => name)
      .sort()
      .join()
  )
    wrongs.push("what is kept is not what it points to");
  for (const { name } of kept) {
    const content = await fileStore().get(name);
    if (content === undefined) {
      if (pointed.includes(name)) wrongs.push("a file of it is absent");
    } else if (!isWhole(name, content)) wrongs.push("a file was stored in part");
  }
  return wrongs;
}

function isWhole(name: string, content: Buffer): boolean {
  if (!name.endsWith(".gz")) return content.includes("PK\x05\x06");
  try {
    return gunzipSync(content).toString().endsWith("\r\n");
  } catch {
    return false;
  }
}
