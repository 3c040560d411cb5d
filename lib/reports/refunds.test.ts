import { beforeAll, expect, test } from "vitest";
import { REPORT_TYPES } from "@/db/schema/reports";
import { madeReport, textOf } from "@/lib/reports/testing";
import { acceptedColumns, offeredColumns, sourceOf } from "@/lib/reports/types/registry";
import { openClient } from "@/lib/testing/api";
import { payByCard, payByPix, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";

let shop: Shop;
const ids: Record<"whole" | "part" | "inTwo" | "released" | "expired", string> = {
  whole: "",
  part: "",
  inTwo: "",
  released: "",
  expired: "",
};

beforeAll(async () => {
  shop = await withMerchant(await openClient());
  const { client } = shop;
  const pay = async (amount: number, capture = true): Promise<string> =>
    (await payByCard(shop, { amount, capture })).body.id;
  ids.inTwo = await pay(32_500);
  await voidIt(client, ids.inTwo, { amount: 10_050 });
  await voidIt(client, ids.inTwo, { amount: 22_450 });
  ids.whole = await pay(2_000);
  await voidIt(client, ids.whole);
  ids.part = await pay(12_345);
  await voidIt(client, ids.part, { amount: 2_345 });
  ids.released = await pay(4_000, false);
  await voidIt(client, ids.released);
  ids.expired = (await payByPix(shop, { amount: 700 })).body.id;
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P3D" } });
}, 60_000);

const rowsOf = async (fields: string[], filters = {}, language = "pt-BR"): Promise<string[][]> => {
  const changes = { fields, filters, amounts: "decimal", delimiter: "semicolon", bom: false };
  const report = await madeReport(shop.client, changes, { headers: { "accept-language": language } });
  if (report.status === "empty") return [];
  return (await textOf(shop.client, report))
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(";"));
};

test("nothing remains of what was refunded whole, whatever the API's amount still says", async () => {
  const fields = ["transaction__id", "transaction__refunded_amount", "transaction__amount_after_refunds"];
  const [labels, ...rows] = await rowsOf(fields);
  expect(labels?.slice(1)).toEqual(["Valor reembolsado", "Valor após reembolsos"]);
  expect(Object.fromEntries(rows.map(([id, ...amounts]) => [id, amounts]))).toEqual({
    [ids.inTwo]: ["325,00", "0,00"],
    [ids.whole]: ["20,00", "0,00"],
    [ids.part]: ["23,45", "100,00"],
    [ids.released]: ["0,00", "0,00"],
    [ids.expired]: ["0,00", "0,00"],
  });
});

test("no heading calls an amount final that a full refund leaves as it was", () => {
  const labels = REPORT_TYPES.flatMap((type) => acceptedColumns(sourceOf(type)).map(({ pt = "" }) => pt));
  expect(labels.filter((label) => /final/i.test(label) && /valor/i.test(label))).toEqual([]);
});

test("a refund, a released authorization and an expired payment are told apart, in the language of the report", async () => {
  const said = async (language: string) =>
    Object.fromEntries((await rowsOf(["transaction__id", "transaction__state"], {}, language)).slice(1));
  expect(await said("pt-BR")).toEqual({
    [ids.inTwo]: "Reembolsado",
    [ids.whole]: "Reembolsado",
    [ids.part]: "Pago",
    [ids.released]: "Liberado",
    [ids.expired]: "Expirado",
  });
  expect((await said("en"))[ids.released]).toBe("Voided");
});

test("a report is narrowed by the states of the list, and the API's own statuses stay what they were", async () => {
  const found = async (filters: object): Promise<string[]> =>
    (await rowsOf(["transaction__id"], filters)).slice(1).flat().sort();
  const of = (...names: (keyof typeof ids)[]): string[] => names.map((name) => ids[name]).sort();
  expect(await found({ transactionState: ["refunded"] })).toEqual(of("inTwo", "whole", "part"));
  expect(await found({ transactionState: ["released"] })).toEqual(of("released"));
  expect(await found({ transactionState: ["expired"] })).toEqual(of("expired"));
  expect(await found({ transactionState: ["released", "authorized"] })).toEqual(of("released", "part"));
  expect(await found({ transactionStatus: ["voided"] })).toEqual(of("inTwo", "whole", "released"));
});

test("`all` stays the contract's; the dashboard offers what people need behind it", () => {
  const { columns } = sourceOf("transactions");
  expect(columns).toHaveLength(48);
  const offered = offeredColumns(sourceOf("transactions")).map(({ id }) => id);
  expect(offered).toHaveLength(52);
  expect(offered[offered.indexOf("transaction__status") + 1]).toBe("transaction__state");
});
