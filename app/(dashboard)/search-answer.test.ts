import { createFormatter, createTranslator } from "next-intl";
import { beforeAll, expect, test, vi } from "vitest";
import { GET } from "@/app/(dashboard)/dashboard/search/route";
import type { SearchAnswer } from "@/components/search/answer";
import { messages } from "@/lib/i18n/messages";
import { openClient } from "@/lib/testing/api";
import { openCustomer, payByCard, type Shop, withMerchant } from "@/lib/testing/payments";
import { signedIn } from "@/lib/testing/people";
import { openSellers } from "@/lib/testing/sellers";

const request = vi.hoisted(() => ({ sessionId: undefined as string | undefined }));

vi.mock("@/app/(auth)/auth", () => ({ auth: async () => ({ sessionId: request.sessionId }) }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ host: "elsewhere" }),
  cookies: async () => ({ get: () => undefined, set: () => undefined }),
}));
vi.mock("next-intl/server", () => ({
  getLocale: async () => "en",
  getTimeZone: async () => "America/Sao_Paulo",
  getFormatter: async () => createFormatter({ locale: "en", timeZone: "America/Sao_Paulo" }),
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
}));

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
  request.sessionId = await signedIn(shop.client, "owner");
});

async function answer(q: string): Promise<SearchAnswer> {
  const reply = await GET(new Request(`http://localhost/?${new URLSearchParams({ q, patient: "1" })}`));
  expect(reply.status).toBe(200);
  return reply.json();
}

test("an id that no payment has is not said to be one of a payment", async () => {
  const [sellerId = ""] = await openSellers(shop.client, shop.merchant.id, 1);
  const seller = await answer(sellerId);
  expect(seller.groups.map(({ icon }) => icon)).toEqual(["seller"]);
  expect(seller.note).toBeUndefined();
  const { id } = (await payByCard(shop)).body;
  expect((await answer(id)).note).toBe("Read as payment id or provider’s transaction.");
});

test("payments of one buyer and one amount are told apart by their orders", async () => {
  const customerId = await openCustomer(shop.client, { name: "Clarice Lispector" });
  for (const orderId of ["PED-1", "PED-2"]) await payByCard(shop, { changes: { customerId, orderId } });
  const { groups } = await answer("lispector");
  const payments = groups.find(({ icon }) => icon === "payment")?.items ?? [];
  expect(payments.map(({ who }) => who)).toEqual(["Clarice Lispector", "Clarice Lispector"]);
  expect(payments.map(({ detail }) => detail).sort()).toEqual([
    expect.stringMatching(/^Visa .+ · PED-1$/),
    expect.stringMatching(/^Visa .+ · PED-2$/),
  ]);
});
