import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import {
  processPurchaseOperation,
  purchaseOperationRequested,
  sweepPurchaseOperations,
} from "@/inngest/functions/process-purchase-operation";
import { claimRuns } from "@/lib/engine/embedded/claims";
import { fanOut } from "@/lib/engine/embedded/fan-out";
import { registerWorkflows } from "@/lib/engine/embedded/registry";
import { cronEvent, DRIVERS } from "@/lib/engine/testing";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { buy, readPurchase } from "@/lib/testing/purchases";
import { realNow } from "@/lib/time";

describe.each(DRIVERS)("a purchase through %s", (_, run) => {
  test("is paid by the event that its acceptance left in the outbox", async () => {
    const client = await openClient();
    const { id } = (await buy(await withMerchant(client), { capture: true })).body;
    const [told] = await systemSql()<
      { name: string; data: { clientId: string; operationId: string; purchaseId: string } }[]
    >`
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

test("an account whose provider is silent fills no worker: the others' purchases find places", async () => {
  const registry = registerWorkflows([processPurchaseOperation]);
  const sql = systemSql();
  const [silent, other] = [newId(), newId()];
  const requested = [...Array<string>(12).fill(silent), other].map((clientId) =>
    purchaseOperationRequested.create({ clientId, operationId: newId(), purchaseId: newId() }),
  );
  await fanOut(sql, registry, requested, realNow());
  const mine = async () =>
    (await claimRuns(sql, registry, 10, realNow()))
      .map(({ event }) => event)
      .flatMap((event) => [silent, other].filter((clientId) => event.includes(clientId)));
  const claimed = [...(await mine()), ...(await mine())];
  expect(claimed.filter((clientId) => clientId === silent)).toHaveLength(8);
  expect(claimed).toContain(other);
});
