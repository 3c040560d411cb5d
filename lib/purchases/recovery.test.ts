import { describe, expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { providerFor } from "@/lib/providers/registry";
import { sweepOperations } from "@/lib/purchases/sweep";
import { driveOperation } from "@/lib/purchases/work";
import { aKey, openClient } from "@/lib/testing/api";
import { voidIt, withMerchant } from "@/lib/testing/payments";
import { advance, bought, buy, changePurchase, type NewPurchase, readPurchase, work } from "@/lib/testing/purchases";
import { pause } from "@/lib/wait";

vi.hoisted(() => {
  process.env.PROVIDER_TIMEOUT_MS = "10000";
});

const sql = systemSql();
/** Longer than a second worker needs to take over, on a busy machine too; shorter than the time-out of a call. */
const SLOW_MS = 2_000;

interface Interruption {
  /** The call during which the worker stops. */
  step: "authorize" | "capture" | "void" | "refund";
  slot: number;
  given: NewPurchase;
  /** Asked for after the purchase was paid. */
  thenVoid?: boolean;
  status: string;
  slots: string[];
}

const CASES: Interruption[] = [
  { step: "authorize", slot: 0, given: { capture: true }, status: "paid", slots: ["authorized", "authorized"] },
  { step: "authorize", slot: 1, given: { capture: true }, status: "paid", slots: ["authorized", "authorized"] },
  { step: "capture", slot: 0, given: { capture: true }, status: "paid", slots: ["authorized", "authorized"] },
  { step: "capture", slot: 1, given: { capture: true }, status: "paid", slots: ["authorized", "authorized"] },
  {
    step: "void",
    slot: 0,
    given: { outcomes: ["approve", "decline:generic"] },
    status: "failed",
    slots: ["voided", "failed"],
  },
  {
    step: "refund",
    slot: 0,
    given: { capture: true, outcomes: ["void_refused_settled", "approve"] },
    thenVoid: true,
    status: "cancelled",
    slots: ["voided", "voided"],
  },
];

const worker = async (clientId: string) => systemContext(await loadAccount(clientId), newId());

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 200; round++) {
    if (await isTrue()) return;
    await pause(5);
  }
  throw new Error("it did not come to that");
}

const expireLeases = (clientId: string) =>
  sql`update purchase_operations set lease_until = now() - interval '1 second' where client_id = ${clientId} and lease_until is not null`;

describe("a worker that stops in the middle of a call", () => {
  const title = "$step of card $slot: another one finishes, and the first writes nothing any more";
  test.for(CASES)(title, { timeout: 60_000 }, async (one) => {
    const client = await openClient();
    const shop = await withMerchant(client);
    const scenario = `latency=${SLOW_MS};step=${one.step};slot=${one.slot}`;
    const { id } = (await buy(shop, { ...one.given, scenario })).body;
    let operationId = "";
    if (one.thenVoid) {
      await work(client);
      operationId = (await changePurchase(client, id, "void")).body.operation?.id ?? "";
    } else {
      operationId = (await readPurchase(client, id)).activeOperation?.id ?? "";
    }
    const first = driveOperation(await worker(client.clientId), operationId);
    const slotCharges = sql`select charge_id from purchase_payments where purchase_id = ${id} and slot_index = ${one.slot}`;
    await until(async () => {
      const [open] = await sql`
        select 1 from transaction_requests
         where charge_id in (${slotCharges}) and kind = ${one.step} and state = 'sent'`;
      return open !== undefined;
    });
    await expireLeases(client.clientId);
    expect(await sweepOperations()).toBe(1);
    const taken = await readPurchase(client, id);
    expect(taken.payments[one.slot]?.status).toBe("undetermined");
    expect(await first).toBe("busy");
    expect(await readPurchase(client, id)).toEqual(taken);

    await advance(client, "PT2H");
    const settled = await readPurchase(client, id);
    expect({ status: settled.status, slots: settled.payments.map(({ status }) => status) }).toEqual({
      status: one.status,
      slots: one.slots,
    });
    expect(settled.activeOperation).toBeUndefined();
    const [twice] = await sql`
      select charge_id from sandbox_transactions where client_id = ${client.clientId}
       group by charge_id having count(*) filter (where authorized > 0) > 1`;
    expect(twice, "no card was authorised twice").toBeUndefined();
  });
});

test("a refund of one card that is held up past its lease answers what every repeat is answered", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const { payments } = await bought(shop, { capture: true });
  const chargeId = payments[0]?.chargeId ?? "";
  const sandbox = providerFor("SANDBOX");
  const refund = sandbox.refund.bind(sandbox);
  const late = vi.spyOn(sandbox, "refund").mockImplementationOnce(async (...call) => {
    const answer = await refund(...call);
    await expireLeases(client.clientId);
    await sweepOperations();
    await advance(client, "PT1M");
    return answer;
  });
  const options = { idempotencyKey: aKey() };
  const answer = await voidIt(client, chargeId, { amount: 1_500 }, options);
  late.mockRestore();
  const repeat = await voidIt(client, chargeId, { amount: 1_500 }, options);
  expect(answer.status, answer.text).toBe(201);
  expect(repeat.headers.get("idempotent-replayed")).toBe("true");
  expect(repeat.text).toBe(answer.text);
});

test("an operation that nobody woke is found and finished", async () => {
  const client = await openClient();
  const { id } = (await buy(await withMerchant(client), { capture: true })).body;
  await sweepOperations();
  expect((await readPurchase(client, id)).status).toBe("paid");
});

test("of many workers one works, and each card is called once", async () => {
  const client = await openClient();
  const purchase = (await buy(await withMerchant(client), { capture: true })).body;
  const ctx = await worker(client.clientId);
  const ends = await Promise.all(Array.from({ length: 8 }, () => driveOperation(ctx, purchase.operation?.id ?? "")));
  expect(ends.filter((end) => end === "held")).toHaveLength(1);
  expect((await readPurchase(client, purchase.id)).status).toBe("paid");
  const [calls] = await sql`select count(*)::int as n from transaction_requests where client_id = ${client.clientId}`;
  expect(calls?.n).toBe(4);
});

test("claimed again and again without progress: people must look, and automation stops", async () => {
  const client = await openClient();
  const shop = await withMerchant(client);
  const { id } = await bought(shop, { outcomes: ["approve", "pending_forever"] });
  await sql`
    update purchase_operations set idle_claims = 10, run_at = now() - interval '1 second'
     where purchase_id = ${id} and status = 'processing'`;
  await sweepOperations();
  const purchase = await readPurchase(client, id);
  expect(purchase.pendingReview?.reason).toBe("claims_exhausted");
  expect(purchase).toMatchObject({
    status: "pending",
    payments: [{ status: "pre_authorized" }, { status: "undetermined" }],
  });
  expect((await changePurchase(client, id, "void")).error?.businessCode).toBe("purchase_invalid_state");
  await advance(client, "P2D");
  expect((await readPurchase(client, id)).pendingReview).toEqual(purchase.pendingReview);
});
