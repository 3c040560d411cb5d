import { and, asc, eq, isNull } from "drizzle-orm";
import { type ReportCron, reportDefinitions } from "@/db/schema/reports";
import { actorOf, audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import { DomainError, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { askConfirmation, isKnownAddress, wasAsked } from "@/lib/reports/addresses";
import { nextRun, previousSpan } from "@/lib/reports/calendar";
import { narrowingOf } from "@/lib/reports/conditions";
import type { ReportRow } from "@/lib/reports/queries";
import { type NewReport, newReport } from "@/lib/reports/schema";
import { localeOfReport } from "@/lib/reports/send";
import { type ReportVoice, reportColumnsOf, requestReport, said } from "@/lib/reports/service";

export type DefinitionRow = typeof reportDefinitions.$inferSelect;

const MOST = 20;

export interface NewDefinition {
  name: string;
  report: NewReport;
  /** Null is only by hand. */
  schedule: { cron: ReportCron; time: string } | null;
}

const live = (ctx: Context) => and(eq(reportDefinitions.clientId, ctx.account.id), isNull(reportDefinitions.deletedAt));

export const listDefinitions = (ctx: Context): Promise<DefinitionRow[]> =>
  ctx.db
    .select()
    .from(reportDefinitions)
    .where(live(ctx))
    .orderBy(asc(reportDefinitions.createdAt), asc(reportDefinitions.id))
    .limit(MOST);

const found = (ctx: Context, id: string) =>
  ctx.db
    .select()
    .from(reportDefinitions)
    .where(and(live(ctx), eq(reportDefinitions.id, id)));

export async function getDefinition(ctx: Context, id: string): Promise<DefinitionRow> {
  const [row] = await found(ctx, id);
  if (!row) throw notFound("schedule");
  return row;
}

/** Kept to be made again; with a schedule its time span is the day, week or month before each run. */
export async function createDefinition(
  ctx: Context,
  { name, report, schedule: asked }: NewDefinition,
  voice: ReportVoice,
  isPersonalBarred = false,
): Promise<DefinitionRow> {
  const fields = reportColumnsOf(report, isPersonalBarred).map(({ id }) => id);
  const { member } = narrowingOf(report);
  const filters = said(report.filters);
  if (asked) delete filters[member.split(".")[1] ?? ""];
  return inTransaction(ctx, async (inside) => {
    if ((await inside.db.$count(reportDefinitions, live(inside))) >= MOST)
      throw new DomainError("report_limit_reached", `at most ${MOST} reports are kept`);
    const at = now(inside);
    const [row] = await inside.db
      .insert(reportDefinitions)
      .values({
        id: newId(),
        clientId: inside.account.id,
        name,
        request: { ...report, fields, filters },
        ...voice,
        cron: asked?.cron ?? null,
        time: asked?.time ?? null,
        nextAt: asked ? nextRun(asked.cron, asked.time, voice.timezone, at) : null,
        actor: actorOf(inside),
        createdAt: at,
        updatedAt: at,
      })
      .returning();
    if (!row) throw new Error("an insert answers its row");
    await audit(inside, {
      action: "report.schedule",
      object: "report_definition",
      objectId: row.id,
      after: { name, cron: row.cron, type: report.type },
    });
    if (row.nextAt) await schedule(inside, "report.schedule", row.id, row.nextAt);
    if (row.cron && !(await isKnownAddress(inside, report.sendTo)))
      await askConfirmation(inside, report.sendTo, localeOfReport(row));
    return row;
  });
}

export interface ChangedDefinition extends Pick<NewDefinition, "name" | "schedule"> {
  sendTo: string;
}

/** Its name, where it goes and when it repeats; what it says stays. */
export async function changeDefinition(
  ctx: Context,
  id: string,
  { name, sendTo, schedule: asked }: ChangedDefinition,
  isPersonalBarred = false,
): Promise<DefinitionRow> {
  return inTransaction(ctx, async (inside) => {
    // Its run and its change follow each other.
    const [before] = await found(inside, id).for("update");
    if (!before) throw notFound("schedule");
    const report = newReport.parse({ ...before.request, sendTo });
    // Nobody has sent to themselves what they may not see.
    reportColumnsOf(report, isPersonalBarred);
    const filters = said(report.filters);
    if (asked) delete filters[narrowingOf(report).member.split(".")[1] ?? ""];
    const at = now(inside);
    // A run that was missed is made up for, whatever else changes meanwhile.
    const isAsBefore = asked?.cron === before.cron && asked?.time === before.time;
    const next = asked && (isAsBefore ? before.nextAt : nextRun(asked.cron, asked.time, before.timezone, at));
    const [row] = await inside.db
      .update(reportDefinitions)
      .set({
        name,
        request: { ...report, filters },
        cron: asked?.cron ?? null,
        time: asked?.time ?? null,
        nextAt: next,
        updatedAt: at,
      })
      .where(eq(reportDefinitions.id, id))
      .returning();
    if (!row) throw new Error("an update of a row that is there answers it");
    const told = ({ name: called, cron, time, request }: DefinitionRow) => ({
      name: called,
      cron,
      time,
      sendTo: request.sendTo,
    });
    await audit(inside, {
      action: "report.schedule",
      object: "report_definition",
      objectId: id,
      before: told(before),
      after: told(row),
    });
    if (row.nextAt) await schedule(inside, "report.schedule", id, row.nextAt);
    else await unschedule(inside, "report.schedule", id);
    if (row.cron && !(await isKnownAddress(inside, sendTo))) await askConfirmation(inside, sendTo, localeOfReport(row));
    return row;
  });
}

export async function deleteDefinition(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (inside) => end(inside, await getDefinition(inside, id)));
}

async function end(ctx: Context, { id, name }: DefinitionRow): Promise<void> {
  await ctx.db
    .update(reportDefinitions)
    .set({ deletedAt: now(ctx) })
    .where(eq(reportDefinitions.id, id));
  await unschedule(ctx, "report.schedule", id);
  await audit(ctx, {
    action: "report.unschedule",
    object: "report_definition",
    objectId: id,
    before: { name },
  });
}

/** After a long time away the newest alone are made up. */
const MOST_MADE_UP = 31;

/**
 * Due: the report of the period that just ended and of those whose run was missed, and the next one, in one transaction.
 * It ends with the membership of the person it goes to.
 */
export async function reportScheduled(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const [row] = await found(inside, id).for("update");
    if (!row?.cron || !row.time || !row.nextAt) return;
    const { sendTo } = newReport.parse(row.request);
    if (!(await isKnownAddress(inside, sendTo)) && !(await wasAsked(inside, sendTo))) return end(inside, row);
    const { cron, time, timezone } = row;
    const due: Date[] = [];
    let next = row.nextAt;
    for (; next <= now(inside); next = nextRun(cron, time, timezone, next)) due.push(next);
    for (const at of due.slice(-MOST_MADE_UP)) await make(inside, row, previousSpan(cron, timezone, at));
    await inside.db.update(reportDefinitions).set({ nextAt: next }).where(eq(reportDefinitions.id, id));
    await schedule(inside, "report.schedule", id, next);
  });
}

/** By hand: with a schedule, of the period that ended last. */
export const runDefinition = (ctx: Context, row: DefinitionRow, isPersonalBarred = false): Promise<ReportRow> =>
  make(ctx, row, row.cron ? previousSpan(row.cron, row.timezone, now(ctx)) : undefined, isPersonalBarred);

function make(
  ctx: Context,
  { id: definitionId, language, timezone, request }: DefinitionRow,
  span: ReturnType<typeof previousSpan> | undefined,
  isPersonalBarred = false,
): Promise<ReportRow> {
  const kept = newReport.parse(request);
  const { member } = narrowingOf(kept);
  const filters = { ...said(kept.filters), ...(span ? { [member.split(".")[1] ?? ""]: span } : {}) };
  const asked = span ? newReport.parse({ ...request, filters }) : kept;
  return requestReport(ctx, asked, { language, timezone }, { definitionId, isPersonalBarred });
}
