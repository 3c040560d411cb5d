import { systemSql } from "@/db/client";
import { LANES, type Lane } from "@/lib/due-jobs/kinds";

export interface LaneGauge {
  lane: Lane;
  /** Due by real time and not begun. */
  waiting: number;
  running: number;
  /** How long ago the oldest of those that wait fell due; 0 when none waits. */
  oldestSeconds: number;
}

/** How the work of each lane stands; read from indexes that hold what is due and under way alone. */
export async function laneGauges(): Promise<LaneGauge[]> {
  const rows = await systemSql()<LaneGauge[]>`
    select l.lane, due.n + ready.n as waiting, running.n as running,
           coalesce(greatest(extract(epoch from now() - least(due.oldest, ready.oldest)), 0), 0)::float8 as "oldestSeconds"
      from unnest(${[...LANES]}::text[]) as l (lane)
      cross join lateral (select count(*)::int as n, min(d.wake_at) as oldest from due_jobs d
                           where d.lane = l.lane and d.queue is null and d.wake_at <= now()) due
      cross join lateral (select count(*)::int as n, min(d.wake_at) as oldest from due_jobs d
                           where d.lane = l.lane and d.queue is not null
                             and (d.lease_until is null or d.lease_until <= now())) ready
      cross join lateral (select count(*)::int as n from due_jobs d
                           where d.lane = l.lane and d.lease_until > now()) running`;
  return [...rows];
}
