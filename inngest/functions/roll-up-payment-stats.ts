import { cron, workflow } from "@/lib/engine/workflow";
import { rollUpPaymentStats } from "@/lib/insights/roll-up";

/** The home page reads what this counted, and counts the rest itself. */
export const rollUpPaymentStatsWorkflow = workflow(
  { id: "roll-up-payment-stats", isOneStep: true, triggers: cron("* * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("roll-up", rollUpPaymentStats);
  },
);
