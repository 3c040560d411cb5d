import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { paymentOverview } from "@/lib/charges/overview";
import type { OperatorRole } from "@/lib/operators/sessions";
import { MOST_NAMED } from "@/lib/search/few-or";
import { countStates, listPayments } from "@/lib/search/payments";
import { openClient } from "@/lib/testing/api";
import { cardData, openCustomer, openToken, payByCard, type Shop, withMerchant } from "@/lib/testing/payments";
import { bought } from "@/lib/testing/purchases";

let shop: Shop;
let souza: string;
let maria: string;
let several: string;

const source = async (cardHolderName: string, outcome: Parameters<typeof cardData>[0] = "approve") => ({
  paymentSource: {
    sourceType: "token",
    tokenId: await openToken(shop.client, { ...cardData(outcome), cardHolderName }),
  },
});
const ids = async (search: string, role: OperatorRole = "owner", client = shop.client) =>
  (await listPayments(await client.context(), role, { search })).items.map(({ id }) => id);

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  souza = (await payByCard(shop, { changes: await source("ANA SOUZA", "decline:insufficient_funds") })).body.id;
  maria = (await payByCard(shop, { changes: await source("Ana Maria Conceicao") })).body.id;
  const payments = [];
  for (const [amount, name] of [
    [5_000, "Bento Ramos"],
    [5_001, "Clara Ramos"],
  ] as const)
    payments.push({ amount, paymentMethod: { paymentType: "credit" }, ...(await source(name)) });
  several = (await bought(shop, { changes: { payments } })).id;
  const customerId = await openCustomer(shop.client, { name: "Paula Prado", email: "paula@example.com" });
  await payByCard(shop, { changes: { customerId, ...(await source("Ana Oculta")) } });
});

describe("a payment of which only the name on the card is known", () => {
  test.each<[string, () => string[]]>([
    ["ana souza", () => [souza]],
    ["Ana", () => [maria, souza]],
    ["ana hoje recusada", () => [souza]],
    ["a compra da Ana que foi recusada", () => [souza]],
    ["ana maria conceição", () => [maria]],
    ["ana conc", () => [maria]],
    ["bento", () => [several]],
    ["clara ramos", () => [several]],
    ["ana ontem", () => []],
    ["souza", () => []],
    ["ana%", () => []],
  ])("is found by %s", async (typed, wanted) => {
    expect(await ids(typed)).toEqual(wanted());
  });

  test("is counted where it is found", async () => {
    expect(
      await countStates(await shop.client.context(), "owner", { search: "ana" }, [["failed"], ["authorized"]]),
    ).toEqual([1, 0]);
  });

  test("is not found by a name that its page does not show, because its buyer is known", async () => {
    expect(await ids("ana oculta")).toEqual([]);
  });

  test("is nothing of another account", async () => {
    expect(await ids("ana souza", "owner", await openClient())).toEqual([]);
  });

  test.each<[string, () => string[]]>([
    ["ana", () => [maria, souza]],
    ["ana s", () => [souza]],
    ["Ana S.", () => [souza]],
    ["ana so", () => []],
    ["ana souza", () => []],
    ["ana m", () => []],
    ["ana conc", () => []],
    ["bento", () => [several]],
    ["bento ramos", () => []],
  ])("is found by %s as far as it is shown to who sees names masked", async (typed, wanted) => {
    expect(await ids(typed, "viewer")).toEqual(wanted());
  });

  test("of an order on several cards names who paid, masked for who may not see it", async () => {
    const holder = async (role: OperatorRole) =>
      (await listPayments(await shop.client.context(), role, { search: several })).items.map((item) => item.holder);
    expect(await holder("owner")).toEqual(["Bento Ramos"]);
    expect(await holder("viewer")).toEqual(["Bento R."]);
  });

  test("is shown on its own page as it is in the list", async () => {
    const holder = async (role: OperatorRole) =>
      (await paymentOverview(await shop.client.context(), role, souza)).card?.holder;
    expect([await holder("owner"), await holder("viewer")]).toEqual(["ANA SOUZA", "ANA S."]);
  });
});

test("a name that more payments share than are named one by one is met while walking the list", async () => {
  await systemSql()`
    insert into charges select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
           'created_at', c.created_at - make_interval(mins => n::int)))).*
      from charges c, generate_series(1, ${MOST_NAMED}) n where c.id = ${maria}`;
  const { items, counted } = await listPayments(await shop.client.context(), "owner", { search: "ana maria" });
  expect([items[0]?.id, items.length, counted]).toEqual([maria, 25, MOST_NAMED + 1]);
  expect(await ids("ana souza")).toEqual([souza]);
});
