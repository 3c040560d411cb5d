import { z } from "zod";
import { cron, eventType, workflow } from "@/lib/engine/workflow";
import { MAIL_QUEUED } from "@/lib/mail/queue";
import { forgetMail, giveUpMail, sendMail, sweepMail } from "@/lib/mail/send";

export const mailQueued = eventType(MAIL_QUEUED, z.object({ emailId: z.uuid() }));

/** With the engine's back-off these are spread over some eleven hours. */
const RETRIES = 16;
const AT_ONCE = 4;

/** One e-mail, rendered and sent. The components and what they need are loaded by who writes one, and by nobody else. */
export const sendEmail = workflow(
  {
    id: "send-email",
    isOneStep: true,
    triggers: mailQueued,
    retries: RETRIES,
    concurrency: { limit: AT_ONCE },
    onFailure: async ({ event, step }) => {
      await step.run("give-up", () => giveUpMail(event.data.emailId));
    },
  },
  async ({ event, step }) => {
    await step.run("send", async () => {
      const { renderMail } = await import("@/components/emails/render");
      return sendMail(event.data.emailId, renderMail);
    });
  },
);

/** What nobody was told of, or whose engine forgot it. */
export const sweepQueuedMail = workflow(
  { id: "sweep-mail", isOneStep: true, triggers: cron("* * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("sweep", async () => {
      const { renderMail } = await import("@/components/emails/render");
      await sweepMail(renderMail);
    });
  },
);

export const deleteExpiredMail = workflow(
  { id: "delete-expired-mail", isOneStep: true, triggers: cron("41 4 * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("forget", forgetMail);
  },
);
