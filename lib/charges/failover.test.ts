import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import { queryCharge, resume } from "@/lib/charges/engine/settle";
import type { PaymentProvider } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";
import { openClient } from "@/lib/testing/api";
import { addProvider, payByCard, readCharge, type Shop, withMerchant } from "@/lib/testing/payments";

const sandbox = providerFor("SANDBOX");
const sql = systemSql();

type Authorize = PaymentProvider["authorize"];
const real: Authorize = sandbox.authorize.bind(sandbox);

class Died extends Error {}

const UNSENT = { kind: "not_sent", cause: "connect_refused" } as const;

/** What becomes of each call of `authorize` in turn; those after them go through. */
function authorizations(...turns: ("answered" | "not sent" | "dies after it" | "dies before it")[]): void {
  const spy = vi.spyOn(sandbox, "authorize");
  for (const turn of turns) {
    spy.mockImplementationOnce(async (...call: Parameters<Authorize>) => {
      if (turn === "dies before it") throw new Died();
      if (turn === "not sent") return UNSENT;
      const answer = await real(...call);
      if (turn === "dies after it") throw new Died();
      return answer;
    });
  }
}

afterEach(() => {
  vi.restoreAllMocks();
});

let shop: Shop;
let second: string;

beforeEach(async () => {
  shop = await withMerchant(await openClient());
  second = await addProvider(shop, { name: "Second", priority: 2 });
});

async function chargeOfDeadWorker(scenario?: string): Promise<string> {
  expect((await payByCard(shop, scenario ? { scenario } : {})).status).toBe(500);
  const [row] = await sql<{ id: string }[]>`
    update charges set lease_until = now() - interval '1 second' where client_id = ${shop.client.clientId} returning id`;
  return row?.id ?? "";
}

const attemptsOf = async (id: string) =>
  (await readCharge(shop.client, id)).transactionRequests.map(({ providerId, requestStatus }) => [
    providerId === second ? "second" : "first",
    requestStatus,
  ]);

const APPROVED_BY_SECOND = [
  ["second", "success"],
  ["first", "failed"],
];

describe("a worker that dies keeps its failover order", () => {
  test("declined by the first provider, its answer never written: the next worker goes on to the second", async () => {
    authorizations("dies after it");
    const id = await chargeOfDeadWorker("provider=1;outcome=decline:generic");
    const ctx = await shop.client.context();
    await resume(ctx, id);
    expect((await readCharge(shop.client, id)).status).toBe("pending");
    await queryCharge(ctx, id);
    expect(await attemptsOf(id)).toEqual(APPROVED_BY_SECOND);
    expect((await readCharge(shop.client, id)).status).toBe("pre_authorized");
  });

  test("never sent to the first provider: the next worker sends it, then goes on to the second", async () => {
    authorizations("not sent", "dies before it", "not sent");
    const id = await chargeOfDeadWorker();
    // The worker died a moment earlier: between the decision to send once more and opening the attempt again.
    await sql`update transaction_requests set state = 'not_sent' where charge_id = ${id}`;
    await resume(await shop.client.context(), id);
    expect(await attemptsOf(id)).toEqual(APPROVED_BY_SECOND);
    expect((await readCharge(shop.client, id)).status).toBe("pre_authorized");
  });

  test("about to ask the second provider: what may have been sent is asked about there, and sent nowhere else", async () => {
    authorizations("answered", "dies before it");
    const id = await chargeOfDeadWorker("provider=1;outcome=decline:generic");
    const ctx = await shop.client.context();
    await resume(ctx, id);
    await queryCharge(ctx, id);
    expect(await attemptsOf(id)).toEqual([
      ["second", "processing"],
      ["first", "failed"],
    ]);
  });

  test("declined by the first provider, found when people look into it already: no other one is asked", async () => {
    authorizations("dies after it");
    const id = await chargeOfDeadWorker("provider=1;outcome=decline:generic");
    const ctx = await shop.client.context();
    await resume(ctx, id);
    await sql`update charges set review_reason = 'reconciliation_failed', review_since = now() where id = ${id}`;
    await queryCharge(ctx, id);
    expect(await attemptsOf(id)).toEqual([["first", "failed"]]);
    expect((await readCharge(shop.client, id)).status).toBe("failed");
  });

  test("a provider that comes to the merchant meanwhile is not asked, nor one that was removed", async () => {
    authorizations("dies after it");
    const id = await chargeOfDeadWorker("provider=1;outcome=decline:generic");
    await addProvider(shop, { name: "Newcomer", priority: 1 });
    await shop.client.make("DELETE", `/v1/providers/${second}`);
    const ctx = await shop.client.context();
    await resume(ctx, id);
    await queryCharge(ctx, id);
    expect(await attemptsOf(id)).toEqual([["first", "failed"]]);
    expect((await readCharge(shop.client, id)).status).toBe("failed");
  });
});

test("the record of a charge says what was known, who is tried in which order, and why others are not", async () => {
  const third = await addProvider(shop, { priority: 3 });
  const fourth = await addProvider(shop, { priority: 4 });
  const { id } = (
    await payByCard(shop, {
      amount: 12_300,
      changes: {
        paymentMethod: { paymentType: "credit", installments: 3 },
        paymentFlow: { metadata: { tier: "gold" } },
      },
    })
  ).body;
  const [record] = await sql`select * from routing_decisions where charge_id = ${id}`;
  expect(record).toMatchObject({
    path: ["merchant_priorities"],
    providers: [shop.merchant.providerId, second, third],
    skipped: [{ id: fourth, why: "beyond_three" }],
    fraud_provider: null,
    facts: {
      source: "api",
      method: "credit",
      amount: 12_300,
      currency: "BRL",
      installments: 3,
      brand: "Visa",
      cardFunction: "credit",
      split: false,
      threeDS: false,
      metadata: { tier: "gold" },
    },
  });
  expect(record?.facts.cardBin).toMatch(/^\d{6}$/);
  const { unit, buyer, ...facts } = record?.facts ?? {};
  expect(unit).toBe(id);
  expect(buyer).toMatch(/^[\w-]{16}$/);
  expect(JSON.stringify(facts)).not.toMatch(/\d{7}/);

  await expect(sql`update routing_decisions set path = '{}' where charge_id = ${id}`).rejects.toThrow(
    "permission denied",
  );
});
