import { z } from "zod";
import { writeBuyerMails } from "@/lib/buyer-mails/write";
import { BUYER_MAILS_DUE } from "@/lib/checkout/remember-buyer";
import { cron, eventType, workflow } from "@/lib/engine/workflow";

const buyerMailsDue = eventType(BUYER_MAILS_DUE, z.object({}));

/** What happened to a payment is told to its buyer at once. */
export const writeBuyerMailsWorkflow = workflow(
  { id: "write-buyer-mails", isOneStep: true, triggers: buyerMailsDue, concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("write", writeBuyerMails);
  },
);

/** What nobody was told of, or could not be written then. */
export const sweepBuyerMails = workflow(
  { id: "sweep-buyer-mails", isOneStep: true, triggers: cron("* * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("write", writeBuyerMails);
  },
);
