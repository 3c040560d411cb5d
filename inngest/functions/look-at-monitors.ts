import { cron, workflow } from "@/lib/engine/workflow";
import { lookAtMonitors } from "@/lib/monitors/round";

/** What an account asked to be told of, looked at every minute. */
export const lookAtMonitorsWorkflow = workflow(
  { id: "look-at-monitors", isOneStep: true, triggers: cron("* * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("look", () => lookAtMonitors());
  },
);
