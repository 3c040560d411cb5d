import { cron, workflow } from "@/lib/engine/workflow";
import { rollUpCharges } from "@/lib/insights/roll-up";

/** Totals and figures read what this added up, and add the changes since by themselves. */
export const rollUpPaymentStatsWorkflow = workflow(
  { id: "roll-up-payment-stats", isOneStep: true, triggers: cron("* * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("roll-up", rollUpCharges);
  },
);
