import type { REVIEW_STATUSES } from "@/db/schema/sellers";
import { defineMachine } from "@/lib/machine";

export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** spec/contract.md 13.6. A provider may end a review that nobody answered, and the answer of one it never saw. */
export const reviewMachine = defineMachine<ReviewStatus>("registration review", [
  ["G1", "opened", "review.submitted", "submitted"],
  ["G2", "submitted", "review.approved", "approved"],
  ["G3", "submitted", "review.reopened", "opened"],
  ["G4", "submitted", "review.rejected", "rejected"],
  ["G5", "opened", "review.expired", "expired"],
  ["G6", "opened", "review.approved", "approved"],
  ["G7", "opened", "review.rejected", "rejected"],
]);
