import { Gauge, Registry } from "prom-client";
import { isDatabaseAway } from "@/db/availability";
import { poolUse, systemSql } from "@/db/client";
import { laneGauges } from "@/lib/due-jobs/gauges";
import { INVARIANTS } from "@/lib/invariants/catalogue";
import { log } from "@/lib/log";
import { countedByAll } from "@/lib/metrics";
import { LISTENERS } from "@/lib/webhooks/claim";

/**
 * What this process counted, and what the last audit found and how work stands, read from the database: of those any
 * process can be asked. Without a database the first half is answered.
 */
export async function metricsText(): Promise<{ contentType: string; body: string }> {
  const stored = await storedRegistry();
  const pools = new Registry();
  new Gauge({ name: "trilho_database_up", help: "Whether the database answered", registers: [pools] }).set(
    stored ? 1 : 0,
  );
  addPools(pools);
  const all = Registry.merge([await countedByAll(), pools, ...(stored ? [stored] : [])]);
  return { contentType: all.contentType, body: await all.metrics() };
}

async function storedRegistry(): Promise<Registry | undefined> {
  if (isDatabaseAway()) return undefined;
  const registry = new Registry();
  try {
    await addAudit(registry);
    await addWork(registry);
    await addLanes(registry);
    return registry;
  } catch (error) {
    log.warn({ error }, "metrics of the database could not be read");
    return undefined;
  }
}

function addPools(registry: Registry): void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `trilho_pool_${name}`, help, labelNames: ["pool"], registers: [registry] });
  const size = gauge("size", "Connections a pool of this process may have");
  const used = gauge("used", "Connections that a transaction holds");
  const waiting = gauge("waiting", "Transactions that wait for a connection");
  for (const { pool, ...of } of poolUse()) {
    size.set({ pool }, of.size);
    used.set({ pool }, of.used);
    waiting.set({ pool }, of.waiting);
  }
}

async function addAudit(registry: Registry): Promise<void> {
  const rows = await systemSql()<
    { invariant: string; ran: number; duration_ms: number; checked: number; pass: number | null; open: number }[]
  >`
    select r.invariant, extract(epoch from r.ran_at)::float8 as ran, r.duration_ms, r.checked,
           extract(epoch from r.pass_ended_at)::float8 as pass,
           (select count(*) from invariant_violations b where b.invariant = r.invariant and b.closed_at is null)::int as open
      from invariant_runs r where r.invariant = any(${INVARIANTS.map(({ id }) => id)})`;
  const labelNames = ["invariant"];
  const registers = [registry];
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `trilho_invariant_${name}`, help, labelNames, registers });
  const violations = gauge("violations", "Rows that violate the invariant and have not been seen to hold again");
  const ran = gauge("last_run_timestamp_seconds", "When the audit last ran");
  const pass = gauge("last_full_pass_timestamp_seconds", "When a pass over every row last ended");
  const checked = gauge("checked_rows", "Rows looked at by the last run");
  const seconds = gauge("duration_seconds", "Time the last run took");
  for (const row of rows) {
    const labels = { invariant: row.invariant };
    violations.set(labels, row.open);
    ran.set(labels, row.ran);
    if (row.pass !== null) pass.set(labels, row.pass);
    checked.set(labels, row.checked);
    seconds.set(labels, row.duration_ms / 1000);
  }
}

/** Listening command lines ask for theirs: nobody sends those. */
const DUE_DELIVERIES = `
  from webhook_deliveries d join webhooks w on w.id = d.webhook_id
 where d.ready_at <= now() and w.address not like '${LISTENERS}'`;

const WORK = [
  [
    "purchases_in_review",
    "Purchases that wait for a person",
    "select count(*) from purchases where review_reason is not null",
  ],
  [
    "purchase_operations_active",
    "Operations of purchases that are pending or processing",
    "select count(*) from purchase_operations where status in ('pending', 'processing')",
  ],
  [
    "payment_page_alarms",
    "Payment pages told of in the last 24 hours: a browser or the daily comparison found what was not published",
    "select count(*) from notices where kind = 'payment_page' and created_at > now() - interval '1 day'",
  ],
  [
    "payment_page_differences",
    "What the last comparison of the payment pages with the build found different",
    "select coalesce((select jsonb_array_length(differences) from page_checks order by checked_at desc limit 1), 0)",
  ],
  [
    "webhook_backlog",
    "Deliveries of webhooks whose time has come and that nobody has begun",
    `select count(*) ${DUE_DELIVERIES}`,
  ],
  [
    "webhook_oldest_seconds",
    "How long the oldest of these deliveries has waited",
    `select coalesce(extract(epoch from now() - min(d.ready_at)), 0) ${DUE_DELIVERIES}`,
  ],
  [
    "outbox_oldest_seconds",
    "How long the oldest event has waited for the engine",
    "select coalesce(extract(epoch from now() - min(created_at)), 0) from outbox where relayed_at is null",
  ],
  [
    "engine_last_call_seconds",
    "How long ago Inngest last called; absent with the embedded engine",
    "select extract(epoch from now() - greatest(called_at, since)) from engine_link",
  ],
  ["outbox_waiting", "Events the engine has not been told of", "select count(*) from outbox where relayed_at is null"],
] as const;

async function addWork(registry: Registry): Promise<void> {
  const values = WORK.map(([name, , query]) => `(${query})::float8 as ${name}`).join(", ");
  const [row] = await systemSql().unsafe<Record<string, number | null>[]>(`select ${values}`);
  for (const [name, help] of WORK) {
    const value = row?.[name] ?? null;
    if (value !== null) new Gauge({ name: `trilho_${name}`, help, registers: [registry] }).set(value);
  }
}

async function addLanes(registry: Registry): Promise<void> {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `trilho_due_jobs_${name}`, help, labelNames: ["lane"], registers: [registry] });
  const waiting = gauge("waiting", "Due jobs that have not begun");
  const running = gauge("running", "Due jobs under way");
  const oldest = gauge("oldest_seconds", "How late the oldest due job is");
  for (const { lane, ...of } of await laneGauges()) {
    waiting.set({ lane }, of.waiting);
    running.set({ lane }, of.running);
    oldest.set({ lane }, of.oldestSeconds);
  }
}
