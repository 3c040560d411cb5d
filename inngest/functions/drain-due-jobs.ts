import { z } from "zod";
import { nextWake } from "@/lib/due-jobs/claim";
import { DUE_SOON, type Lane } from "@/lib/due-jobs/kinds";
import { SOON_SECONDS } from "@/lib/due-jobs/schedule";
import { cron, eventType, workflow } from "@/lib/engine/workflow";
import { drainLane } from "@/lib/scheduler/drain";

const dueSoon = z.object({ wakeAt: z.string() });

/** Sent when something falls due before the next minute's drain would see it. */
export const jobsDueSoon = eventType(DUE_SOON.provider, dueSoon);
const bookkeepingDueSoon = eventType(DUE_SOON.bookkeeping, dueSoon);

/** Moments of one minute are met one after the other; what is left goes to the next minute's run. */
const MOST_ROUNDS = 200;
/** A round ends after this, whatever is still under way, so that the engine's step is recorded. */
const ROUND_MS = 20_000;

/** Runs everything that is due in a lane, then waits for the next moment of this minute. */
const drainOf = (id: string, lane: Lane, soon: typeof jobsDueSoon) =>
  workflow({ id, triggers: [soon, cron("* * * * *", "UTC")], concurrency: { limit: 2 } }, async ({ step }) => {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const next = await step.run(`drain-${round}`, async () => {
        await drainLane(lane, { forMs: ROUND_MS });
        return (await nextWake(lane, SOON_SECONDS)) ?? null;
      });
      if (next === null) return;
      await step.sleepUntil(`until-${round}`, next);
    }
  });

export const drainDueJobsWorkflow = drainOf("drain-due-jobs", "provider", jobsDueSoon);
export const drainBookkeepingWorkflow = drainOf("drain-bookkeeping", "bookkeeping", bookkeepingDueSoon);
