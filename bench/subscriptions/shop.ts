import { dispatch } from "@/app/api/registry";
import { openShop, type Shop } from "@/bench/charges/shop";
import { sandboxPan } from "@/lib/reference/sandbox-pans";

/** A shop with a customer and cards that subscriptions are paid with. */
export interface Club extends Shop {
  customerId: string;
  cardIds: string[];
}

export async function ask<T>({ clientId, apiKey }: Shop, method: string, path: string, body?: object): Promise<T> {
  const answer = await dispatch(
    new Request(`http://127.0.0.1${path}`, {
      method,
      headers: { "x-client-id": clientId, "x-api-key": apiKey, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
  );
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  // Guarantee: the caller asserts what it reads.
  return JSON.parse(text) as T;
}

const CARD = {
  cardHolderName: "Ana Souza",
  cardNumber: sandboxPan("approve", "visa"),
  cardCvv: "120",
  cardExpirationDate: "12/2031",
};

export async function openClub(cards: number): Promise<Club> {
  const shop = await openShop();
  const { id: customerId } = await ask<{ id: string }>(shop, "POST", "/v1/customers", {
    name: "Ana Souza",
    email: "ana@example.com",
    phoneNumber: "+5511999990000",
    document: { type: "cpf", number: "52998224725" },
  });
  const cardIds: string[] = [];
  for (let made = 0; made < cards; made++) {
    const { tokenId } = await ask<{ tokenId: string }>(shop, "POST", "/v1/tokens", CARD);
    cardIds.push((await ask<{ id: string }>(shop, "POST", "/v1/cards", { tokenId })).id);
  }
  return { ...shop, customerId, cardIds };
}

export const subscribe = (club: Club, recurrence: object): Promise<{ id: string }> =>
  ask(club, "POST", "/v1/subscriptions", {
    name: "Plano Ouro",
    merchantId: club.merchantId,
    customerId: club.customerId,
    items: [{ name: "Ouro", amount: 4_990, quantity: 1 }],
    recurrence,
    paymentMethod: { type: "credit", card: { cardId: club.cardIds[0] } },
  });

export const payNow = (shop: Club): Promise<unknown> =>
  ask(shop, "POST", "/v1/charges", {
    merchantId: shop.merchantId,
    amount: 1_990,
    capture: true,
    paymentMethod: { paymentType: "credit", installments: 1 },
    paymentSource: { sourceType: "card", cardId: shop.cardIds[0] },
  });
