import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import {
  processPurchaseOperation,
  purchaseOperationRequested,
  sweepPurchaseOperations,
} from "@/inngest/functions/process-purchase-operation";
import { cronEvent, DRIVERS } from "@/lib/engine/testing";
import { openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { buy, readPurchase } from "@/lib/testing/purchases";

describe.each(DRIVERS)("a purchase through %s", (_, run) => {
  test("is paid by the event that its acceptance left in the outbox", async () => {
    const client = await openClient();
    const { id } = (await buy(await withMerchant(client), { capture: true })).body;
    const [told] = await systemSql()<{ name: string; data: { clientId: string; operationId: string } }[]>`
      select name, data from outbox where client_id = ${client.clientId} and name = ${purchaseOperationRequested.name}`;
    if (!told) throw new Error("nobody was told");
    const result = await run(processPurchaseOperation, purchaseOperationRequested.create(told.data));
    expect(result.status).toBe("completed");
    expect((await readPurchase(client, id)).status).toBe("paid");
  });

  test("is paid by the sweep when nobody was told", async () => {
    const client = await openClient();
    const { id } = (await buy(await withMerchant(client), { capture: true })).body;
    expect((await run(sweepPurchaseOperations, cronEvent(sweepPurchaseOperations))).status).toBe("completed");
    expect((await readPurchase(client, id)).status).toBe("paid");
  });
});
