import { createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { connectionChoices } from "@/app/(dashboard)/dashboard/payments/connection-choices";
import { kindName } from "@/components/merchants/provider-names";
import { connectionsToChoose } from "@/lib/charges/to-choose";
import { messages } from "@/lib/i18n/messages";
import { openClient } from "@/lib/testing/api";
import { addProvider, withMerchant } from "@/lib/testing/payments";

vi.mock("next-intl/server", () => ({
  // Guarantee: the pages' own types hold their namespaces against the messages.
  getTranslations: async (namespace: never) => createTranslator({ locale: "en", messages: messages.en, namespace }),
}));

const of = (id: string, name: string, kind: string, merchantId: string) => ({ id, name, kind, merchantId });

test("connections can be chosen where a merchant has several of one kind", async () => {
  const merchants = [
    { id: "m1", name: "Loja" },
    { id: "m2", name: "Filial" },
  ];
  const single = [of("1", "Cielo", "CIELO", "m1"), of("2", "Cielo", "CIELO", "m2"), of("3", "Rede", "REDE", "m1")];
  expect(await connectionChoices(single, merchants)).toEqual([]);
  expect(await connectionChoices([...single, of("4", "Cielo 2", "CIELO", "m1")], merchants)).toEqual([
    { value: "1", label: "Cielo (Loja)" },
    { value: "4", label: "Cielo 2" },
  ]);
});

test("no payment goes through a fraud analysis", async () => {
  const shop = await withMerchant(await openClient());
  for (const name of ["Fraud 1", "Fraud 2"])
    await addProvider(shop, { name, credentials: { type: "SANDBOX_ANTIFRAUD", apiKey: "key" } });
  const connections = await connectionsToChoose(await shop.client.context(), "owner");
  expect(connections.map(({ kind }) => kind).sort()).toEqual(["SANDBOX", "SANDBOX_ANTIFRAUD", "SANDBOX_ANTIFRAUD"]);
  expect(await connectionChoices(connections, [{ id: shop.merchant.id, name: "Loja" }])).toEqual([]);
});

test("a kind is named as its company writes itself, and one that is known no more by what is stored", () => {
  expect(["PAGARME_V5", "SANDBOX", "GONE"].map(kindName)).toEqual(["Pagar.me", "Sandbox", "GONE"]);
});
