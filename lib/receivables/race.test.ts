import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { releaseDue } from "@/lib/receivables/release";
import { openClient } from "@/lib/testing/api";
import { type ChargeReply, payByCard, withMerchant } from "@/lib/testing/payments";
import { broken } from "@/lib/testing/payouts";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { advance } from "@/lib/testing/purchases";
import { openSellers } from "@/lib/testing/sellers";
import { drawsFor } from "@/lib/testing/simulator/seeded";

const IN_SUITE = 2;
const RACERS = 100;
const REFUSED = 300;
/** Whoever comes too late, or finds somebody else at work. */
const LOST: ReadonlySet<string | undefined> = new Set([
  "charge_operation_in_progress",
  "charge_invalid_state",
  "amount_exceeds_remaining",
  "invalid_status_transition",
]);

test(`${RACERS} racers give back and dispute one split sale: all that was accepted is taken once, from who owes it`, {
  timeout: proofTimeout(120_000),
}, async () => {
  const violations: string[] = [];
  const figures = { racers: 0, accepted: 0 };
  const [runs, first] = [proofRuns(IN_SUITE), proofFrom()];
  for (let round = first; round < first + runs; round++) {
    const { accepted, wrongs } = await race(round);
    figures.racers += RACERS;
    figures.accepted += accepted;
    violations.push(...wrongs.map((wrong) => `round ${round + 1}: ${wrong}`));
  }
  recordProof({ ran: runs, violations, figures });
  expect(violations).toEqual([]);
  expect(figures.accepted).toBeGreaterThan(runs);
});

async function race(round: number) {
  const draws = drawsFor(`split race ${round}`);
  const shop = await withMerchant(await openClient());
  const { client, merchant } = shop;
  const transferPolicy = { transferInterval: "daily", transferDay: 0, transferEnabled: false };
  const sellers = await openSellers(client, merchant.id, 2, { transferPolicy, minNegativeBalance: 300 });
  const [a, b] = sellers;
  const splitRules = [
    { sellerId: a, percentage: 55.5, liable: true, processingFee: true },
    { sellerId: b, percentage: 24.25, liable: draws.chance(0.5), fares: { mdr: 2.5, fee: 7 } },
  ];
  const paymentMethod = { paymentType: "credit", installments: 3 };
  const { body: charge } = await payByCard(shop, {
    amount: 9_999,
    capture: true,
    changes: { splitRules, paymentMethod },
  });
  // What is taken waits in one round, and was released in the next.
  if (round % 2 === 1) await releaseDue(await client.context(), merchant.id, "2999-12-31");
  const asked = Array.from({ length: RACERS }, () => ({
    isRefund: draws.chance(0.6),
    amount: draws.between(1, 1_500),
    sellers: draws.chance(0.3) ? { splitRules: [{ sellerId: a, amount: 1 }] } : {},
  }));
  const replies = await Promise.all(
    asked.map(({ isRefund, amount, sellers: by }) =>
      isRefund
        ? client.call<ChargeReply>("POST", `/v1/charges/${charge.id}/void`, { body: { amount, ...by } })
        : client.call<ChargeReply>("POST", `/v1/sandbox/charges/${charge.id}/chargeback`, { body: { amount } }),
    ),
  );
  await advance(client, "PT2H");
  const taken = { refunds: 0, disputes: 0 };
  const wrongs: string[] = [];
  for (const [at, { status, error, body }] of replies.entries()) {
    const { isRefund = false, amount = 0 } = asked[at] ?? {};
    if (status >= REFUSED) {
      if (!LOST.has(error?.businessCode)) wrongs.push(`answered ${status} ${error?.businessCode}`);
    } else if (!body.error) taken[isRefund ? "refunds" : "disputes"] += amount;
  }
  const [row] = await systemSql()<{ refunded: number; disputed: number; there: number }[]>`
    select c.refunded_amount::int as refunded, c.charged_back_amount::int as disputed,
           coalesce((select sum(m.amount) from sandbox_movements m join sandbox_transactions t on t.id = m.transaction_id
                      where t.charge_id = c.id and m.kind = 'refund'), 0)::int as there
      from charges c where c.id = ${charge.id}`;
  if (row?.refunded !== taken.refunds || row.there !== taken.refunds)
    wrongs.push(
      `${taken.refunds} given back as answered, ${row?.refunded} in the books, ${row?.there} at the provider`,
    );
  if (row?.disputed !== taken.disputes) wrongs.push(`${taken.disputes} disputed, ${row?.disputed} in the books`);
  for (const each of await broken(client)) wrongs.push(JSON.stringify(each));
  const accepted = replies.filter(({ status, body }) => status < REFUSED && !body.error).length;
  return { accepted, wrongs };
}
