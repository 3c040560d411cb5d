import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import { monitorEvents, monitors } from "@/db/schema/monitors";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { invalid, notFound } from "@/lib/errors";
import { isUuid, newId } from "@/lib/ids";
import type { NewMonitor } from "@/lib/monitors/metrics";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { addSeconds } from "@/lib/time";

export type MonitorRow = typeof monitors.$inferSelect;
export type MonitorEvent = typeof monitorEvents.$inferSelect;

/** More than anybody reads, and few enough to be looked at each minute. */
export const MOST_MONITORS = 50;
const MOST_EVENTS = 100;
const LONGEST_NAME = 80;
const LONGEST_MUTE_HOURS = 30 * 24;

const isOne = (ctx: Context, id: string) =>
  and(eq(monitors.clientId, ctx.account.id), eq(monitors.id, id), isNull(monitors.deletedAt));

/** Those that fire first, then in the order they were made. */
export async function listMonitors(ctx: Context, role: OperatorRole): Promise<MonitorRow[]> {
  demand(role, "monitors.see");
  return inTransaction(ctx, ({ db, account }) =>
    db
      .select()
      .from(monitors)
      .where(and(eq(monitors.clientId, account.id), isNull(monitors.deletedAt)))
      .orderBy(desc(sql`${monitors.state} = 'firing'`), asc(monitors.createdAt), asc(monitors.id)),
  );
}

export async function findMonitor(
  ctx: Context,
  role: OperatorRole,
  id: string,
): Promise<{ monitor: MonitorRow; events: MonitorEvent[] }> {
  demand(role, "monitors.see");
  if (!isUuid(id)) throw notFound("monitor");
  return inTransaction(ctx, async (inside) => {
    const [monitor] = await inside.db.select().from(monitors).where(isOne(ctx, id));
    if (!monitor) throw notFound("monitor");
    const events = await inside.db
      .select()
      .from(monitorEvents)
      .where(and(eq(monitorEvents.clientId, ctx.account.id), eq(monitorEvents.monitorId, id)))
      .orderBy(desc(monitorEvents.windowUntil), desc(monitorEvents.round))
      .limit(MOST_EVENTS);
    return { monitor, events };
  });
}

export async function createMonitor(ctx: Context, role: OperatorRole, given: NewMonitor): Promise<string> {
  demand(role, "monitors.edit");
  return inTransaction(ctx, async (inside) => {
    const known = await inside.db
      .select({ id: monitors.id })
      .from(monitors)
      .where(and(eq(monitors.clientId, ctx.account.id), isNull(monitors.deletedAt)));
    if (known.length >= MOST_MONITORS) throw invalid(`an account has at most ${MOST_MONITORS} monitors`);
    const id = newId();
    const at = now(ctx);
    await inside.db
      .insert(monitors)
      .values({ ...fitting(given), id, clientId: ctx.account.id, createdAt: at, updatedAt: at });
    await audit(inside, { action: "monitor.create", object: "monitor", objectId: id, after: { ...given } });
    return id;
  });
}

/** It begins anew: what fired was another question. */
export async function changeMonitor(ctx: Context, role: OperatorRole, id: string, given: NewMonitor): Promise<void> {
  await edit(ctx, role, id, "monitor.update", { ...given }, (before) => ({
    ...fitting(given),
    state: "quiet",
    since: null,
    lookedAt: null,
    value: null,
    samples: null,
    updatedAt: laterThan(before.updatedAt, now(ctx)),
  }));
}

/** It goes on looking and keeps its history; it tells nobody until then. */
export async function muteMonitor(ctx: Context, role: OperatorRole, id: string, hours: number): Promise<void> {
  if (!Number.isSafeInteger(hours) || hours < 1 || hours > LONGEST_MUTE_HOURS) throw invalid("hours");
  const mutedUntil = addSeconds(now(ctx), hours * 3_600);
  await edit(ctx, role, id, "monitor.mute", { until: mutedUntil.toISOString() }, () => ({ mutedUntil }));
}

export const unmuteMonitor = (ctx: Context, role: OperatorRole, id: string): Promise<void> =>
  edit(ctx, role, id, "monitor.unmute", {}, () => ({ mutedUntil: null }));

export const deleteMonitor = (ctx: Context, role: OperatorRole, id: string): Promise<void> =>
  edit(ctx, role, id, "monitor.delete", {}, () => ({ deletedAt: now(ctx) }));

export const isMuted = (ctx: Context, { mutedUntil }: Pick<MonitorRow, "mutedUntil">): boolean =>
  mutedUntil !== null && mutedUntil > now(ctx);

const fitting = ({ name, ...rest }: NewMonitor): NewMonitor => ({ name: name.trim().slice(0, LONGEST_NAME), ...rest });

/** A clock that stands still must not make two versions look like one. */
const laterThan = (before: Date, at: Date): Date => (at > before ? at : new Date(before.getTime() + 1));

async function edit(
  ctx: Context,
  role: OperatorRole,
  id: string,
  action: string,
  after: Record<string, unknown>,
  change: (before: MonitorRow) => Partial<typeof monitors.$inferInsert>,
): Promise<void> {
  demand(role, "monitors.edit");
  if (!isUuid(id)) throw notFound("monitor");
  await inTransaction(ctx, async (inside) => {
    const [before] = await inside.db.select().from(monitors).where(isOne(ctx, id)).for("update");
    if (!before) throw notFound("monitor");
    await inside.db.update(monitors).set(change(before)).where(eq(monitors.id, id));
    const { name, metric, kind, threshold, windowMinutes, byEmail, byWebhook } = before;
    await audit(inside, {
      action,
      object: "monitor",
      objectId: id,
      before: { name, metric, kind, threshold, windowMinutes, byEmail, byWebhook },
      after,
    });
  });
}
