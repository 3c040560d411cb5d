import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { INVARIANTS, type Invariant, type Root } from "@/lib/invariants/catalogue";
import { auditText, type FoundViolation } from "@/lib/invariants/query";
import { log } from "@/lib/log";
import { addSeconds, monotonicMs, realNow } from "@/lib/time";

/** Rows of the full pass that one run looks at, and fewer where so many took longer than this the last time. */
const PASS_ROWS = 10_000;
const FEWEST_PASS_ROWS = 500;
const PASS_MS = 150;
/** Of what changed since the last run, at most this many rows; the full pass comes to the others. */
const MOST_CHANGED = 20_000;
/** Transactions commit out of the order of their ids: what is this old is looked at again. */
const OVERLAP_SECONDS = 120;
const FIRST_RUN_SECONDS = 3_600;
const BY_HAND_SECONDS = 10;

interface Run {
  invariant: string;
  ran_at: Date;
  duration_ms: number;
  checked: number;
  cursor: string | null;
  pass_began_at: Date | null;
}

export interface AuditedInvariant {
  invariant: string;
  checked: number;
  violations: number;
  durationMs: number;
}

/**
 * Every minute: what changed lately, the next part of a pass over everything, and the violations that are open. It repairs
 * nothing; a violation is logged as an error once, for people to be called.
 */
export async function auditInvariants(): Promise<AuditedInvariant[]> {
  const runs = await systemSql()<
    Run[]
  >`select invariant, ran_at, duration_ms, checked, cursor, pass_began_at from invariant_runs`;
  const last = new Map(runs.map((run) => [run.invariant, run]));
  const audited: AuditedInvariant[] = [];
  for (const invariant of INVARIANTS) audited.push(await audit(invariant, last.get(invariant.id)));
  return audited;
}

/** By hand, from a page: what was looked at a moment ago is not looked at again, however often somebody asks. */
export async function auditNow(): Promise<void> {
  const [last] = await systemSql()<{ at: Date | null }[]>`select max(ran_at) as at from invariant_runs`;
  if (last?.at && last.at > addSeconds(realNow(), -BY_HAND_SECONDS)) return;
  await auditInvariants();
}

async function audit(invariant: Invariant, last: Run | undefined): Promise<AuditedInvariant> {
  const sql = systemSql();
  const at = realNow();
  const startedMs = monotonicMs();
  const since = last ? addSeconds(last.ran_at, -OVERLAP_SECONDS) : addSeconds(at, -FIRST_RUN_SECONDS);
  const cursor = last?.cursor ?? null;
  const rows = passRows(last);
  const [ahead] = await sql<{ last: string | null; rows: number }[]>`
    select (array_agg(id order by id desc))[1] as last, count(*)::int as rows from (
      select id from ${sql(invariant.root)} where id > ${cursor ?? FIRST_ID} order by id limit ${rows}) part`;
  const upTo = ahead?.last ?? null;
  const picked = [
    `(${CHANGED[invariant.root](idAt(since))} limit ${MOST_CHANGED})`,
    upTo && `(select id from ${invariant.root} where id > '${cursor ?? FIRST_ID}' and id <= '${upTo}')`,
    `(select row_id from invariant_violations where invariant = '${invariant.id}' and closed_at is null)`,
  ];
  const [found] = await sql.unsafe<FoundViolation[]>(auditText(invariant, picked.filter(Boolean).join(" union ")));
  if (!found) throw new Error("an audit that answered nothing");
  await keepViolations(invariant, found, at);
  const isWhole = !ahead || ahead.rows < rows;
  const durationMs = Math.round(monotonicMs() - startedMs);
  await sql`
    insert into invariant_runs (invariant, ran_at, duration_ms, checked, cursor, pass_began_at, pass_ended_at)
    values (${invariant.id}, ${at}, ${durationMs}, ${found.checked}, ${isWhole ? null : upTo},
            ${isWhole ? null : (last?.pass_began_at ?? at)}, ${isWhole ? at : null})
    on conflict (invariant) do update set
      ran_at = excluded.ran_at, duration_ms = excluded.duration_ms, checked = excluded.checked,
      cursor = excluded.cursor, pass_began_at = excluded.pass_began_at,
      pass_ended_at = coalesce(excluded.pass_ended_at, invariant_runs.pass_ended_at)`;
  return { invariant: invariant.id, checked: found.checked, violations: found.violations, durationMs };
}

