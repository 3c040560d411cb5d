import { systemSql } from "@/db/client";
import { cron, workflow } from "@/lib/engine/workflow";
import { fanOutEvents } from "@/lib/webhooks/fan-out";
import { deleteExpiredDeliveries, giveUpHeld, reconcileOpenDeliveries } from "@/lib/webhooks/sweep";

const MOST_BATCHES = 100;

/** The dispatcher of the worker is told of every event at once; this finds what it was not told of. */
export const sweepWebhooks = workflow(
  { id: "sweep-webhooks", triggers: cron("* * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("fan-out", async () => {
      for (let batch = 0; batch < MOST_BATCHES; batch++) if ((await fanOutEvents(systemSql())) === 0) return;
    });
    await step.run("open", reconcileOpenDeliveries);
    await step.run("held", giveUpHeld);
  },
);

export const deleteExpiredDeliveriesWorkflow = workflow(
  { id: "delete-expired-deliveries", isOneStep: true, triggers: cron("23 * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("delete", deleteExpiredDeliveries);
  },
);
