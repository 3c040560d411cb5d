import { linkAudit } from "@/lib/audit-trail/chain";
import { cron, workflow } from "@/lib/engine/workflow";
import { auditInvariants } from "@/lib/invariants/audit";

/** What must be true whatever fails, asked of the database every minute. */
export const auditInvariantsWorkflow = workflow(
  { id: "audit-invariants", triggers: cron("* * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("link-audit", linkAudit);
    await step.run("audit", auditInvariants);
  },
);
