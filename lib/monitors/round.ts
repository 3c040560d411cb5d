import { and, eq, inArray, isNull, lt, or } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import { monitorEvents, monitors } from "@/db/schema/monitors";
import { loadAccount } from "@/lib/accounts/service";
import { type Context, inTransaction, now, systemContext } from "@/lib/context";
import { emit } from "@/lib/events";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { type MonitorWindow, measure } from "@/lib/monitors/measure";
import { type Judgement, judgeWatch, type MeasuredWindow, WEEKS } from "@/lib/monitors/metrics";
import type { MonitorBody } from "@/lib/monitors/schema";
import { isMuted, type MonitorEvent, type MonitorRow } from "@/lib/monitors/service";
import { tell } from "@/lib/tell";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const MINUTE_MS = 60_000;
const MOST_AT_ONCE = 500;
const WEEK_SECONDS = 7 * DAY_SECONDS;

/** Looks at every monitor of an open account that nobody looked at in this minute; answers how many changed. */
export async function lookAtMonitors(at: Date = realNow()): Promise<number> {
  const round = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
  const open = systemDb().select({ id: clients.id }).from(clients).where(eq(clients.status, "active"));
  const isDue = or(isNull(monitors.lookedAt), lt(monitors.lookedAt, round));
  const due = await systemDb()
    .select()
    .from(monitors)
    .where(and(isNull(monitors.deletedAt), isDue, inArray(monitors.clientId, open)))
    .orderBy(monitors.lookedAt)
    .limit(MOST_AT_ONCE);
  let changed = 0;
  for (const monitor of due) {
    try {
      const ctx = systemContext(await loadAccount(monitor.clientId), newId());
      if (await look(ctx, monitor, round)) changed++;
    } catch (thrown) {
      log.error({ clientId: monitor.clientId, job: "monitors", error: thrown }, "a monitor could not be looked at");
    }
  }
  return changed;
}

async function look(ctx: Context, monitor: MonitorRow, round: Date): Promise<boolean> {
  const window = windowAt(now(ctx), monitor.windowMinutes);
  const windows = monitor.kind === "anomaly" ? [window, ...weeksBefore(window)] : [window];
  const [present = { value: null, samples: 0 }, ...weeks] = await measure(ctx, monitor.metric, windows);
  return inTransaction(ctx, (inside) =>
    write(inside, monitor, round, { window, present, ...judgeWatch(monitor, present, weeks) }),
  );
}

/** What happened at this very moment is in it: a test clock may stand still. */
function windowAt(at: Date, minutes: number): MonitorWindow {
  const until = new Date(at.getTime() + 1);
  return { from: addSeconds(until, -minutes * 60), until };
}

export const weeksBefore = ({ from, until }: MonitorWindow): MonitorWindow[] =>
  Array.from({ length: WEEKS }, (_, index) => ({
    from: addSeconds(from, -(index + 1) * WEEK_SECONDS),
    until: addSeconds(until, -(index + 1) * WEEK_SECONDS),
  }));

interface Found extends Judgement {
  window: MonitorWindow;
  present: MeasuredWindow;
}

/** Whoever comes second in a round finds the row taken and changes nothing. */
async function write(ctx: Context, monitor: MonitorRow, round: Date, found: Found): Promise<boolean> {
  const { present, verdict, limit, window } = found;
  const [taken] = await ctx.db
    .update(monitors)
    .set({ lookedAt: round, value: verdict === "unknown" ? null : present.value, samples: present.samples })
    .where(
      and(
        eq(monitors.id, monitor.id),
        // What was judged is what it still is.
        eq(monitors.updatedAt, monitor.updatedAt),
        isNull(monitors.deletedAt),
        or(isNull(monitors.lookedAt), lt(monitors.lookedAt, round)),
      ),
    )
    .returning();
  if (!taken || verdict === "unknown") return false;
  const state = verdict === "bad" ? ("firing" as const) : ("quiet" as const);
  if (taken.state === state) return false;
  await ctx.db
    .update(monitors)
    .set({ state, since: now(ctx) })
    .where(eq(monitors.id, taken.id));
  const event = {
    id: newId(),
    clientId: ctx.account.id,
    monitorId: taken.id,
    kind: state === "firing" ? ("fired" as const) : ("recovered" as const),
    value: present.value ?? 0,
    limitValue: limit,
    samples: present.samples,
    windowFrom: window.from,
    windowUntil: window.until,
    round,
  };
  await ctx.db.insert(monitorEvents).values(event);
  if (isMuted(ctx, taken)) return true;
  await tell(ctx.db, {
    clientId: ctx.account.id,
    kind: event.kind === "fired" ? "monitor_fired" : "monitor_recovered",
    path: `/dashboard/settings/alerts/${taken.id}`,
    name: taken.name,
    at: now(ctx),
    isMailed: taken.byEmail,
  });
  if (taken.byWebhook) {
    const data = bodyOf({ ...taken, state }, event);
    await emit(ctx, { object: "monitor", event: event.kind, entityId: taken.id, data });
  }
  return true;
}

const bodyOf = (
  { id, clientId, name, state, metric, kind }: MonitorRow,
  { value, limitValue, samples, windowFrom, windowUntil }: Omit<MonitorEvent, "id" | "kind" | "round">,
): MonitorBody => ({
  id,
  clientId,
  name,
  status: state,
  metric,
  kind,
  value,
  limit: limitValue,
  samples,
  windowFrom: windowFrom.toISOString(),
  windowUntil: windowUntil.toISOString(),
});
