import { expect, test } from "vitest";
import { observeStatements, type SentStatement, systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { post } from "@/lib/ledger/post";
import { capture } from "@/lib/receivables/book";
import { captureMovement } from "@/lib/receivables/movements";
import { openClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";

const sent: SentStatement[] = [];
observeStatements((statement) => sent.push(statement));

test("24 instalments of 10 sellers are one statement, journals and transfers with them", async () => {
  const shop = await withMerchant(await openClient());
  const changes = { paymentMethod: { paymentType: "credit", installments: 24 } };
  const { body: charge } = await payByCard(shop, { amount: 240_007, changes });
  const row = {
    ...charge,
    merchantId: shop.merchant.id,
    currency: "BRL",
    paymentType: "credit",
    installments: 24,
    capturedAt: null,
  };
  const shares = Array.from({ length: 10 }, (_, index) => ({
    party: index === 0 ? null : newId(),
    gross: index === 0 ? 24_007 : 24_000,
    processingFee: 0,
    fares: index === 0 ? 0 : 100,
  }));
  const drafts = capture(
    captureMovement({ row, brand: "Visa", splits: [] }, newId(), 240_007),
    shares,
    new Date("2026-11-19T15:00:00Z"),
  );
  const ctx = await shop.client.context();
  sent.length = 0;
  await inTransaction(ctx, (inside) => post(inside, drafts));
  // The log of requests is written beside it.
  const ours = sent.filter(({ pool }) => pool === "trilho_app:drizzle");
  expect(ours.filter(({ text }) => /\b(insert|update|delete|select .* from)\b/is.test(text))).toHaveLength(1);
  const [made] = await systemSql()<{ rows: number; gross: number; columns: number }[]>`
    select count(*)::int as rows, sum(gross)::int as gross,
           (select count(distinct s)::int from (select sum(gross) as s from receivables
             where charge_id = ${charge.id} group by installment) c) as columns
      from receivables where charge_id = ${charge.id}`;
  // 240,007 over 24 instalments: the first takes the 7 cents.
  expect(made).toEqual({ rows: 240, gross: 240_007, columns: 2 });
});
