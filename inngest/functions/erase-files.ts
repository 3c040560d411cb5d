import { cron, workflow } from "@/lib/engine/workflow";
import { forgetSellerSessions } from "@/lib/seller-access/sessions";
import { eraseDocuments } from "@/lib/sellers/retention";
import { eraseExpiredFiles } from "@/lib/storage/files";

const MOST_BATCHES = 20;

/** What nothing points to any more leaves the file store, and links that let nobody in any more their table. */
export const eraseFiles = workflow(
  { id: "erase-files", isOneStep: true, triggers: cron("52 * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("erase", async () => {
      for (let batch = 0; batch < MOST_BATCHES; batch++) if ((await eraseExpiredFiles()) === 0) break;
      for (let batch = 0; batch < MOST_BATCHES; batch++) if ((await eraseDocuments()) === 0) break;
      await forgetSellerSessions();
    });
  },
);
