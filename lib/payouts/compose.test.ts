import { expect, test } from "vitest";
import { compose, type ReadyRow } from "@/lib/payouts/compose";

const sale = (id: string, paymentArrangement: string | null, paymentMethod = "credit"): ReadyRow => ({
  id,
  type: "credit",
  chargeId: `charge-${id}`,
  gross: 10_000,
  fee: 0,
  anticipationFee: 0,
  paymentMethod,
  paymentArrangement,
});

test("what a seller sold by three brands leaves on one day as three transfers, each less its own withdrawal fee", () => {
  let made = 0;
  const terms = { planId: "plan", withdrawalFee: 367, minimumPayout: 0 };
  const rows = [sale("1", "VCC"), sale("2", "MCC"), sale("3", "ECC"), sale("4", "VCC")];
  const batches = compose(rows, [], [], terms, () => `batch-${++made}`);
  expect(batches.map(({ group, status, amounts }) => [group.arrangement, status, amounts.finalBalance])).toEqual([
    ["ECC", "pending", 9_633],
    ["MCC", "pending", 9_633],
    ["VCC", "pending", 19_633],
  ]);
});
