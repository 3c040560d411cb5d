import { expect, test } from "vitest";
import { sumScopeOf } from "@/lib/reports/manifest";

test("the sums of a report say whose rows they are of: of every status, or of those it was narrowed to", () => {
  expect(sumScopeOf({ type: "transactions", filters: {} })).toBe("all_statuses");
  expect(sumScopeOf({ type: "transactions", filters: { transactionStatus: [] } })).toBe("all_statuses");
  expect(sumScopeOf({ type: "transactions", filters: { transactionStatus: ["authorized"] } })).toBe("chosen_statuses");
  expect(sumScopeOf({ type: "purchases", filters: { status: ["paid"] } })).toBe("chosen_statuses");
  expect(sumScopeOf({ type: "ledger", filters: {} })).toBe("rows");
});
