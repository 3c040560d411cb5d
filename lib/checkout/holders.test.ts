import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newVisit } from "@/lib/checkout/visit";
import { openClient } from "@/lib/testing/api";
import { severalCards } from "@/lib/testing/buyer";
import { openLink, paymentOf, pressPay, seePayment } from "@/lib/testing/checkout";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { work } from "@/lib/testing/purchases";

let shop: Shop;
beforeAll(async () => {
  shop = await withMerchant(await openClient());
});

const ANA = "52998224725";
const BIA = "12345678909";

const byThree = async (fields: Record<string, string>) => {
  const opened = await openLink(shop);
  const outcome = await pressPay(opened, newVisit(), "cards", {
    ...severalCards(["approve", "approve", "approve"]),
    cardHolderName1: "BIA LIMA",
    document: ANA,
    count: "3",
    amount0: "35,00",
    amount1: "35,00",
    amount2: "35,00",
    ...fields,
  });
  return { opened, outcome };
};

describe("cards of several people", () => {
  test("each with its own CPF, told to the provider with that card and to nobody else", async () => {
    const { opened, outcome } = await byThree({ document1: "123.456.789-09" });
    const id = paymentOf(outcome);
    await work(shop.client);
    expect((await seePayment(opened, id)).state).toBe("paid");
    const told = await systemSql()<{ document: string }[]>`
      select t.request #>> '{payer,document}' as document
        from sandbox_calls t join charges c on c.id = t.charge_id
       where c.purchase_id = ${id} and t.operation = 'authorize' order by c.created_at, c.id`;
    expect(told.map(({ document }) => document)).toEqual([ANA, BIA, ANA]);
    const purchase = await shop.client.call("GET", `/v1/purchases/${id}`);
    expect(JSON.stringify(purchase.body)).not.toMatch(`${ANA}|${BIA}`);
  });

  test("one that is wrong is named on its card", async () => {
    const { outcome } = await byThree({ document2: "123" });
    expect(outcome).toMatchObject({ notice: { kind: "fields", fields: [{ field: "document", card: 2 }] } });
  });
});
