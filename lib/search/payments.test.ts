import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { MOST_COUNTED } from "@/lib/charges/search";
import { inTransaction } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";
import { MOST_CARDS } from "@/lib/purchases/checks";
import { movesOf } from "@/lib/purchases/moves";
import { MOST_NAMED } from "@/lib/search/few-or";
import { countNewer, type ListFilters, listPayments } from "@/lib/search/payments";
import { openClient, type TestClient } from "@/lib/testing/api";
import {
  cardData,
  openCustomer,
  openToken,
  payByCard,
  payByPix,
  type Shop,
  withMerchant,
} from "@/lib/testing/payments";
import { bought, changePurchase, type PurchaseReply, work } from "@/lib/testing/purchases";
import { openSession } from "@/lib/testing/sessions";

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
    ["a reason of decline as it is said", { search: "saldo insuficiente" }, () => [failed.id, declined]],
    ["a reason said beside another chosen", { search: "sem saldo", declineCode: "expired_card" }, () => []],
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

describe("narrowed by what was paid with, by whom, and how much", () => {
  let own: Shop;
  let visa: string;
  let elo: string;
  let pixOf10: string;
  let mixed: string;
  let buyer: string;
  const found = async (filters: ListFilters, client = own.client) => {
    const { items, counted } = await page(filters, "owner", client);
    expect(counted).toBe(items.length);
    return items.map(({ id }) => id);
  };
  const slotOf = async (brand: "visa" | "mastercard", amount: number) => ({
    amount,
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "token", tokenId: await openToken(own.client, cardData("approve", brand)) },
  });

  beforeAll(async () => {
    own = await withMerchant(await openClient());
    buyer = await openCustomer(own.client, { email: "Clara.Dias@example.com" });
    visa = (await payByCard(own, { amount: 2_000 })).body.id;
    elo = (await payByCard(own, { amount: 3_000, brand: "elo", changes: { customerId: buyer } })).body.id;
    pixOf10 = (await payByPix(own, { amount: 1_000 })).body.id;
    const payments = [await slotOf("visa", 2_500), await slotOf("mastercard", 2_500)];
    mixed = (await bought(own, { changes: { amount: 5_000, payments, customerId: buyer } })).id;
    await systemSql()`update charges set has_split = true where id = ${elo}`;
    await systemSql()`update purchases set split_rules = '[]' where id = ${mixed}`;
  });

  test.each<[string, ListFilters, () => string[]]>([
    ["a brand, of the card or of any card of a purchase", { brand: "Visa" }, () => [mixed, visa]],
    ["the brand of one card of a purchase", { brand: "Mastercard" }, () => [mixed]],
    ["a brand that nobody paid with", { brand: "JCB" }, () => []],
    ["a brand and a method that exclude each other", { brand: "Visa", method: ["pix"] }, () => []],
    ["a least amount", { minAmount: 3_000 }, () => [mixed, elo]],
    ["a most amount", { maxAmount: 2_000 }, () => [pixOf10, visa]],
    ["both, each included", { minAmount: 2_000, maxAmount: 3_000 }, () => [elo, visa]],
    ["amounts the wrong way round", { minAmount: 3_000, maxAmount: 2_000 }, () => []],
    ["a split", { hasSplit: true }, () => [mixed, elo]],
    ["the buyer's e-mail", { buyer: "Clara.Dias@example.com" }, () => [mixed, elo]],
    ["a buyer and a brand together", { buyer: "Clara.Dias@example.com", brand: "Elo" }, () => [elo]],
    ["what names no buyer", { buyer: "somebody" }, () => []],
  ])("%s", async (_what, filters, wanted) => {
    expect(await found(filters)).toEqual(wanted());
  });

  test("the buyer's id, and their document", async () => {
    expect(await found({ buyer })).toEqual([mixed, elo]);
    expect(await found({ buyer: "529.982.247-25" })).toEqual([mixed, pixOf10, elo]);
  });

  test("nothing of it is another client's", async () => {
    for (const filters of [{ brand: "Visa" }, { minAmount: 1 }, { hasSplit: true }, { buyer }] satisfies ListFilters[])
      expect(await found(filters, other)).toEqual([]);
  });

  test("how many came since, of a brand", async () => {
    const { items } = await page({}, "owner", own.client);
    const last = items.at(-1);
    const since = { at: last?.createdAt ?? new Date(0), id: last?.id ?? "" };
    expect(await countNewer(await own.client.context(), "owner", { brand: "Visa" }, since)).toBe(1);
    expect(await countNewer(await own.client.context(), "owner", { minAmount: 3_000 }, since)).toBe(2);
  });

  test("a brand that many paid with is met while walking the list, and counted as exactly", async () => {
    const many = await withMerchant(await openClient());
    const [first, second] = [
      (await payByCard(many, { brand: "elo" })).body.id,
      (await payByCard(many, { brand: "hipercard" })).body.id,
    ];
    await systemSql()`
      insert into charges select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
             'created_at', c.created_at - make_interval(mins => n::int)))).*
        from charges c, generate_series(1, ${MOST_NAMED}) n where c.id = ${first}`;
    const read = await page({ brand: "Elo" }, "owner", many.client);
    expect([read.items[0]?.id, read.items.length, read.counted]).toEqual([first, 25, MOST_NAMED + 1]);
    expect((await page({ brand: "HiperCard" }, "owner", many.client)).items.map(({ id }) => id)).toEqual([second]);
    expect((await page({ brand: "Elo", after: read.next }, "owner", many.client)).items).toHaveLength(25);
  });

  test("of a brand that surely more paid with than anybody counts the roll-up says so, and of nothing narrower", async () => {
    const shop = await withMerchant(await openClient());
    for (let made = 0; made < 2; made++) await payByCard(shop, { brand: "elo" });
    const counted = async (filters: ListFilters) =>
      (await page({ brand: "Elo", limit: 1, ...filters }, "owner", shop.client)).counted;
    const rolledUp = async (charges: number) => systemSql()`
      insert into payment_stats_daily (client_id, day, merchant_id, provider, method, brand, status, decline_code,
          currency, charges, amount, captured, refunded)
        values (${shop.client.clientId}, '2026-01-01T03:00:00Z', ${shop.merchant.id}, 'SANDBOX', 'credit', 'Elo',
          'pre_authorized', '', 'BRL', ${charges}, 0, 0, 0)
      on conflict on constraint payment_stats_daily_key do update set charges = excluded.charges`;
    const most = MOST_COUNTED + 1;
    await rolledUp(MOST_CARDS * most - 1);
    expect(await counted({})).toBe(2);
    await rolledUp(MOST_CARDS * most);
    expect(await counted({})).toBe(most);
    expect(await counted({ merchantId: shop.merchant.id, status: [] })).toBe(most);
    for (const narrower of [
      { status: ["pre_authorized"] },
      { minAmount: 1 },
      { from: new Date(0) },
    ] satisfies ListFilters[])
      expect(await counted(narrower)).toBe(2);
  });

  test("one connection to a provider, among several of its kind", async () => {
    const second = await withMerchant(own.client);
    const { id } = (await payByCard(second)).body;
    expect(await found({ connectionId: second.merchant.providerId })).toEqual([id]);
    expect(await found({ connectionId: own.merchant.providerId })).toEqual([mixed, pixOf10, elo, visa]);
    expect(await found({ connectionId: own.merchant.providerId }, other)).toEqual([]);
  });
});

