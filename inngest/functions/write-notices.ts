import { z } from "zod";
import { cron, eventType, workflow } from "@/lib/engine/workflow";
import { lookAtProviders } from "@/lib/notices/providers";
import { writeNotices } from "@/lib/notices/write";
import { NOTICES_WRITTEN } from "@/lib/tell";

const noticesWritten = eventType(NOTICES_WRITTEN, z.object({}));

/** What the people of an account asked to be told of by e-mail, at once. */
export const writeNoticesWorkflow = workflow(
  { id: "write-notices", isOneStep: true, triggers: noticesWritten, concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("write", writeNotices);
  },
);

/** Providers that begin or cease to fail; what nobody was told of; what waited for its hour to end. */
export const sweepNotices = workflow(
  { id: "sweep-notices", triggers: cron("* * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("providers", lookAtProviders);
    await step.run("write", writeNotices);
  },
);
