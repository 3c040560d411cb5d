import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Brand } from "@/lib/brazil/card-brand";
import { newVisit } from "@/lib/checkout/visit";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";
import { cardFields, pathOf, severalCards } from "@/lib/testing/buyer";
import { openLink, pressPay, typedCard } from "@/lib/testing/checkout";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { type Shop, withMerchant } from "@/lib/testing/payments";

const taken = vi.hoisted(() => ({ brands: [] as Brand[] }));

/** The simulator takes every brand: here it is an acquirer that takes some. */
vi.mock("@/lib/providers/registry", async (original) => {
  const registry = await original<typeof import("@/lib/providers/registry")>();
  return {
    ...registry,
    providerFor(kind: string) {
      const provider = registry.providerFor(kind);
      const { card } = provider.capabilities;
      const capabilities = {
        ...provider.capabilities,
        card: card && { ...card, brands: { ...card.brands, credit: taken.brands } },
      };
      return Object.assign(Object.create(provider), { capabilities });
    },
  };
});

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const chargesOf = async (id: string) =>
  (await shop.client.make<{ items: unknown[] }>("GET", "/v1/charges", { query: { sessionId: id } })).items;
const marksOf = (html: string): string[] => {
  const [, row = ""] = /<div class="hp"[^>]*>(.*?)<\/div>/.exec(html) ?? [];
  return [...row.matchAll(/data-mark="([^"]*)"/g)].map(([, name = ""]) => name);
};
const NO_VISA = "Esta loja não aceita Visa aqui. Use outro cartão.";

describe("the brands that the shop's provider takes", () => {
  test("are shown, all of them and no other, also to who hears the page", async () => {
    const buyer = await newBuyer();
    for (const [brands, marks] of [
      [
        ["visa", "elo"],
        ["Visa", "Elo"],
      ],
      [
        ["visa", "mastercard", "elo", "hipercard", "amex", "diners", "discover", "jcb", "aura"],
        ["Visa", "Mastercard", "Elo", "HiperCard", "American Express", "Diners", "Discover", "JCB", "Aura"],
      ],
    ] as const) {
      taken.brands = [...brands];
      const { session } = await openLink(shop);
      const { html } = await buyer.open(pathOf(session, "?method=card"));
      expect(marksOf(html)).toEqual(marks);
      expect(html).toContain(`aria-label="Bandeiras aceitas: ${marks.join(", ")}"`);
      expect(html).toContain(`"taken":${JSON.stringify(marks)}`);
    }
  });

  test("another card is told so in its field, and nobody is asked for money", async () => {
    taken.brands = ["mastercard", "elo"];
    const { session } = await openLink(shop);
    const buyer = await newBuyer();
    const page = await buyer.open(pathOf(session, "?method=card"));
    const answer = await buyer.sendByScript<{ fields?: object[]; alert?: object }>(page, "card", cardFields());
    expect(answer).toMatchObject({ fields: [{ name: "cardNumber", message: NO_VISA }] });
    const plain = await buyer.send(page, "card", cardFields());
    expect(plain.text).toContain(NO_VISA);
    expect(plain.text).not.toContain("Pagamento não aprovado");
    expect(await chargesOf(session.id)).toEqual([]);
    expect((await buyer.send(plain, "card", cardFields("approve", { brand: "elo" }))).state).toBe("paid");
  });

  test("of several cards the one is named, before any other is held", async () => {
    taken.brands = ["visa", "elo"];
    const opened = await openLink(shop);
    const amounts = { count: "2", amount0: "52,50", amount1: "52,50" };
    const form = { ...severalCards(["approve", "approve"]), ...amounts };
    expect(await pressPay(opened, newVisit(), "cards", form)).toMatchObject({
      kind: "notice",
      notice: { kind: "fields", fields: [{ field: "cardNumber", card: 1, untaken: "Mastercard" }] },
    });
    expect(await chargesOf(opened.session.id)).toEqual([]);
  });

  test("a card of a brand without a name is told so too, unless such cards are taken", async () => {
    const HIPER = "6370950000000005";
    const press = async () => pressPay(await openLink(shop), newVisit(), "card", typedCard(HIPER));
    taken.brands = ["visa"];
    expect(await press()).toMatchObject({ notice: { kind: "fields", fields: [{ field: "cardNumber", untaken: "" }] } });
    taken.brands = ["visa", "unknown"];
    expect(await press()).not.toMatchObject({ notice: { kind: "fields" } });
  });

  test("a number that is wrong is called wrong, whatever its brand", async () => {
    taken.brands = ["elo"];
    const wrong = `${sandboxPan("approve").slice(0, -1)}1`;
    expect(await pressPay(await openLink(shop), newVisit(), "card", typedCard(wrong))).toMatchObject({
      notice: { fields: [{ field: "cardNumber" }] },
    });
  });
});