test("who paid by a card alone is known by the name on it, masked for who may not see buyers", async () => {
  const holderFor = async (role: OperatorRole) => {
    const [row] = (await page({ search: declined }, role)).items;
    return row?.kind === "charge" ? row.holder : undefined;
  };
  const whole = await holderFor("owner");
  expect(whole).toMatch(/^\S+ \S+$/);
  expect(await holderFor("viewer")).toBe(`${whole?.split(" ")[0]} ${whole?.split(" ")[1]?.[0]}.`);
});

describe("as customers speak", () => {
  let spoken: Shop;
  const found = async (search: string, role: OperatorRole = "owner") =>
    (await page({ search }, role, spoken.client)).items.map((item) => item.orderId);

  beforeAll(async () => {
    spoken = await withMerchant(await openClient());
    const isis = await openCustomer(spoken.client, {
      name: "I\u0301sis da Conceição Monteiro",
      phoneNumber: "+55 (11) 91234-5678",
    });
    const source = { sourceType: "token", tokenId: await openToken(spoken.client, cardData("approve")) };
    const changes = { customerId: isis, orderId: "PED-1021", paymentSource: source };
    await payByCard(spoken, { amount: 45_990, changes });
    await payByPix(spoken, { changes: { orderId: "PED-1022", customerId: await openCustomer(spoken.client) } });
    await bought(spoken, { changes: { orderId: "duo" } });
    const dress = await openSession(spoken, { name: "Vestido Azul M", description: "Seda, com botões" });
    await systemSql()`update charges set session_id = ${dress.id} where order_id = 'PED-1022' and merchant_id = ${spoken.merchant.id}`;
  });

  test.each([
    ["isis monteiro", "PED-1021"],
    ["conceicao", "PED-1021"],
    ["Monteiro, Ísis", "PED-1021"],
    ["isis, hoje, 459,90", "PED-1021"],
    ["ped1021", "PED-1021"],
    ["(11) 91234-5678", "PED-1021"],
    ["11912345678", "PED-1021"],
    ["91234-5678", "PED-1021"],
    ["2 cartões", "duo"],
    ["vestido azul", "PED-1022"],
    ["botoes pix", "PED-1022"],
  ])("%s finds its payment", async (typed, orderId) => {
    expect(await found(typed)).toEqual([orderId]);
  });

  test.each(["isis, ontem", "3 cartões", "vestido verde", "11912345679", "21 91234-5678"])(
    "%s finds none",
    async (typed) => {
      expect(await found(typed)).toEqual([]);
    },
  );

  test("no phone number answers who sees buyers masked", async () => {
    expect(await found("11912345678", "viewer")).toEqual([]);
  });
});

