import type { Shop } from "@/bench/charges/shop";
import { callApi } from "@/lib/testing/api-client";
import { newSeller } from "@/lib/testing/sellers";

/** Sellers that SANDBOX pays. */
export async function openSellers(shop: Shop, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const { body, text } = await callApi(shop, "POST", "/v1/sellers", { body: newSeller(shop.merchantId) });
    if (!body.id) throw new Error(text);
    ids.push(body.id);
  }
  await callApi(shop, "POST", "/v1/sandbox/clock", { body: { advance: "PT10S" } });
  return ids;
}
