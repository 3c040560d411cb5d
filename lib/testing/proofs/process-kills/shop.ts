import { newId } from "@/lib/ids";
import { cardData } from "@/lib/testing/payments";
import { pause } from "@/lib/wait";
import type { Demo } from "@/scripts/seed/demo";

const AGAIN_MS = 250;
const REQUEST_MS = 10_000;
/** Nobody knows yet how it ends. */
export const OPEN: readonly string[] = ["pending", "undetermined", "processing"];

export interface Answer {
  status: number;
  text: string;
  body: { id: string; status: string; amount: number; [member: string]: unknown };
}
export interface Written {
  path: string;
  key: string;
  body: object;
  answer: Answer;
}

export interface Shop {
  base: string;
  headers: Record<string, string>;
  merchantId: string;
  customerId: string;
  written: Written[];
  unanswered: number;
}

/** A shop of the first account, with a buyer. */
export async function openShop(base: string, { clientId, apiKey, merchantId }: Demo): Promise<Shop> {
  const headers = { "x-client-id": clientId, "x-api-key": apiKey };
  const shop: Shop = { base, headers, merchantId, customerId: "", written: [], unanswered: 0 };
  const customer = await write(shop, "/v1/customers?force=true", {
    name: "Ana Souza",
    email: "ana@example.com",
    phoneNumber: "+55 11 99999-0000",
    document: { type: "cpf", number: "52998224725", country: "BR" },
  });
  shop.customerId = customer.body.id;
  return shop;
}

/** As a client does that gets no answer: the same request with its key, until there is one. */
async function write(shop: Shop, path: string, body: object): Promise<Answer> {
  const key = newId();
  for (;;) {
    const answer = await send(shop, path, body, key);
    // 409: the first one is still at work, or waits for its lease to end.
    if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 429) {
      if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
      shop.written.push({ path, key, body, answer });
      return answer;
    }
    if (answer && answer.status >= 500 && answer.status !== 503)
      throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    shop.unanswered += 1;
    await pause(AGAIN_MS);
  }
}

export async function send(shop: Shop, path: string, body?: object, key?: string): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${shop.base}${path}`, {
      method: body ? "POST" : "GET",
      headers: { ...shop.headers, "content-type": "application/json", ...(key ? { "x-idempotency-key": key } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    const text = await response.text();
    // Guarantee: every answer of the API is JSON, and what is read of it is judged.
    return { status: response.status, text, body: JSON.parse(text) as Answer["body"] };
  } catch {
    return undefined;
  }
}

export async function read(shop: Shop, path: string): Promise<Answer> {
  for (;;) {
    const answer = await send(shop, path);
    if (answer?.status === 200) return answer;
    if (answer && answer.status < 500) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`);
    await pause(AGAIN_MS);
  }
}

async function card(shop: Shop): Promise<object> {
  const { body } = await write(shop, "/v1/tokens", cardData());
  return {
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "token", tokenId: body.tokenId },
  };
}

const common = ({ merchantId }: Shop, capture: boolean) => ({ merchantId, capture, orderId: newId() });

async function purchase(shop: Shop, cards: number, capture: boolean): Promise<string> {
  const payments = [];
  for (let nth = 0; nth < cards; nth++) payments.push({ amount: 5_000 + nth, ...(await card(shop)) });
  const amount = payments.reduce((sum, payment) => sum + payment.amount, 0);
  const { body } = await write(shop, "/v1/purchases", { ...common(shop, capture), amount, payments });
  return body.id;
}

/** The whole way of money after a kill: cards, the request, and a worker that brings it to its end. */
export async function wholePurchase(shop: Shop): Promise<true> {
  const id = await purchase(shop, 2, true);
  while ((await read(shop, `/v1/purchases/${id}`)).body.status === "pending") await pause(AGAIN_MS);
  return true;
}

export async function buy(shop: Shop, turn: number): Promise<void> {
  switch (turn % 4) {
    case 0: {
      const { body } = await write(shop, "/v1/charges", {
        ...common(shop, false),
        amount: 7_000,
        ...(await card(shop)),
      });
      if (await hasFailed(shop, body.id)) return;
      await write(shop, `/v1/charges/${body.id}/capture`, { amount: 7_000 });
      return;
    }
    case 1:
      await purchase(shop, 2 + (turn % 2), true);
      return;
    case 2: {
      const pix = await write(shop, "/v1/charges", {
        merchantId: shop.merchantId,
        amount: 4_990,
        paymentMethod: { paymentType: "pix", expiresIn: 3_600 },
        paymentSource: { sourceType: "customer", customerId: shop.customerId },
      });
      // Its answer may have been lost on the way to us: then it has no code yet that somebody could pay.
      while (!hasCode((await read(shop, `/v1/charges/${pix.body.id}`)).body.paymentMethod)) await pause(AGAIN_MS);
      await write(shop, `/v1/sandbox/pix/${pix.body.id}/pay`, {});
      return;
    }
    default: {
      const { body } = await write(shop, "/v1/charges", {
        ...common(shop, true),
        amount: 8_000,
        ...(await card(shop)),
      });
      if (await hasFailed(shop, body.id)) return;
      await write(shop, `/v1/charges/${body.id}/void`, {});
    }
  }
}

/** Whatever its answer said: the provider's own may have been lost, and is asked for until it is known. */
async function hasFailed(shop: Shop, id: string): Promise<boolean> {
  for (;;) {
    const { status } = (await read(shop, `/v1/charges/${id}`)).body;
    if (!OPEN.includes(status)) return status === "failed";
    await pause(AGAIN_MS);
  }
}

const hasCode = (method: unknown): boolean =>
  typeof method === "object" && method !== null && "qrCodeData" in method && typeof method.qrCodeData === "string";
