import { comparePages } from "@/lib/checkout/compare-pages";
import { cron, workflow } from "@/lib/engine/workflow";

/** PCI DSS 11.6.1 asks for once a week; a day is shorter than an attacker's patience. */
export const comparePaymentPages = workflow(
  { id: "compare-payment-pages", triggers: cron("37 7 * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("compare", () => comparePages());
  },
);
