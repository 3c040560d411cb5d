import { z } from "zod";
import { SOON_SECONDS } from "@/lib/due-jobs/schedule";
import { cron, eventType, workflow } from "@/lib/engine/workflow";
import { drainDueJobs, nextWake } from "@/lib/scheduler/drain";

/** Sent when something falls due before the next minute's drain would see it. */
export const jobsDueSoon = eventType("jobs/due.soon", z.object({ wakeAt: z.string() }));

/** Moments of one minute are met one after the other; what is left goes to the next minute's run. */
const MOST_ROUNDS = 200;

/** Runs everything that is due, then waits for the next moment of this minute. */
export const drainDueJobsWorkflow = workflow(
  { id: "drain-due-jobs", triggers: [jobsDueSoon, cron("* * * * *", "UTC")], concurrency: { limit: 4 } },
  async ({ step }) => {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const next = await step.run(`drain-${round}`, async () => {
        await drainDueJobs();
        return (await nextWake(SOON_SECONDS)) ?? null;
      });
      if (next === null) return;
      await step.sleepUntil(`until-${round}`, next);
    }
  },
);