/** A minute has little to spare for the audit, however slow the machine is and whatever an invariant has to look up. */
export function passRows(last: Pick<Run, "duration_ms" | "checked"> | undefined): number {
  if (!last || last.checked === 0) return PASS_ROWS;
  const affordable = Math.floor((last.checked * PASS_MS) / Math.max(last.duration_ms, 1));
  return Math.min(Math.max(affordable, FEWEST_PASS_ROWS), PASS_ROWS);
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** The least id that can have been made at an instant: ids begin with their milliseconds. */
function idAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Every change of a payment or a purchase leaves an event, and events are ordered by real time whatever the account's clock says. */
const changedOf = (object: string, since: string): string =>
  `select distinct entity_id from events where id >= '${since}' and object = '${object}'`;

const CHANGED: Record<Root, (since: string) => string> = {
  charges: (since) => changedOf("transaction", since),
  purchases: (since) =>
    `select id from purchases where id in (${changedOf("purchase", since)})
      union select purchase_id from charges where purchase_id is not null and id in (${changedOf("transaction", since)})`,
  sessions: (since) =>
    `select session_id from charges where session_id is not null and id in (${changedOf("transaction", since)})
      union select session_id from purchases where session_id is not null and id in (${changedOf("purchase", since)})`,
  journals: (since) => `select id from journals where id >= '${since}'`,
  receivables: (since) => `select id from receivables where charge_id in (${changedOf("transaction", since)})`,
  prepayments: (since) => changedOf("prepayment", since),
  payout_batches: (since) => changedOf("payout", since),
  payout_transfers: (since) => `select id from payout_transfers where batch_id in (${changedOf("payout", since)})`,
  payout_files: (since) => `select id from payout_files where id >= '${since}'`,
  // Those of one account follow from one another; the full pass is sample enough.
  ledger_checkpoints: () => "select id from ledger_checkpoints where false",
  subscriptions: (since) =>
    `select id from subscriptions where id in (${changedOf("subscription", since)})
      union select subscription_id from charges where subscription_id is not null and id in (${changedOf("transaction", since)})`,
  audit_log: (since) => `select id from audit_log where id >= '${since}'`,
  audit_chain: (since) => `select id from audit_chain where id >= '${since}'`,
};

async function keepViolations(
  { id: invariant, text }: Invariant,
  { rows, violations }: FoundViolation,
  at: Date,
): Promise<void> {
  const sql = systemSql();
  const seen = rows.map(({ id }) => id);
  // Of more than could be told, those not told may still be broken.
  if (violations === rows.length) {
    await sql`
      update invariant_violations set closed_at = ${at}
       where invariant = ${invariant} and closed_at is null and row_id <> all(${seen}::uuid[])`;
  }
  for (const { id: rowId, clientId } of rows) {
    const [kept] = await sql<{ is_new: boolean }[]>`
      insert into invariant_violations (id, client_id, invariant, row_id, found_at, seen_at)
      values (${newId()}, ${clientId}, ${invariant}, ${rowId}, ${at}, ${at})
      on conflict (invariant, row_id) do update set seen_at = ${at},
        found_at = case when invariant_violations.closed_at is null then invariant_violations.found_at else ${at} end,
        closed_at = null
      returning found_at = ${at} as is_new`;
    if (kept?.is_new)
      log.error({ clientId, job: `invariant ${invariant}`, reason: `${text}: ${rowId}` }, "an invariant is broken");
  }
}
