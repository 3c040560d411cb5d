import { beforeAll, describe, expect, test } from "vitest";
import { PAYMENTS_PER_PAGE, type PaymentFilters, searchPayments } from "@/lib/charges/search";
import type { OperatorRole } from "@/lib/operators/sessions";
import { openClient, type TestClient } from "@/lib/testing/api";
import {
  openCustomer,
  payByBoleto,
  payByCard,
  payByPix,
  readCharge,
  type Shop,
  withMerchant,
} from "@/lib/testing/payments";

let shop: Shop;
let other: TestClient;
let card: string;
let pix: string;
const EMAIL = "clara.dias@example.com";

const listed = async (filters: PaymentFilters, role: OperatorRole = "owner", client = shop.client) =>
  (await searchPayments(await client.context(), role, filters)).items;
const found = async (search: string) => (await listed({ search })).map(({ id }) => id);

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  other = await openClient();
  const customerId = await openCustomer(shop.client, {
    email: EMAIL,
    document: { type: "cpf", number: "39053344705", country: "BR" },
  });
  card = (await payByCard(shop, { amount: 12_990, capture: true, changes: { customerId, orderId: "pedido-77" } })).body
    .id;
  pix = (await payByPix(shop, { amount: 4_990 })).body.id;
  await payByBoleto(shop);
});

describe("a payment is found by", () => {
  test("its id, order, amount, and its buyer's e-mail and document", async () => {
    for (const typed of [card, "pedido-77", "129,90", EMAIL, "390.533.447-05"])
      expect(await found(typed), typed).toEqual([card]);
  });

  test("what its provider calls it", async () => {
    const charge = await readCharge(shop.client, card);
    const [attempt] = charge.transactionRequests.filter(({ requestType }) => requestType === "pre_authorization");
    const { authorizationNsu, authorizationCode, transactionId } = attempt as unknown as Record<string, string>;
    for (const typed of [authorizationNsu, authorizationCode, transactionId])
      expect(await found(typed ?? ""), typed).toContain(card);
  });

  test("the last four digits of its card", async () => {
    const [row] = await listed({ search: card });
    expect(await found(`•••• ${row?.card?.lastFour}`)).toEqual([card]);
  });

  test("the txid of its Pix", async () => {
    const charge = await readCharge(shop.client, pix);
    const txid = charge.transactionRequests[0]?.id.replaceAll("-", "") ?? "";
    expect(await found(txid)).toEqual([pix]);
  });
});

describe("the list", () => {
  test("narrows by status, method, merchant and day", async () => {
    expect((await listed({ status: ["authorized"] })).map(({ id }) => id)).toEqual([card]);
    expect((await listed({ method: ["pix"] })).map(({ id }) => id)).toEqual([pix]);
    expect(await listed({ merchantId: shop.merchant.id })).toHaveLength(3);
    expect(await listed({ until: new Date("2020-01-01T00:00:00Z") })).toEqual([]);
  });

  test("goes on where the page ended and comes back to where it began, each row once", async () => {
    const many = await withMerchant(await openClient());
    const ctx = await many.client.context();
    for (let made = 0; made < PAYMENTS_PER_PAGE + 3; made++) await payByPix(many);
    const first = await searchPayments(ctx, "owner", {});
    const second = await searchPayments(ctx, "owner", { after: first.next });
    expect([first.items.length, second.items.length, first.counted]).toEqual([
      PAYMENTS_PER_PAGE,
      3,
      PAYMENTS_PER_PAGE + 3,
    ]);
    expect([first.previous, second.next]).toEqual([undefined, undefined]);
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(PAYMENTS_PER_PAGE + 3);
    const back = await searchPayments(ctx, "owner", { before: second.previous });
    expect(back.items).toEqual(first.items);
    expect(back.previous).toBeUndefined();
  });

  test("shows another client nothing of it, whatever is typed", async () => {
    for (const search of [card, "pedido-77", "129,90", EMAIL, "39053344705", "4242"]) {
      expect(await listed({ search }, "owner", other)).toEqual([]);
    }
  });

  test("masks the buyer for a role that may not see them", async () => {
    const [full] = await listed({ search: card }, "finance");
    const [masked] = await listed({ search: card }, "viewer");
    expect(full?.buyer).toMatchObject({ email: EMAIL, document: "39053344705", isMasked: false });
    expect(masked?.buyer).toMatchObject({ email: "c•••@example.com", document: "•••05", isMasked: true });
  });

  test("ignores a position somebody made up", async () => {
    expect(await listed({ after: "'; drop table charges" })).toHaveLength(3);
  });
});
