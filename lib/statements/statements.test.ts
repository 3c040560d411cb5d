import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { nextBankDay } from "@/lib/brazil/bank-calendar";
import { readPdf } from "@/lib/payment-documents/testing";
import { endAdjustment, proposeAdjustment } from "@/lib/payouts/adjustments";
import { endMark, markableOf, proposeMark, type TransferMark } from "@/lib/payouts/marking";
import { openProposals } from "@/lib/proposals/service";
import { statementFile } from "@/lib/statements/document";
import { monthlyStatement } from "@/lib/statements/service";
import type { List } from "@/lib/testing/api-client";
import { onPayday, to } from "@/lib/testing/payouts";
import { person } from "@/lib/testing/people";

/** What the books moved of a party's own money, but for payouts on their way and back. */
async function moved(merchantId: string, sellerId: string | null): Promise<number> {
  const [row] = await systemSql()<{ amount: number }[]>`
    select sum(case when a.id = x.credit_account then x.amount else -x.amount end)::int as amount
      from transfers x join ledger_accounts a on a.id in (x.debit_account, x.credit_account)
      join ledger_accounts o on o.id in (x.debit_account, x.credit_account) and o.id <> a.id
     where a.merchant_id = ${merchantId} and a.seller_id is not distinct from ${sellerId}
       and a.kind = any(${["seller_pending", "seller_available", "merchant_pending", "merchant_available"]})
       and o.kind <> 'payout_in_transit'`;
  return row?.amount ?? 0;
}

test("a month says the prices of transfers, what banks gave back, and what people adjusted", {
  timeout: 60_000,
}, async () => {
  const { client, merchant, ids, day } = await onPayday("none", 3);
  const [a = "", b = "", c = ""] = ids;
  const [first, second] = [await person(client, "owner"), await person(client, "finance")];
  const mark = async (sellerId: string, how: TransferMark) => {
    const { items } = await client.make<List>("GET", `/v1/payouts/payment-batches?order=asc&sellerId=${sellerId}`);
    const id = items[0]?.id ?? "";
    await proposeMark(first, id, how, "as the bank's page says");
    await endMark(second, id, (await markableOf(second, id)).waiting?.id ?? "", "approved");
    return id;
  };
  const adjust = async (kind: "credit" | "correction", amount: number) => {
    await proposeAdjustment(first, c, { kind, amount }, "as agreed");
    const [waiting] = await openProposals(second, { subjectId: c });
    await endAdjustment(second, c, waiting?.id ?? "", "approved");
  };
  const batch = await mark(a, { how: "paid", bankReference: "E123", paidOn: day });
  await mark(a, { how: "returned", error: "holder_mismatch" });
  await mark(b, { how: "failed", error: "account_closed" });
  await adjust("credit", 500);
  await adjust("correction", -1_200);
  await to(client, nextBankDay(day), "04:00:00");

  const ctx = await client.context();
  const months = await systemSql()<{ month: string }[]>`
    select distinct to_char(civil_date, 'YYYY-MM') as month from journals where merchant_id = ${merchant.id}
    union select to_char(payment_date, 'YYYY-MM') from receivables where merchant_id = ${merchant.id}`;
  const of = async (sellerId: string | null) =>
    Promise.all(months.map(({ month }) => monthlyStatement(ctx, { merchantId: merchant.id, sellerId, month })));
  const fee = 367;
  for (const [sellerId, expected] of [
    [
      a,
      [
        ["returned", 10_000 - fee],
        ["transfer_fee", -fee],
      ],
    ],
    [
      b,
      [
        ["transfer_fee", -fee],
        ["transfer_fee_returned", fee],
      ],
    ],
    [
      c,
      [
        ["correction", -1_200],
        ["credit", 500],
        ["transfer_fee", -fee],
      ],
    ],
    [
      null,
      [
        ["seller_correction", 1_200],
        ["seller_credit", -500],
      ],
    ],
  ] as const) {
    const statements = await of(sellerId);
    const others = statements.flatMap((each) => each.others);
    expect(others.map(({ type, amount }) => [type, amount]).sort()).toEqual(expected);
    const sum = statements.reduce((all, { total, otherTotal }) => all + total.net + otherTotal, 0);
    expect(sum).toBe(await moved(merchant.id, sellerId));
  }
  const month = day.slice(0, "YYYY-MM".length);
  const whose = { merchantId: merchant.id, sellerId: a, month };
  const own = readPdf((await statementFile(ctx, whose, { locale: "pt-BR", role: "finance" })).content);
  expect(own.lines).toContain("Tarifa de transferência");
  expect(own.lines).toContain("Repasse devolvido pelo banco");
  expect(own.lines).toContain(batch);

  // What a later payout takes over stands among payouts: with it the month says where its money is.
  await to(client, nextBankDay(day), "12:00:00");
  const late = { merchantId: merchant.id, sellerId: c, month: nextBankDay(day).slice(0, "YYYY-MM".length) };
  const { payouts, paidOut } = await monthlyStatement(await client.context(), late);
  expect(payouts.filter(({ status }) => status === "offset").map(({ amount }) => amount)).toEqual([-700]);
  expect(paidOut).toBe(0);
  const paper = readPdf((await statementFile(await client.context(), late, { locale: "pt-BR" })).content);
  expect(paper.lines).toContain("Fica para o próximo repasse");
});
