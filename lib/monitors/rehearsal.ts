import { type Context, now } from "@/lib/context";
import { type MonitorWindow, measure } from "@/lib/monitors/measure";
import { judgeWatch, type WatchedWindow, WEEKS } from "@/lib/monitors/metrics";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const DAYS = 7;
/** Enough of each window to tell, so that a month of a busy account is read in a moment. */
const MOST_CHARGES = 200;
const MOST_TOLD = 20;

export interface Rehearsal {
  /** How often it would have begun to fire in the last seven days, and when last. */
  fired: number;
  moments: Date[];
  /** Windows of which there was enough to tell, of all. */
  judged: number;
  windows: number;
}

/** What a monitor would have done: window after window, each beginning where the last one ended. */
export async function rehearse(ctx: Context, role: OperatorRole, watch: WatchedWindow): Promise<Rehearsal> {
  demand(role, "monitors.see");
  const length = watch.windowMinutes * 60;
  const perWeek = Math.floor((DAYS * DAY_SECONDS) / length);
  const weeks = watch.kind === "anomaly" ? WEEKS : 0;
  const end = now(ctx);
  // Oldest first, so that the same hour of a week before lies so many windows earlier.
  const windows: MonitorWindow[] = Array.from(
    { length: perWeek * (1 + weeks) },
    (_, index, all = perWeek * (1 + weeks)) => ({
      from: addSeconds(end, -(all - index) * length),
      until: addSeconds(end, -(all - index - 1) * length),
    }),
  );
  const measured = await measure(ctx, watch.metric, windows, MOST_CHARGES);
  const moments: Date[] = [];
  let isFiring = false;
  let judged = 0;
  for (let index = perWeek * weeks; index < windows.length; index++) {
    const before = Array.from({ length: weeks }, (_, week) => measured[index - (week + 1) * perWeek]).flatMap((each) =>
      each ? [each] : [],
    );
    const { verdict } = judgeWatch(watch, measured[index] ?? { value: null, samples: 0 }, before);
    if (verdict === "unknown") continue;
    judged++;
    const window = windows[index];
    if (verdict === "bad" && !isFiring && window) moments.push(window.until);
    isFiring = verdict === "bad";
  }
  return { fired: moments.length, moments: moments.slice(-MOST_TOLD).reverse(), judged, windows: perWeek };
}
