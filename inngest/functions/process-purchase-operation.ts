import { z } from "zod";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { cron, eventType, workflow } from "@/lib/engine/workflow";
import { newId } from "@/lib/ids";
import { OPERATION_REQUESTED } from "@/lib/purchases/operations";
import { sweepOperations } from "@/lib/purchases/sweep";
import { driveOperation } from "@/lib/purchases/work";

export const purchaseOperationRequested = eventType(
  OPERATION_REQUESTED,
  z.object({ clientId: z.uuid(), operationId: z.uuid(), purchaseId: z.uuid() }),
);

/** A provider that is silent keeps its own account's purchases waiting: a worker has places left for the others. */
const MOST_PER_ACCOUNT = 8;
/** A call of Inngest's waits longer than it works: eight places give half of the embedded engine's rate, 24 seven tenths. */
const MOST_PER_ACCOUNT_OF_INNGEST = 24;

/**
 * Authorises, captures, voids or refunds the cards of a purchase, one call after the other, with whatever operation
 * follows by itself. It ends with the operation, or where a query must be answered first: that is a due job's to do.
 */
export const processPurchaseOperation = workflow(
  {
    id: "process-purchase-operation",
    isOneStep: true,
    triggers: purchaseOperationRequested,
    concurrency: { key: "event.data.clientId", limit: MOST_PER_ACCOUNT, limitOfInngest: MOST_PER_ACCOUNT_OF_INNGEST },
  },
  async ({ event, step }) => {
    const { clientId, operationId, purchaseId } = event.data;
    await step.run("drive", async () =>
      driveOperation(systemContext(await loadAccount(clientId), newId()), operationId, purchaseId),
    );
  },
);

/** Whatever nobody woke, or whose worker died, is worked on within a minute. */
export const sweepPurchaseOperations = workflow(
  { id: "sweep-purchase-operations", isOneStep: true, triggers: cron("* * * * *", "UTC"), concurrency: { limit: 1 } },
  async ({ step }) => {
    await step.run("sweep", () => sweepOperations());
  },
);
