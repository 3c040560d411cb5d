import { systemSql } from "@/db/client";
import { relayOutbox } from "@/lib/outbox";
import { drainDueJobs } from "@/lib/scheduler/drain";
import { openMerchant, type TestClient } from "@/lib/testing/api";
import { capture, newCustomer, payByBoleto, payByCard, payByPix, type Shop, voidIt } from "@/lib/testing/payments";
import { bought, changePurchase, work } from "@/lib/testing/purchases";
import { emitEvent, openDispatcher, openReceiver, openWebhook, type Receiver, status } from "@/lib/webhooks/testing";

export interface HotShop extends Shop {
  receiver: Receiver;
  customerId: string;
}

export async function openHotShop(client: TestClient): Promise<HotShop> {
  const merchant = await openMerchant(client);
  const receiver = await openReceiver();
  await openWebhook(client, receiver.url);
  const customerId = await payForCustomer(client);
  return { client, merchant, receiver, customerId };
}

const payForCustomer = async (client: TestClient): Promise<string> =>
  (await client.make("POST", "/v1/customers", { body: newCustomer({ document: undefined }) })).id;

const LISTS = ["charges", "purchases", "customers", "cards", "webhooks", "events", "sessions", "merchants", "logs"];

/** Everything that happens with each payment, once: as the routes, the workers and the dispatcher do it. */
export async function liveHotPaths(shop: HotShop): Promise<void> {
  const { client, receiver } = shop;
  const idempotencyKey = `hot-${receiver.received.length}`;
  const paid = await payByCard(shop, { idempotencyKey, changes: { orderId: "hot" } });
  await capture(client, paid.body.id);
  await voidIt(client, paid.body.id);
  await payByCard(shop, { outcome: "insufficient_funds" });
  const held = await payByCard(shop, { capture: false });
  await voidIt(client, held.body.id, {}, { idempotencyKey: `${idempotencyKey}-void` });
  await payByPix(shop);
  await payByBoleto(shop);
  const purchase = await bought(shop);
  await changePurchase(client, purchase.id, "capture");
  await work(client);
  await changePurchase(client, purchase.id, "void");
  await work(client);
  await bought(shop, { outcomes: ["approve", "insufficient_funds"] });
  await deliver(shop);
  await relayOutbox(systemSql(), async () => undefined);
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "PT2H" } });
  await drainDueJobs();
  await list(shop, paid.body.id, purchase.id);
}

async function deliver({ client, receiver }: HotShop): Promise<void> {
  const dispatcher = await openDispatcher();
  await received(receiver, await emitEvent(client));
  receiver.answer(status(503));
  await received(receiver, await emitEvent(client));
  receiver.answer(status(200));
  await dispatcher.stop();
}

async function received(receiver: Receiver, entityId: string): Promise<void> {
  while (!receiver.received.some((one) => one.entityId === entityId)) {
    await new Promise<void>((next) => setImmediate(next));
  }
}

async function list({ client }: HotShop, chargeId: string, purchaseId: string): Promise<void> {
  for (const name of LISTS) await client.make("GET", `/v1/${name}`, { query: { limit: 20 } });
  await client.make("GET", "/v1/charges", { query: { status: "failed", limit: 20 } });
  await client.make("GET", `/v1/charges/${chargeId}`);
  await client.make("GET", `/v1/purchases/${purchaseId}`);
}
