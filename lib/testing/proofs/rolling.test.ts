import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { openClient, openMerchant } from "@/lib/testing/api";
import { openBalancer } from "@/lib/testing/balancer";
import { plannedRuntimeUrl, testDatabaseUrl } from "@/lib/testing/database";
import { wrongsOf } from "@/lib/testing/kills/judge";
import { openToken } from "@/lib/testing/payments";
import { freePort } from "@/lib/testing/ports";
import { end, type Running, run, type Settings, statusOf, until } from "@/lib/testing/processes";
import { isProof, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { pause } from "@/lib/wait";

const PER_SECOND = isProof() ? 50 : 10;
const REQUEST_MS = 30_000;
const AGAIN_MS = 100;
const SETTLE_MS = 60_000;
/** One request in so many is a purchase, one a charge; the others read. */
const MIX = 10;

test("two web and two worker processes are restarted in turn under load: not one request fails", {
  timeout: proofTimeout(600_000),
}, async () => {
  await testDatabaseUrl();
  const settings: Settings = { DATABASE_URL: plannedRuntimeUrl(), SHUTDOWN_GRACE_SECONDS: isProof() ? "5" : "1" };
  const ports = { web: [await freePort(), await freePort()], worker: [await freePort(), await freePort()] };
  const places: { entry: "web" | "worker"; port: number; running: Running }[] = [];
  const begin = (entry: "web" | "worker", port: number) => run(entry, { ...settings, PORT: String(port) });
  const ready = (one: Running) => until(one, "ready", async () => (await statusOf(one.port, "/readyz")) === 200);
  for (const entry of ["web", "worker"] as const)
    for (const port of ports[entry]) places.push({ entry, port, running: await begin(entry, port) });
  const balancer = await openBalancer(ports.web);
  const violations: string[] = [];
  let restarted = 0;
  let answered = 0;
  let failed = 0;
  try {
    await Promise.all(places.map(({ running }) => ready(running)));
    await Promise.all(places.filter(({ entry }) => entry === "web").map((one) => untilSent(balancer, one)));
    const shop = await openShop(balancer.base);
    const load = openLoad(shop, (outcome) => {
      if (outcome === undefined) answered += 1;
      else {
        failed += 1;
        violations.push(outcome);
      }
    });
    for (; restarted < proofRuns(places.length); restarted++) {
      const place = places[restarted % places.length];
      if (!place) break;
      const code = await end(place.running, "SIGTERM");
      if (code !== 0) violations.push(`a ${place.entry} process ended with ${code}`);
      place.running = await begin(place.entry, place.port);
      await ready(place.running);
      if (place.entry === "web") await untilSent(balancer, place);
    }
    await load.stop();
    violations.push(...(await unsettled(shop.purchases)), ...(await wrongsOf(shop.purchases)));
  } finally {
    await balancer.stop();
    await Promise.all(places.map(({ running }) => end(running)));
  }
  recordProof({
    ran: restarted,
    violations,
    figures: { requestsAnswered: answered, requestsFailed: failed },
  });
  expect(violations.slice(0, 20)).toEqual([]);
  expect(answered).toBeGreaterThan(0);
});

const untilSent = (
  balancer: Awaited<ReturnType<typeof openBalancer>>,
  { running, port }: { running: Running; port: number },
) => until(running, "sent to", () => balancer.isSending(port));

interface Shop {
  base: string;
  headers: Record<string, string>;
  merchantId: string;
  cardId: string;
  purchases: string[];
}

async function openShop(base: string): Promise<Shop> {
  const client = await openClient();
  const merchant = await openMerchant(client);
  const card = await client.make("POST", "/v1/cards", { body: { tokenId: await openToken(client) } });
  const headers = { "x-client-id": client.clientId, "x-api-key": client.apiKey, "content-type": "application/json" };
  return { base, headers, merchantId: merchant.id, cardId: card.id, purchases: [] };
}

/** So many requests a second, whatever the ones before do; each ends in `told`, with what was wrong about it. */
function openLoad(shop: Shop, told: (wrong: string | undefined) => void) {
  const open = new Set<Promise<void>>();
  let nth = 0;
  const ticker = setInterval(() => {
    const one: Promise<void> = ask(shop, nth++).then(told, (error: unknown) => told(String(error)));
    open.add(one);
    void one.finally(() => open.delete(one));
  }, 1_000 / PER_SECOND);
  return {
    async stop() {
      clearInterval(ticker);
      await Promise.all(open);
    },
  };
}

async function ask(shop: Shop, nth: number): Promise<string | undefined> {
  const payment = {
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "card", cardId: shop.cardId },
  };
  const common = { merchantId: shop.merchantId, capture: true, orderId: newId() };
  if (nth % MIX === 0) {
    const payments = [5_000, 5_001].map((amount) => ({ amount, ...payment }));
    const reply = await send(shop, "/v1/purchases", { ...common, amount: 10_001, payments });
    if (reply.status !== 202) return `POST /v1/purchases: ${reply.status} ${reply.text}`;
    // Guarantee: the answer of an accepted purchase.
    shop.purchases.push((JSON.parse(reply.text) as { id: string }).id);
    return undefined;
  }
  if (nth % MIX === 1) {
    const reply = await send(shop, "/v1/charges", { ...common, amount: 7_000, ...payment });
    return reply.status === 201 && reply.text.includes('"authorized"')
      ? undefined
      : `POST /v1/charges: ${reply.status} ${reply.text}`;
  }
  // No lists: a busy process refuses them on purpose, so that payments have room.
  const path = nth % 2 ? `/v1/merchants/${shop.merchantId}` : `/v1/cards/${shop.cardId}`;
  const reply = await send(shop, path);
  return reply.status === 200 ? undefined : `GET ${path}: ${reply.status} ${reply.text}`;
}

async function send({ base, headers }: Shop, path: string, body?: object): Promise<{ status: number; text: string }> {
  const reply = await fetch(`${base}${path}`, {
    method: body ? "POST" : "GET",
    headers: body ? { ...headers, "x-idempotency-key": newId() } : headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  return { status: reply.status, text: await reply.text() };
}

/** Every card is one that is approved. */
async function unsettled(ids: readonly string[]): Promise<string[]> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const open = await systemSql()<{ id: string; status: string }[]>`
      select id, status from purchases where id = any(${[...ids]}::uuid[]) and status <> 'paid'`;
    if (open.length === 0 || performance.now() > deadline) return open.map(({ id, status }) => `${id} is ${status}`);
    await pause(AGAIN_MS);
  }
}
