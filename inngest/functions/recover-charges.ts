import { sweepCaptchas } from "@/lib/captcha/sweep";
import { sweepRemembered } from "@/lib/checkout/remembered";
import { cron, workflow } from "@/lib/engine/workflow";
import { deleteExpired, recoverCharges } from "@/lib/scheduler/recover";
import { deleteOldDevices } from "@/lib/sign-in/known-devices";
import { deleteOldChallenges } from "@/lib/sign-in/service";
import { deleteOldAttempts } from "@/lib/sign-in/sign-in-attempts";
import { realNow } from "@/lib/time";
import { sweepTokens } from "@/lib/tokens/sweep";
import { sweepCvv } from "@/lib/vault/cvv";
import { sweepRecords } from "@/lib/vault/sweep";
import { sweepTries } from "@/lib/velocity/sweep";

/** A dead process leaves charges whose lease runs out: somebody else finishes them, within a minute. */
export const recoverChargesWorkflow = workflow(
  { id: "recover-charges", triggers: cron("* * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("recover", recoverCharges);
    await step.run("sweep-cvv", sweepCvv);
    await step.run("sweep-tokens", sweepTokens);
    await step.run("sweep-vault", () => sweepRecords());
  },
);

/** What is kept for a while only. */
export const deleteExpiredRows = workflow(
  { id: "delete-expired-rows", triggers: cron("17 * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("delete-expired", deleteExpired);
    await step.run("forget-sign-ins", () => deleteOldAttempts(realNow()));
    await step.run("forget-challenges", () => deleteOldChallenges(realNow()));
    await step.run("forget-devices", () => deleteOldDevices(realNow()));
    await step.run("forget-captchas", () => sweepCaptchas());
    await step.run("forget-card-tries", () => sweepTries());
    await step.run("forget-buyers", () => sweepRemembered());
  },
);
