import { systemSql } from "@/db/client";
import { relayOutbox } from "@/lib/outbox";
import { drainDueJobs } from "@/lib/scheduler/drain";
import { openMerchant, type TestClient } from "@/lib/testing/api";
import { capture, newCustomer, payByBoleto, payByCard, payByPix, type Shop, voidIt } from "@/lib/testing/payments";
import { bought, changePurchase, work } from "@/lib/testing/purchases";
import { emitEvent, openDispatcher, openReceiver, openWebhook, type Receiver, status } from "@/lib/webhooks/testing";

export interface HotShop extends Shop {
  receiver: Receiver;
}

export async function openHotShop(client: TestClient): Promise<HotShop> {
  const merchant = await openMerchant(client);
  const receiver = await openReceiver();
  await openWebhook(client, receiver.url);
  return { client, merchant, receiver };
}

const LISTS = ["charges", "purchases", "customers", "cards", "webhooks", "events", "sessions", "merchants", "logs"];

/** Everything that happens with each payment, once: as the routes, the workers and the dispatcher do it. */
export async function livePayments(shop: HotShop, fallDue: (refId: string) => Promise<unknown>): Promise<void> {
  const { client, receiver } = shop;
  const idempotencyKey = `hot-${receiver.received.length}`;
  const paid = await payByCard(shop, { idempotencyKey, changes: { orderId: "hot" } });
  await capture(client, paid.body.id);
  await voidIt(client, paid.body.id);
  await payByCard(shop, { outcome: "decline:insufficient_funds" });
  const held = await payByCard(shop, { capture: false });
  await voidIt(client, held.body.id, {}, { idempotencyKey: `${idempotencyKey}-void` });
  await client.make("POST", "/v1/customers", {
    body: newCustomer({ document: { type: "noDocument", country: "BR" } }),
  });
  const pix = await payByPix(shop);
  await payByBoleto(shop);
  const purchase = await bought(shop);
  await changePurchase(client, purchase.id, "capture");
  await work(client);
  await changePurchase(client, purchase.id, "void");
  await work(client);
  await bought(shop, { outcomes: ["approve", "decline:insufficient_funds"] });
  const dispatcher = await openDispatcher();
  await deliver(shop);
  await dispatcher.stop();
  await fallDue(pix.body.id);
  await drainDueJobs();
  await relayOutbox(systemSql(), async () => undefined);
}

async function deliver({ client, receiver }: HotShop): Promise<void> {
  await received(receiver, await emitEvent(client));
  receiver.answer(status(503));
  await received(receiver, await emitEvent(client));
  receiver.answer(status(200));
}

async function received(receiver: Receiver, entityId: string): Promise<void> {
  while (!receiver.received.some((one) => one.entityId === entityId)) {
    await new Promise<void>((next) => setImmediate(next));
  }
}

/** A page of every list, and what it links to. */
export async function readPages({ client }: HotShop): Promise<void> {
  for (const name of LISTS) await client.make("GET", `/v1/${name}`, { query: { limit: 20 } });
  await client.make("GET", "/v1/charges", { query: { status: "failed", limit: 20 } });
}
