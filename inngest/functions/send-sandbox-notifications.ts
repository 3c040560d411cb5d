import { z } from "zod";
import { jobsDueSoon } from "@/inngest/functions/drain-due-jobs";
import { cron, eventType, workflow } from "@/lib/engine/workflow";
import {
  nextNotificationAt,
  sendNotifications,
  takeDueNotifications,
  type Waiting,
} from "@/lib/providers/sandbox/api/send-notifications";

/** Sent when a developer made the simulator do something. */
export const sandboxNotificationsDue = eventType("sandbox/notifications.due", z.object({}));

const SOON_SECONDS = 60;
/** Moments of one minute are met one after the other; what is left goes to the next minute's run. */
const MOST_ROUNDS = 30;
/** Between the tries of a notification that was not taken; then it is given up, as acquirers do. */
const RETRY_SECONDS = [5, 30, 120, 600] as const;

/** The simulated acquirer tells what happened, signed and over HTTP, as a real one would. */
export const sendSandboxNotifications = workflow(
  {
    id: "send-sandbox-notifications",
    triggers: [sandboxNotificationsDue, jobsDueSoon, cron("* * * * *", "UTC")],
    concurrency: { limit: 1 },
  },
  async ({ step }) => {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const { waiting, next } = await step.run(`take-${round}`, async () => ({
        waiting: await takeDueNotifications(),
        next: (await nextNotificationAt(SOON_SECONDS)) ?? null,
      }));
      let left: Waiting[] = waiting;
      for (let tried = 0; left.length > 0; tried++) {
        const sending = left;
        left = await step.run(`send-${round}-${tried}`, () => sendNotifications(sending));
        const pause = RETRY_SECONDS[tried];
        if (left.length === 0 || pause === undefined) break;
        await step.sleep(`again-${round}-${tried}`, pause);
      }
      if (next === null) return;
      await step.sleepUntil(`until-${round}`, next);
    }
  },
);
