import { randomUUID } from "node:crypto";
import { dispatch } from "@/app/api/registry";
import { headersOf, makeTokens, openShop, type Shop } from "@/bench/charges/shop";

/** A shop with a saved card: purchases by it need no token each. */
export interface CardShop extends Shop {
  cardId: string;
}

export async function openCardShop(): Promise<CardShop> {
  const shop = await openShop();
  const [token] = await makeTokens(shop, 1);
  const { id } = await call<{ id: string }>(shop, "/v1/cards", { tokenId: token?.tokenId });
  return { ...shop, cardId: id };
}

/** Through the very handlers, in this process. */
export async function call<T>(shop: Shop, path: string, body: unknown, scenario?: string): Promise<T> {
  const answer = await dispatch(
    new Request(`http://127.0.0.1${path}`, {
      method: "POST",
      headers: {
        ...headersOf(shop),
        "x-idempotency-key": randomUUID(),
        ...(scenario ? { "x-sandbox-scenario": scenario } : {}),
      },
      body: JSON.stringify(body),
    }),
  );
  if (answer.status >= 300) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  // Guarantee: what is read of it is a member that every such answer has.
  return (await answer.json()) as T;
}

const CENTS = 3_500;

/** One order on so many cards. */
export const newPurchaseOf = ({ merchantId, cardId }: CardShop, cards: number) => ({
  merchantId,
  amount: CENTS * cards,
  orderId: "bench",
  payments: Array.from({ length: cards }, () => ({
    amount: CENTS,
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "card", cardId },
  })),
});
