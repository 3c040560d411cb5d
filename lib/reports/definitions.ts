import { and, asc, eq, isNull } from "drizzle-orm";
import { type ReportCron, reportDefinitions } from "@/db/schema/reports";
import { actorOf, audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import { DomainError, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { nextRun, previousSpan } from "@/lib/reports/calendar";
import { narrowingOf } from "@/lib/reports/conditions";
import type { ReportRow } from "@/lib/reports/queries";
import { type NewReport, newReport } from "@/lib/reports/schema";
import { columnsOf, type ReportVoice, requestReport, said } from "@/lib/reports/service";

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

export async function getDefinition(ctx: Context, id: string): Promise<DefinitionRow> {
  const [row] = await ctx.db
    .select()
    .from(reportDefinitions)
    .where(and(live(ctx), eq(reportDefinitions.id, id)));
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
  const fields = columnsOf(report, isPersonalBarred).map(({ id }) => id);
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
    await scheduleNext(inside, row);
    return row;
  });
}

export async function deleteDefinition(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const row = await getDefinition(inside, id);
    await inside.db
      .update(reportDefinitions)
      .set({ deletedAt: now(inside) })
      .where(eq(reportDefinitions.id, id));
    await unschedule(inside, "report.schedule", id);
    await audit(inside, {
      action: "report.unschedule",
      object: "report_definition",
      objectId: id,
      before: { name: row.name },
    });
  });
}

/** Due: the report of the period that just ended, and the next one, in one transaction. */
export async function reportScheduled(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const [row] = await inside.db
      .select()
      .from(reportDefinitions)
      .where(and(live(inside), eq(reportDefinitions.id, id)));
    if (!row?.cron) return;
    await runDefinition(inside, row);
    await scheduleNext(inside, row);
  });
}

export async function runDefinition(ctx: Context, row: DefinitionRow, isPersonalBarred = false): Promise<ReportRow> {
  const { id: definitionId, language, timezone, cron, request } = row;
  const more = { definitionId, isPersonalBarred };
  const kept = newReport.parse(request);
  if (!cron) return requestReport(ctx, kept, { language, timezone }, more);
  const { member } = narrowingOf(kept);
  const filters = { ...said(kept.filters), [member.split(".")[1] ?? ""]: previousSpan(cron, timezone, now(ctx)) };
  return requestReport(ctx, newReport.parse({ ...request, filters }), { language, timezone }, more);
}

async function scheduleNext(ctx: Context, { id, cron, time, timezone }: DefinitionRow): Promise<void> {
  if (cron && time) await schedule(ctx, "report.schedule", id, nextRun(cron, time, timezone, now(ctx)));
}
