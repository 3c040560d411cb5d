import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import type { ListState } from "@/lib/charges/list-states";
import { inSnapshot } from "@/lib/context";
import { countStates, type ListFilters, listPayments } from "@/lib/search/payments";
import { openClient } from "@/lib/testing/api";
import { capture, payByCard, payByPix, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { advance, bought, changePurchase, work } from "@/lib/testing/purchases";

let shop: Shop;
const made: Record<string, string> = {};

const page = async (filters: ListFilters) => listPayments(await shop.client.context(), "owner", filters);
/** By what they are called here, in the order of making. */
const found = async (filters: ListFilters): Promise<string[]> => {
  const ids = new Set((await page(filters)).items.map(({ id }) => id));
  return Object.keys(made).filter((name) => ids.has(made[name] ?? ""));
};
const paid = async (amount: number): Promise<string> => (await payByCard(shop, { amount, capture: true })).body.id;
const held = async (): Promise<string> => (await payByCard(shop)).body.id;

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  const { client } = shop;
  made.paid = await paid(1_000);
  made.whole = await paid(2_000);
  await voidIt(client, made.whole);
  made.part = await paid(3_000);
  await voidIt(client, made.part, { amount: 500 });
  made.held = await held();
  made.released = await held();
  await voidIt(client, made.released);
  made.releasing = await held();
  await voidIt(client, made.releasing, {}, { scenario: "fault=drop_request;step=void" });
  made.captured = await held();
  await capture(client, made.captured);
  made.purchase = (await bought(shop, { capture: true })).id;
  const part = await bought(shop, { capture: true });
  made.purchasePart = part.id;
  await voidIt(client, part.payments[0]?.chargeId ?? "", { amount: 700 });
  made.purchaseWhole = (await bought(shop, { capture: true })).id;
  await changePurchase(client, made.purchaseWhole, "void");
  made.purchaseReleased = (await bought(shop)).id;
  await changePurchase(client, made.purchaseReleased, "void");
  await work(client);
}, 60_000);

describe("expired", () => {
  test("is what waited for its buyer until its time was over, as its badge says", async () => {
    const own = await withMerchant(await openClient());
    const pix = async (): Promise<string> => (await payByPix(own)).body.id;
    const [runOut, closed] = [await pix(), await pix()];
    await voidIt(own.client, closed);
    await voidIt(own.client, (await payByCard(own)).body.id);
    await advance(own.client, "P3D");
    const waiting = await pix();
    const ids = async (filters: ListFilters) =>
      (await listPayments(await own.client.context(), "owner", filters)).items.map(({ id }) => id);
    const all = (await listPayments(await own.client.context(), "owner", {})).items;
    const shown = all.flatMap((item) => (item.kind === "charge" && item.hasRunOut ? [item.id] : []));
    expect(shown).toEqual([runOut]);
    expect(await ids({ status: ["expired"] })).toEqual([runOut]);
    expect(await ids({ search: "expirada" })).toEqual([runOut]);
    expect(await ids({ search: "vencido" })).toEqual([runOut]);
    expect(await ids({ search: "expired pix" })).toEqual([runOut]);
    expect(await ids({ status: ["canceled"] })).toEqual([closed, runOut]);
    expect(await ids({ status: ["expired", "pending"] })).toEqual([waiting, runOut]);
  });
});

const REFUNDED = ["whole", "part", "purchasePart", "purchaseWhole"];
const CANCELED = ["released", "releasing", "purchaseReleased"];

describe("a tab of the list", () => {
  test.each<[string, readonly ListState[], string[]]>([
    [
      "refunded holds what was refunded wholly or in part, and no authorization that was released",
      ["refunded"],
      REFUNDED,
    ],
    ["canceled holds those, beside canceled purchases", ["canceled", "released"], CANCELED],
    [
      "paid holds what was refunded in part too",
      ["authorized"],
      ["paid", "part", "captured", "purchase", "purchasePart"],
    ],
    [
      "of two states holds both",
      ["refunded", "pre_authorized"],
      [...REFUNDED.slice(0, 2), "held", ...REFUNDED.slice(2)],
    ],
    [
      "of all that was voided holds both kinds",
      ["refunded", "released"],
      ["whole", "part", "released", "releasing", "purchasePart", "purchaseWhole"],
    ],
  ])("%s", async (_what, status, wanted) => {
    const { counted } = await page({ status });
    expect(await found({ status })).toEqual(wanted);
    expect(counted).toBe(wanted.length);
    expect(await countStates(await shop.client.context(), "owner", {}, [status])).toEqual([wanted.length]);
  });

  test("refunded sums up what was refunded", async () => {
    const { sums, items } = await page({ status: ["refunded"] });
    const refunded = items.reduce((sum, row) => sum + row.refundedAmount, 0);
    expect([sums?.refunded, refunded]).toEqual([2_000 + 500 + 700 + 10_001, 2_000 + 500 + 700 + 10_001]);
  });
});

describe("a word in the search", () => {
  test.each([
    ["reembolsadas", REFUNDED],
    ["estornado", REFUNDED],
    ["refunded", REFUNDED],
    ["canceladas", CANCELED],
    ["liberadas", ["released", "releasing"]],
  ])("%s means the tab of that name", async (search, wanted) => {
    expect(await found({ search })).toEqual(wanted);
  });

  test("narrows the tab that is open: what is paid and was refunded in part is both", async () => {
    expect(await found({ search: "reembolsadas", status: ["authorized"] })).toEqual(["part", "purchasePart"]);
    expect(
      await countStates(await shop.client.context(), "owner", { search: "reembolsadas" }, [["authorized"], ["failed"]]),
    ).toEqual([2, 0]);
  });
});

/** However small the tables are here: the planner takes these where it may not read a whole table. */
test.each([
  [
    "charges",
    `select id from charges where client_id = $1 and purchase_id is null
        and (refunded_amount > 0 or (status = 'refund_pending' and captured_amount > 0))
      order by created_at desc, id desc limit 26`,
    /Index (Only )?Scan Backward using charges_refunded/,
  ],
  [
    "cards of purchases",
    "select purchase_id from purchase_payments where client_id = $1 and refunded_amount > 0",
    /using purchase_payments_refunded|on purchase_payments_refunded/,
  ],
])("refunded %s are found by an index of their own, under row security", async (_what, query, index) => {
  const ctx = await shop.client.context();
  await systemSql()`analyze charges, purchase_payments`;
  const plan = await inSnapshot(ctx, async ({ db }) => {
    await db.execute("set local enable_seqscan = off");
    await db.execute("set local enable_sort = off");
    return db.execute<{ "QUERY PLAN": string }>(`explain ${query.replace("$1", `'${ctx.account.id}'`)}`);
  });
  expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(index);
});
