import { expect, test } from "vitest";
import { openClient } from "@/lib/testing/api";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { isProof, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { bought, changePurchase, work } from "@/lib/testing/purchases";

const ROUNDS = 200;
const RACERS = 50;
const ACCEPTED = 202;
const CONFLICT = 409;

/** Captures, voids and refunds of one purchase at once; the answers that are not a refusal of the race. */
async function round(shop: Shop): Promise<number[]> {
  const { id, payments } = await bought(shop, { capture: false });
  const chargeId = payments[0]?.chargeId ?? "";
  const racers = Array.from({ length: RACERS }, (_, index) => {
    if (index % 3 === 2) return shop.client.call("POST", `/v1/charges/${chargeId}/void`, { body: { amount: 100 } });
    return changePurchase(shop.client, id, index % 3 === 0 ? "capture" : "void");
  });
  const statuses = (await Promise.all(racers)).map(({ status }) => status);
  await work(shop.client);
  return statuses.filter((status) => status !== CONFLICT);
}

test.runIf(isProof())(
  "capture beside void beside refund: one of fifty is accepted",
  {
    timeout: proofTimeout(),
  },
  async () => {
    const rounds = proofRuns(ROUNDS);
    const shop = await withMerchant(await openClient());
    const violations: string[] = [];
    const figures = { racers: 0, accepted: 0 };
    for (let nth = 0; nth < rounds; nth++) {
      const won = await round(shop);
      figures.racers += RACERS;
      figures.accepted += won.filter((status) => status === ACCEPTED).length;
      if (won.length !== 1 || won[0] !== ACCEPTED) violations.push(`round ${nth + 1}: ${won.join(", ") || "nobody"}`);
    }
    recordProof({ ran: rounds, violations, figures });
    expect(violations).toEqual([]);
  },
);
