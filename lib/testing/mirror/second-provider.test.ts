import { afterAll, beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import type { SandboxOutcome } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { cardFields, pathOf } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type MirrorServer, startMirror } from "@/lib/testing/mirror/server";
import { deliver, joinMirror, registerMirror } from "@/lib/testing/mirror/shop";
import { withMerchant } from "@/lib/testing/payments";
import { advance, bought, changePurchase, readPurchase, work } from "@/lib/testing/purchases";
import { CREDIT, openSession } from "@/lib/testing/sessions";
import { ticketOf } from "@/lib/three-ds/ticket";

/** Purchases and the payment page of a merchant whose second acquirer is the opposite of the first. */
let mirror: MirrorServer;
beforeAll(async () => {
  mirror = await startMirror();
  registerMirror(mirror.url);
});
afterAll(() => mirror.close());

/** The simulator leaves it to the next provider. */
const LEFT: SandboxOutcome = "decline:issuer_not_available";

async function openTwo() {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const account = await joinMirror({ clientId: client.clientId, merchantId: merchant.id }, 20);
  const tell = async () => {
    await deliver(mirror, account, { copies: 2 });
    await advance(client, "PT1S");
    await work(client);
  };
  const at = (chargeId: string | undefined) => mirror.transactions.filter(({ charge }) => charge === chargeId);
  return { shop, tell, at };
}

test.for([
  ["capture", ["approve", LEFT], "paid", "captured"],
  ["void", [LEFT, "approve", LEFT], "cancelled", "canceled"],
] as const)("%s of a purchase held at both", async ([verb, outcomes, status, state]) => {
  const { shop, tell, at } = await openTwo();
  const held = await bought(shop, { outcomes });
  expect(held.payments.map((payment) => payment.status)).toEqual(outcomes.map(() => "pre_authorized"));
  expect((await changePurchase(shop.client, held.id, verb)).status).toBe(202);
  await work(shop.client);
  // Received, and nothing more: who was asked has not said what became of it.
  expect((await readPurchase(shop.client, held.id)).status).toBe("pending");
  // One card after the other.
  for (const _ of outcomes) await tell();
  expect((await readPurchase(shop.client, held.id)).status).toBe(status);
  for (const [index, { chargeId }] of held.payments.entries())
    expect(at(chargeId).map((one) => one.state)).toEqual(outcomes[index] === LEFT ? [state] : []);
});

test("a card refused by both lets go what the others hold", async () => {
  const { shop, tell, at } = await openTwo();
  const purchase = await bought(shop, { outcomes: [LEFT, "decline:stolen_card"] });
  await tell();
  const failed = await readPurchase(shop.client, purchase.id);
  expect(failed.status).toBe("failed");
  expect(at(failed.payments[0]?.chargeId).map(({ state }) => state)).toEqual(["canceled"]);
});

test("a purchase whose answer is lost at the second is settled by the same request again, once", async () => {
  const { shop, tell, at } = await openTwo();
  mirror.plan("lost_after", "confirm");
  const purchase = await bought(shop, { outcomes: ["approve", LEFT], capture: true });
  expect(purchase.payments[1]?.status).toBe("undetermined");
  await advance(shop.client, "PT1M");
  await work(shop.client);
  await tell();
  const paid = await readPurchase(shop.client, purchase.id);
  expect(paid.status).toBe("paid");
  expect(at(paid.payments[1]?.chargeId)).toHaveLength(1);
});

test("on the payment page a card goes to the second, whose buyer proves it; an answer lost after that is no refusal", async () => {
  const { shop, tell } = await openTwo();
  for (const isLost of [false, true]) {
    const link = await openSession(shop, { paymentMethods: [CREDIT] });
    const buyer = await newBuyer();
    const shown = await buyer.send(await buyer.open(pathOf(link, "?method=card")), "card", cardFields(LEFT));
    expect(shown.state).toBe("authenticate");
    const [attempt] = await systemSql()<{ id: string; charge: string }[]>`
      select id, charge_id as charge from transaction_requests
       where client_id = ${shop.client.clientId} and provider_type = 'MIRROR' and kind = 'authorize'
       order by id desc limit 1`;
    if (isLost) mirror.plan("lost_after", "continue");
    const query = { ticket: ticketOf(attempt?.id ?? ""), redirectResult: "authenticated" };
    await shop.client.call("GET", `/v1/charges/${attempt?.charge}/3ds/return`, { query, key: null, clientId: null });
    expect((await buyer.open(shown.path)).state).toBe(isLost ? "processing" : "confirming");
    await tell();
    if (isLost) {
      await advance(shop.client, "PT1H");
      await tell();
    }
    expect((await buyer.open(shown.path)).state).toBe("paid");
  }
});
