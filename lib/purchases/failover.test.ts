import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import type { PaymentProvider } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";
import { sweepOperations } from "@/lib/purchases/sweep";
import { openClient } from "@/lib/testing/api";
import { addProvider, readCharge, type Shop, withMerchant } from "@/lib/testing/payments";
import { advance, buy, readPurchase, work } from "@/lib/testing/purchases";

const sandbox = providerFor("SANDBOX");
const sql = systemSql();

type Authorize = PaymentProvider["authorize"];
const real: Authorize = sandbox.authorize.bind(sandbox);

class Died extends Error {}

afterEach(() => {
  vi.restoreAllMocks();
});

let shop: Shop;
let second: string;

beforeEach(async () => {
  shop = await withMerchant(await openClient());
  second = await addProvider(shop, { name: "Second", priority: 2 });
});

const endLeases = () =>
  sql`update purchase_operations set lease_until = now() - interval '1 second', run_at = now() - interval '1 second'
       where client_id = ${shop.client.clientId} and status = 'processing'`;

async function attemptsOfFirstCard(id: string) {
  const chargeId = (await readPurchase(shop.client, id)).payments[0]?.chargeId ?? "";
  const { transactionRequests } = await readCharge(shop.client, chargeId);
  return transactionRequests
    .filter(({ requestType }) => requestType === "pre_authorization")
    .map(({ providerId, requestStatus }) => [providerId === second ? "second" : "first", requestStatus]);
}

const APPROVED_BY_SECOND = [
  ["second", "success"],
  ["first", "failed"],
];

describe("a worker of a purchase that dies keeps the failover order of its card", () => {
  test("declined by the first provider, its answer never written", async () => {
    vi.spyOn(sandbox, "authorize").mockImplementationOnce(async (...call) => {
      await real(...call);
      throw new Died();
    });
    const { id } = (await buy(shop, { capture: true, scenario: "provider=1;outcome=decline:generic;slot=0" })).body;
    await expect(work(shop.client)).rejects.toThrow(Died);
    await endLeases();
    await sweepOperations();
    expect((await readPurchase(shop.client, id)).payments[0]?.status).toBe("undetermined");
    await advance(shop.client, "PT1M");
    await work(shop.client);
    expect(await attemptsOfFirstCard(id)).toEqual(APPROVED_BY_SECOND);
    expect((await readPurchase(shop.client, id)).status).toBe("paid");
    const moves = await sql`
      select row, "from", "to" from purchase_moves where purchase_id = ${id} and fact = 'authorize.passed_on'`;
    expect(moves).toEqual([{ row: "S5", from: "undetermined", to: "processing" }]);
  });

  test("never sent to the first provider", async () => {
    vi.spyOn(sandbox, "authorize")
      .mockResolvedValueOnce({ kind: "not_sent", cause: "connect_refused" })
      .mockImplementationOnce(async () => {
        throw new Died();
      })
      .mockResolvedValueOnce({ kind: "not_sent", cause: "connect_refused" });
    const { id } = (await buy(shop, { capture: true })).body;
    await expect(work(shop.client)).rejects.toThrow(Died);
    // The worker died a moment earlier: between the decision to send once more and opening the attempt again.
    await sql`update transaction_requests set state = 'not_sent' where client_id = ${shop.client.clientId}`;
    await endLeases();
    await sweepOperations();
    expect(await attemptsOfFirstCard(id)).toEqual(APPROVED_BY_SECOND);
    expect((await readPurchase(shop.client, id)).status).toBe("paid");
  });
});