test("a bare number finds the order that ends with it, written as the account writes its orders", async () => {
  const numbered = await withMerchant(await openClient());
  const found = async (search: string) =>
    (await page({ search }, "owner", numbered.client)).items.map((item) => item.orderId);
  await payByPix(numbered, { changes: { orderId: "PED-1192" } });
  await payByPix(numbered, { changes: { orderId: "PED-1193" } });
  await bought(numbered, { changes: { orderId: "web/0077" } });
  expect(await found("1192")).toEqual(["PED-1192"]);
  expect(await found("77")).toEqual(["web/0077"]);
  expect(await found("1192 pago")).toEqual([]);
});

describe("the beginning of an order's number", () => {
  test("finds what begins so, however it is written, unless an order is written exactly so", async () => {
    const numbered = await withMerchant(await openClient());
    const found = async (search: string, filters: ListFilters = {}) =>
      (await page({ search, ...filters }, "owner", numbered.client)).items.map((item) => item.orderId);
    await payByPix(numbered, { changes: { orderId: "REV-19" } });
    await bought(numbered, { changes: { orderId: "REV-190" } });
    await payByPix(numbered, { changes: { orderId: "web-19" } });
    for (const typed of ["REV-", "rev", "Rev 1", "REV-1"]) expect(await found(typed), typed).toContain("REV-190");
    expect(await found("REV-1")).toEqual(["REV-190", "REV-19"]);
    expect(await found("REV-1 pix")).toEqual(["REV-19"]);
    expect(await found("REV-19")).toEqual(["REV-19"]);
    expect(await found("EV-1")).toEqual([]);
    expect((await page({ search: "REV-" }, "owner", other)).items).toEqual([]);
  });

  test("that more orders share than are named one by one finds all of them", async () => {
    const many = await withMerchant(await openClient());
    const { id } = (await payByPix(many, { changes: { orderId: "PED-0" } })).body;
    await payByPix(many, { changes: { orderId: "web-1" } });
    await systemSql()`
      insert into charges select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
             'order_id', 'PED-1' || n, 'created_at', c.created_at - make_interval(mins => n::int)))).*
        from charges c, generate_series(1, ${MOST_NAMED}) n where c.id = ${id}`;
    const read = await page({ search: "PED-" }, "owner", many.client);
    expect([read.items[0]?.id, read.items.length, read.counted]).toEqual([id, 25, MOST_NAMED + 1]);
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
