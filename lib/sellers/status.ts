import type { SellerStatus, sellerRegistrations, sellerReviews } from "@/db/schema/sellers";

export interface StatusFacts {
  registrations: readonly Pick<typeof sellerRegistrations.$inferSelect, "status">[];
  reviews: readonly Pick<typeof sellerReviews.$inferSelect, "status" | "closedAt">[];
  /** By the client itself. */
  isSwitchedOff: boolean;
}

/** What a seller is follows from what is known of it, and from nothing else (spec/settlement.md section 6). */
export function statusOf({ registrations, reviews, isSwitchedOff }: StatusFacts): SellerStatus {
  const all = (...statuses: string[]) =>
    registrations.length > 0 && registrations.every(({ status }) => statuses.includes(status));
  const some = (status: string) => registrations.some((one) => one.status === status);
  const lastClosed = reviews
    .filter(({ closedAt }) => closedAt !== null)
    .toSorted((a, b) => (b.closedAt?.getTime() ?? 0) - (a.closedAt?.getTime() ?? 0));
  if (isExpired(lastClosed) || all("blocked")) return "blocked";
  if (isSwitchedOff || lastClosed[0]?.status === "rejected" || !(some("active") || some("pending"))) return "inactive";
  if (all("active")) return "active";
  return some("active") ? "partial" : "pending";
}

/** A review ran out of time, and none that ended later was approved. */
function isExpired(newestFirst: StatusFacts["reviews"]): boolean {
  const approved = newestFirst.findIndex(({ status }) => status === "approved");
  const since = approved < 0 ? newestFirst : newestFirst.slice(0, approved);
  return since.some(({ status }) => status === "expired");
}
