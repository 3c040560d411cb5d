import { randomUUID } from "node:crypto";
import { dispatch } from "@/app/api/registry";
import { inParallel } from "@/bench/latencies";
import { systemSql } from "@/db/client";
import { createAccount, loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { createToken } from "@/lib/tokens/service";

/** An account with a merchant that SANDBOX pays. */
export interface Shop {
  clientId: string;
  apiKey: string;
  merchantId: string;
}

const HANDS = 16;

export async function openShop(): Promise<Shop> {
  const { clientId, apiKey } = await createAccount({ name: "bench", mode: "sandbox" });
  const answer = await dispatch(
    new Request("http://127.0.0.1/v1/merchants", {
      method: "POST",
      headers: { "x-client-id": clientId, "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({
        mcc: "5732",
        name: "Bench",
        merchantName: "Bench",
        providers: [{ name: "Sandbox", priority: 1, credentials: { type: "SANDBOX" } }],
      }),
    }),
  );
  // Guarantee: a created merchant is answered with its id.
  const { id } = (await answer.json()) as { id: string };
  if (answer.status !== 201) throw new Error(`the merchant was refused with ${answer.status}`);
  return { clientId, apiKey, merchantId: id };
}

export interface Token {
  tokenId: string;
  vaultId: string;
}

/** Fresh tokens of one approved card, made as the API makes them. */
export async function makeTokens({ clientId }: Shop, count: number): Promise<Token[]> {
  const ctx = systemContext(await loadAccount(clientId), randomUUID());
  const card = {
    cardHolderName: "Ana Souza",
    cardNumber: sandboxPan("approve", "visa"),
    cardCvv: "120",
    cardExpirationDate: "12/2031",
  };
  const ids: string[] = [];
  await inParallel(
    Array.from({ length: count }, () => card),
    HANDS,
    async (each) => {
      ids.push((await createToken(ctx, { kind: "card", card: each })).tokenId);
    },
  );
  const rows = await systemSql()<Token[]>`
    select id as "tokenId", vault_id as "vaultId" from card_tokens where id = any(${ids}::uuid[])`;
  return [...rows];
}

/** The request the benchmark repeats. */
export const newChargeOf = ({ merchantId }: Shop, { tokenId }: Token): string =>
  JSON.stringify({
    merchantId,
    amount: 10_500,
    orderId: "bench",
    paymentMethod: { paymentType: "credit", installments: 1 },
    paymentSource: { sourceType: "token", tokenId },
  });

export const headersOf = ({ clientId, apiKey }: Shop): Record<string, string> => ({
  "x-client-id": clientId,
  "x-api-key": apiKey,
  "content-type": "application/json",
});
