import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { systemSql } from "@/db/client";
import { type ReportStatus, reports } from "@/db/schema/reports";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { log } from "@/lib/log";
import { enqueue } from "@/lib/outbox";
import { reportMachine, statesBefore } from "@/lib/reports/machine";
import { signManifest } from "@/lib/reports/manifest";
import type { ReportRow } from "@/lib/reports/queries";
import { sendReport } from "@/lib/reports/send";
import { writeFiles } from "@/lib/reports/write";
import { claimFile } from "@/lib/storage/files";

/** The workflow `write-report` hears it. */
export const REPORT_REQUESTED = "reports/report.requested";

/** Of one account at once: the others wait, whoever else asks. */
const MOST_RUNNING = 2;
const MOST_ATTEMPTS = 3;
/** On real time, whatever the account's clock says. */
const LEASE_SECONDS = 60;
const LEASE = sql`now() + interval '${sql.raw(String(LEASE_SECONDS))} seconds'`;

/** Somebody canceled it, or another worker has it. */
class LeaseLost extends Error {}

/**
 * Writes a report, sends it, and wakes the next of the account. Idempotent: whoever comes second finds it taken, and one
 * whose worker died begins anew, for its snapshot died with it: two snapshots in one report would agree with no moment.
 */
export async function runReport(ctx: Context, id: string): Promise<void> {
  const report = await inTransaction(ctx, (inside) => take(inside, id));
  if (report) {
    await write(ctx, report);
    await inTransaction(ctx, wakeNext);
  }
  await sendReport(ctx, id);
}

async function write(ctx: Context, report: ReportRow): Promise<void> {
  const mine = and(
    eq(reports.clientId, ctx.account.id),
    eq(reports.id, report.id),
    eq(reports.status, "processing"),
    eq(reports.epoch, report.epoch),
  );
  const change = (to: { [K in keyof ReportRow]?: ReportRow[K] | SQL }) =>
    inTransaction(ctx, (inside) =>
      inside.db
        .update(reports)
        .set({ ...to, updatedAt: now(ctx) })
        .where(mine)
        .returning({ id: reports.id }),
    );
  try {
    const written = await writeFiles(ctx, report, async (progress) => {
      if ((await change({ ...progress, leaseUntil: LEASE })).length === 0) throw new LeaseLost();
    });
    await inTransaction(ctx, async (inside) => {
      const rows = written.files.reduce((sum, file) => sum + file.rows, 0);
      const [ended] = await inside.db
        .update(reports)
        .set({
          ...written,
          status: reportMachine.next("processing", rows === 0 ? "empty" : "uploaded"),
          signature: signManifest(report, written),
          done: rows,
          total: rows,
          leaseUntil: null,
          updatedAt: now(inside),
        })
        .where(mine)
        .returning({ id: reports.id });
      if (!ended) return;
      for (const { stored } of written.files) await claimFile(inside, stored);
      // Its time may have come while it was written, with nothing to erase.
      await schedule(inside, "report.expire", report.id, report.expiredAt);
    });
  } catch (thrown) {
    // What it had stored points nowhere and is erased by itself.
    if (thrown instanceof LeaseLost) return;
    log.error({ clientId: ctx.account.id, job: `report ${report.id}`, error: thrown }, "report failed");
    const fact = report.attempts >= MOST_ATTEMPTS ? "failed" : "interrupted";
    await change({ status: reportMachine.next("processing", fact), leaseUntil: null });
  }
}

async function take(ctx: Context, id: string): Promise<ReportRow | undefined> {
  const { db, account } = ctx;
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`reports:${account.id}`}, 0))`);
  const ofAccount = eq(reports.clientId, account.id);
  const isRunning = and(ofAccount, eq(reports.status, "processing"), sql`${reports.leaseUntil} >= now()`);
  const at = { updatedAt: now(ctx) };
  if ((await db.$count(reports, isRunning)) >= MOST_RUNNING) {
    await db
      .update(reports)
      .set({ ...at, status: "pending" })
      .where(and(ofAccount, eq(reports.id, id), eq(reports.status, "created")));
    return undefined;
  }
  const isFree = sql`(${inArray(reports.status, statesBefore("started"))}
    or (${reports.status} = 'processing' and ${reports.leaseUntil} < now()))`;
  const [spent] = await db
    .update(reports)
    .set({ ...at, status: "error", leaseUntil: null })
    .where(
      and(
        ofAccount,
        eq(reports.id, id),
        eq(reports.status, "processing"),
        sql`${reports.leaseUntil} < now()`,
        sql`${reports.attempts} >= ${MOST_ATTEMPTS}`,
      ),
    )
    .returning({ id: reports.id });
  if (spent) return undefined;
  const [taken] = await db
    .update(reports)
    .set({
      ...at,
      status: "processing",
      done: 0,
      total: 0,
      attempts: sql`${reports.attempts} + 1`,
      epoch: sql`${reports.epoch} + 1`,
      leaseUntil: LEASE,
    })
    .where(and(ofAccount, eq(reports.id, id), isFree))
    .returning();
  return taken;
}

/** A place of the account is free again. */
async function wakeNext({ db, account }: Context): Promise<void> {
  const [next] = await db
    .select({ id: reports.id })
    .from(reports)
    .where(and(eq(reports.clientId, account.id), inArray(reports.status, ["pending"] satisfies ReportStatus[])))
    .orderBy(asc(reports.createdAt), asc(reports.id))
    .limit(1);
  if (next) await enqueue(db, account.id, REPORT_REQUESTED, { clientId: account.id, reportId: next.id });
}

const MOST_SWEPT = 20;

/** Of all accounts, in turns: asked for, left by a worker that died, or whole and not sent. */
export const openReports = (): Promise<{ clientId: string; id: string }[]> =>
  systemSql()<{ clientId: string; id: string }[]>`
    select client_id as "clientId", id from (
      select client_id, id, created_at, row_number() over (partition by client_id order by created_at, id) as turn
        from reports
       where status in ('created', 'pending') or (status = 'processing' and lease_until < now())
          or (emailed_at is null and not awaits_confirmation and status in ('uploaded', 'empty', 'opened'))) open
     order by turn, created_at limit ${MOST_SWEPT}`;
