import { parseArgs } from "node:util";
import postgres from "postgres";
import { makeTokens, newChargeOf, openShop } from "@/bench/charges/shop";
import { fillCharges } from "@/bench/lists/rows";
import { describeMachine } from "@/bench/machine";
import { call } from "@/bench/purchases/shop";
import { pagesBeside } from "@/bench/reports/beside";
import { table } from "@/bench/table";
import { closeWorld, openWorld } from "@/bench/world";
import { closePools } from "@/db/client";
import { copyOut } from "@/db/driver/copy";
import { loadAccount } from "@/lib/accounts/service";
import { inTransaction, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { getReport, type ReportRow } from "@/lib/reports/queries";
import { rowsStatement } from "@/lib/reports/rows";
import { inReadSnapshot, selectionOf, writeFiles } from "@/lib/reports/write";
import { monotonicMs } from "@/lib/time";
import { ROOT } from "@/scripts/start/paths";

/** What a report of so many payments costs, beside a bare COPY of the same statement. */
const { values } = parseArgs({ options: { charges: { type: "string", default: "1000000" } } });
const OTHER_CHARGES = 10_000;
const TARGETS = { rows: 50_000, ofCopy: 0.5, megabytes: 120, firstMs: 1_000, beside: 1.2 };
const MEGABYTE = 1_048_576;
const SAMPLE_MS = 20;
const NARROW = ["transaction__id", "transaction__created_at", "transaction__amount", "transaction__status"];

const verdict = (isReached: boolean): string => (isReached ? "reached" : "missed");

/** The bare statement, read and thrown away. */
async function copied(report: ReportRow): Promise<number> {
  const startedMs = monotonicMs();
  await inReadSnapshot(report.clientId, async (sql) => {
    for await (const _ of copyOut(sql, `copy (${rowsStatement(selectionOf(report))}) to stdout`));
  });
  return monotonicMs() - startedMs;
}

async function written(clientId: string, report: ReportRow) {
  const ctx = systemContext(await loadAccount(clientId), newId());
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, SAMPLE_MS);
  const startedMs = monotonicMs();
  let firstMs: number | undefined;
  const result = await writeFiles(ctx, report, async () => {
    firstMs ??= monotonicMs() - startedMs;
  });
  clearInterval(timer);
  const rows = result.files.reduce((sum, file) => sum + file.rows, 0);
  return { ms: monotonicMs() - startedMs, rows, firstMs: firstMs ?? 0, megabytes: (peak - before) / MEGABYTE };
}

process.chdir(ROOT);
process.stdout.write(`${describeMachine()}\n\n`);
const server = await openWorld();
try {
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  const model = await openShop();
  const [token] = await makeTokens(model, 1);
  if (!token) throw new Error("no token was made");
  const { id } = await call<{ id: string }>(model, "/v1/charges", JSON.parse(newChargeOf(model, token)));
  const { shop } = await fillCharges(sql, id, Number(values.charges));
  const { shop: other } = await fillCharges(sql, id, OTHER_CHARGES);
  await sql`vacuum analyze charges, transaction_requests`;
  await sql.end({ timeout: 5 });
  const lines: string[][] = [];
  const reports: string[] = [];
  for (const [name, fields, format] of [
    ["four columns", NARROW, "csv"],
    ["every column", "all", "csv"],
    ["four columns, Excel", NARROW, "xlsx"],
    ["every column, Excel", "all", "xlsx"],
  ] as const) {
    const filters = { transactionCreatedAt: { gte: "2026-01-01T00:00:00Z", lte: "2026-12-31T00:00:00Z" } };
    const asked = { sendTo: "bench@example.com", type: "transactions", fields, filters, format };
    const { id: reportId } = await call<{ id: string }>(shop, "/v1/reports", asked);
    reports.push(reportId);
    const ctx = systemContext(await loadAccount(shop.clientId), newId());
    const report = await inTransaction(ctx, (inside) => getReport(inside, reportId));
    await copied(report);
    const bare = await copied(report);
    const { ms, rows, firstMs, megabytes } = await written(shop.clientId, report);
    const perSecond = rows / (ms / 1_000);
    const [pace, ofCopy] = [Math.round(perSecond).toLocaleString("en"), (bare / ms).toFixed(2)];
    lines.push([
      name,
      rows.toLocaleString("en"),
      // A workbook is made of cells that are packed and compressed: it has no target of speed.
      format === "xlsx" ? pace : `${pace} ≥ ${TARGETS.rows.toLocaleString("en")} ${verdict(perSecond >= TARGETS.rows)}`,
      format === "xlsx" ? ofCopy : `${ofCopy} ≥ ${TARGETS.ofCopy} ${verdict(bare / ms >= TARGETS.ofCopy)}`,
      `${Math.round(megabytes)} ≤ ${TARGETS.megabytes} ${verdict(megabytes <= TARGETS.megabytes)}`,
      `${Math.round(firstMs)} ≤ ${TARGETS.firstMs} ${verdict(firstMs <= TARGETS.firstMs)}`,
    ]);
  }
  process.stdout.write(
    table(
      ["report", "rows", "rows a second", "of a bare COPY", "MB above the process's own", "first progress ms"],
      lines,
    ),
  );
  const [reportId = ""] = reports;
  const otherCtx = systemContext(await loadAccount(other.clientId), newId());
  const { alone, beside } = await pagesBeside(otherCtx, { clientId: shop.clientId, reportId });
  const ratio = beside.p50 / alone.p50;
  process.stdout.write(
    `\n${table(
      ["list of another account, p50 / p95 ms", "alone", "while a report is written", "ratio of p50"],
      [
        [
          "payments, page 1",
          `${alone.p50.toFixed(1)} / ${alone.p95.toFixed(1)}`,
          `${beside.p50.toFixed(1)} / ${beside.p95.toFixed(1)}`,
          `${ratio.toFixed(2)} ≤ ${TARGETS.beside} ${verdict(ratio <= TARGETS.beside)}`,
        ],
      ],
    )}`,
  );
} finally {
  await closePools();
  await closeWorld(server);
}
