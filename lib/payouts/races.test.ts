import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { cutBatches } from "@/lib/payouts/cut";
import { payPrepayments } from "@/lib/prepayments/pay";
import { releaseDue } from "@/lib/receivables/release";
import { openClient } from "@/lib/testing/api";
import { payByCard, voidIt, withMerchant } from "@/lib/testing/payments";
import { broken, to } from "@/lib/testing/payouts";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { openSellers } from "@/lib/testing/sellers";

const IN_SUITE = 1;
const RACERS = 100;
const PATH = "/v1/subacquirer/prepayment";
/** The first instalment of a card sale has come, the second has not. */
const DAYS_LATER = 35;

/**
 * A hundred confirm one prepayment, a few confirm others of the same receivables, while these are released, paid early,
 * given back and cut into batches.
 */
test("release, batch, prepayment and a hundred confirmations at once: one wins, and no cent is there twice", {
  timeout: proofTimeout(120_000),
}, async () => {
  const [runs, from] = [proofRuns(IN_SUITE), proofFrom()];
  const violations: string[] = [];
  const figures = { racers: 0 };
  for (let nth = 0; nth < runs; nth++) {
    for (const wrong of await race(from + nth)) violations.push(`round ${from + nth}: ${wrong}`);
    figures.racers += RACERS;
  }
  recordProof({ ran: runs, violations, figures });
  expect(violations).toEqual([]);
});

async function race(round: number): Promise<string[]> {
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const transferPolicy = { transferInterval: "daily", transferDay: 0, transferEnabled: true };
  const [sellerId = ""] = await openSellers(client, merchant.id, 1, {
    transferPolicy,
    // What is given back is the seller's, whether or not it was paid out by then.
    minNegativeBalance: 1_000_000,
  });
  const splitRules = [{ sellerId, amount: 90_000 + round }];
  const changes = { paymentMethod: { paymentType: "credit", installments: 3 }, splitRules };
  const { body: charge } = await payByCard(shop, { amount: 90_000 + round, capture: true, changes });
  const day = nextBankDay(saoPauloDay(new Date(Date.now() + DAYS_LATER * 86_400_000)));
  await to(client, day, "12:00:00");
  const priced = async (): Promise<string> =>
    (await client.make<{ id: string }>("POST", PATH, { body: { endDate: "2099-12-31", sellerId } })).id;
  const [one, other, another] = [await priced(), await priced(), await priced()];
  const ctx = await client.context();
  const confirm = (id: string) => client.call("POST", `${PATH}/${id}/commit`, { body: {} });
  const far = "2999-12-31";
  const isGivenBack = round % 2 === 0;
  const replies = Promise.all([
    ...Array.from({ length: RACERS }, () => confirm(one)),
    confirm(other),
    confirm(another),
  ]);
  const others = [
    releaseDue(ctx, merchant.id, far),
    payPrepayments(ctx, merchant.id, far),
    cutBatches(ctx, merchant.id, day, day),
    ...(isGivenBack ? [voidIt(client, charge.id, { amount: 30_000 })] : []),
    payPrepayments(ctx, merchant.id, far),
    releaseDue(ctx, merchant.id, far),
  ];
  const [answers] = await Promise.all([replies, ...others]);
  const wrongs: string[] = [];
  const won = answers.filter(({ status }) => status === 200);
  if (won.length > 1) wrongs.push(`${won.length} confirmations won`);
  for (const { status, error } of answers.filter((reply) => reply.status !== 200)) {
    const told = `${status} ${error?.businessCode}`;
    if (!["409 prepayment_not_pending", "422 receivables_changed"].includes(told)) wrongs.push(`refused with ${told}`);
  }
  await to(client, nextBankDay(nextBankDay(day)), "12:00:00");
  const [twice] = await systemSql()<{ n: number }[]>`
    select count(*)::int as n from receivables r where r.merchant_id = ${merchant.id} and (
      select count(*) from journals j where j.event_id in (r.charge_id || ':' || r.installment)
         or (j.event_type = 'prepayment' and j.event_id like '%:' || r.id)) > 1`;
  if (twice?.n !== 0) wrongs.push(`${twice?.n} receivables became available twice`);
  const [money] = await systemSql()<{ paid: number; cost: number }[]>`
    select coalesce(sum(final_balance + withdrawal_fee_amount) filter (where status in ('pending', 'paid')), 0)::float8 as paid,
           (select coalesce(sum(anticipation_fee), 0)::float8 from receivables where merchant_id = ${merchant.id}) as cost
      from payout_batches where merchant_id = ${merchant.id} and seller_id is not null`;
  const { available } = await client.make<{ available: number }>("GET", `/v1/payouts/balance?sellerId=${sellerId}`);
  const expected = 90_000 + round - (isGivenBack ? 30_000 : 0) - (money?.cost ?? 0);
  if ((money?.paid ?? 0) + available !== expected)
    wrongs.push(`${money?.paid} paid and ${available} there, not ${expected}`);
  const invariants = await broken(client);
  if (invariants.length > 0) wrongs.push(`broken: ${JSON.stringify(invariants)}`);
  const open = await systemSql()<{ kind: string; subject: string }[]>`
    select kind, subject from settlement_breaks where merchant_id = ${merchant.id} and kind = 'identity'`;
  return [...wrongs, ...open.map(({ kind, subject }) => `${kind}: ${subject}`)];
}
