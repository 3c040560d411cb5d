import { z } from "zod";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { cron, eventType, workflow } from "@/lib/engine/workflow";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { openReports, REPORT_REQUESTED, runReport } from "@/lib/reports/run";

const reportRequested = eventType(REPORT_REQUESTED, z.object({ clientId: z.uuid(), reportId: z.uuid() }));

const write = async (clientId: string, reportId: string): Promise<void> =>
  runReport(systemContext(await loadAccount(clientId), newId()), reportId);

/** Few at once: they read much, and two of an account leave places for the others. */
export const writeReport = workflow(
  { id: "write-report", isOneStep: true, triggers: reportRequested, concurrency: { limit: 4 } },
  async ({ event, step }) => {
    const { clientId, reportId } = event.data;
    await step.run("write", () => write(clientId, reportId));
  },
);

/** Whatever nobody woke, or whose worker died. */
export const sweepReports = workflow(
  { id: "sweep-reports", isOneStep: true, triggers: cron("* * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("sweep", async () => {
      for (const { clientId, id } of await openReports()) {
        // One that fails leaves the others their turn.
        await write(clientId, id).catch((error: unknown) =>
          log.error({ clientId, job: `report ${id}`, error }, "report failed"),
        );
      }
    });
  },
);
