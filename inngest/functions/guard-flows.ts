import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { cron, workflow } from "@/lib/engine/workflow";
import { guardedFlows, guardFlow } from "@/lib/flows/trials/guard";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";

/** Sides of a test that approve less than their guardrail bears are turned off. */
export const guardFlows = workflow(
  { id: "guard-flows", isOneStep: true, triggers: cron("*/5 * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("guard", async () => {
      for (const { clientId, id } of await guardedFlows()) {
        try {
          await guardFlow(systemContext(await loadAccount(clientId), newId()), id);
        } catch (thrown) {
          log.error({ clientId, job: "guard-flows", error: thrown }, "a flow could not be guarded");
        }
      }
    });
  },
);
