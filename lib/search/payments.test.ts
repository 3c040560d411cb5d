import { beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";
import { movesOf } from "@/lib/purchases/moves";
import { countNewer, type ListFilters, listPayments } from "@/lib/search/payments";
import { openClient, type TestClient } from "@/lib/testing/api";
import { openCustomer, payByCard, payByPix, type Shop, withMerchant } from "@/lib/testing/payments";
import { bought, changePurchase, type PurchaseReply, work } from "@/lib/testing/purchases";

let shop: Shop;
let other: TestClient;
let declined: string;
let pix: string;
let paid: PurchaseReply;
let failed: PurchaseReply;
const EMAIL = "bruno.lima@example.com";

const page = async (filters: ListFilters = {}, role: OperatorRole = "owner", client = shop.client) =>
  listPayments(await client.context(), role, filters);
const ids = async (filters: ListFilters = {}) => (await page(filters)).items.map(({ id }) => id);
const cardOf = ({ payments }: PurchaseReply, index: number): string => payments[index]?.chargeId ?? "";

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  other = await openClient();
  const customerId = await openCustomer(shop.client, { email: EMAIL });
  declined = (await payByCard(shop, { outcome: "decline:insufficient_funds", amount: 7_700 })).body.id;
  pix = (await payByPix(shop)).body.id;
  paid = await bought(shop, {
    capture: true,
    changes: { orderId: "cesta-9", customerId, metadata: { campaign: "natal" } },
  });
  failed = await bought(shop, { outcomes: ["approve", "decline:insufficient_funds"] });
});

describe("charges and purchases are one list", () => {
  test("in which a purchase is one row with its cards, and its charges are not rows of their own", async () => {
    expect(await ids()).toEqual([failed.id, paid.id, pix, declined]);
    const [row] = (await page({ search: paid.id })).items;
    expect(row).toMatchObject({
      kind: "purchase",
      originalAmount: 10_001,
      cards: [{ amount: 5_000 }, { amount: 5_001 }],
    });
  });

  test("found by anything of a card inside: its charge, its amount, its last four, and by the order and the buyer", async () => {
    const [row] = (await page({ search: paid.id })).items;
    const lastFour = row?.kind === "purchase" ? row.cards[0]?.lastFour : undefined;
    for (const typed of [cardOf(paid, 1), paid.id, "cesta-9", EMAIL])
      expect(await ids({ search: typed }), typed).toEqual([paid.id]);
    expect(await ids({ search: "50,01" })).toEqual([failed.id, paid.id]);
    expect(await ids({ search: `•••• ${lastFour}` })).toContain(paid.id);
  });

  test.each<[string, ListFilters, () => string[]]>([
    ["paid", { status: ["authorized"] }, () => [paid.id]],
    ["declined", { status: ["failed"] }, () => [failed.id, declined]],
    ["Pix", { method: ["pix"] }, () => [pix]],
    ["a reason of decline", { declineCode: "insufficient_funds" }, () => [failed.id, declined]],
    ["a provider", { provider: ["SANDBOX"] }, () => [failed.id, paid.id, pix, declined]],
    ["a provider nobody asked", { provider: ["CIELO"] }, () => []],
    ["metadata", { metadata: { key: "campaign", value: "natal" } }, () => [paid.id]],
    ["metadata of another value", { metadata: { key: "campaign", value: "pascoa" } }, () => []],
    ["a reason and a method that exclude each other", { declineCode: "insufficient_funds", method: ["pix"] }, () => []],
  ])("narrowed by %s", async (_what, filters, wanted) => {
    const found = await page(filters);
    expect(found.items.map(({ id }) => id)).toEqual(wanted());
    expect(found.counted).toBe(wanted().length);
  });

  test("shows another client nothing of it", async () => {
    for (const filters of [
      {},
      { search: paid.id },
      { search: "cesta-9" },
      { metadata: { key: "campaign", value: "natal" } },
    ])
      expect((await page(filters, "owner", other)).items).toEqual([]);
  });

  test("masks the buyer of a purchase for a role that may not see them", async () => {
    const [row] = (await page({ search: paid.id }, "viewer")).items;
    expect(row?.buyer?.email).toBe("b•••@example.com");
  });

  test("tells how many came since, by the same filters", async () => {
    const ctx = await shop.client.context();
    const [, , third] = (await page()).items;
    const since = { at: third?.createdAt ?? new Date(0), id: third?.id ?? "" };
    expect(await countNewer(ctx, "owner", {}, since)).toBe(2);
    expect(await countNewer(ctx, "owner", { status: ["authorized"] }, since)).toBe(1);
  });
});

test("pages go on where they ended and come back to where they began, each row once, whatever its kind", async () => {
  const many = await withMerchant(await openClient());
  for (let made = 0; made < 5; made++) {
    await payByPix(many);
    if (made % 3 === 0) await bought(many);
  }
  const read = (filters: ListFilters) => page({ limit: 4, ...filters }, "owner", many.client);
  const first = await read({});
  const second = await read({ after: first.next });
  const all = [...first.items, ...second.items];
  expect([first.items.length, first.counted, second.counted]).toEqual([4, 7, 7]);
  expect(new Set(all.map(({ id }) => id)).size).toBe(7);
  expect(all.filter(({ kind }) => kind === "purchase")).toHaveLength(2);
  const back = await read({ before: second.previous });
  expect(back.items).toEqual(first.items);
  expect([back.previous, second.next]).toEqual([undefined, undefined]);
  expect((await read({ limit: 100 })).items).toEqual(all);
});

test("every move of a purchase is kept in its order, under the row of its table", async () => {
  await changePurchase(shop.client, paid.id, "void");
  await work(shop.client);
  const moves = await inTransaction(await shop.client.context(), (inside) => movesOf(inside, paid.id));
  const of = (slotIndex: number) => moves.filter((move) => move.slotIndex === slotIndex).map(({ row }) => row);
  expect(of(0)).toEqual(["S1", "S4", "S9", "S10", "S17", "S18"]);
  expect(of(1)).toEqual(["S1", "S4", "S9", "S10", "S17", "S18"]);
  expect(moves.filter(({ machine }) => machine === "purchase").map(({ row }) => row)).toEqual(["P3", "P4", "P7"]);
});
