import { getTranslations } from "next-intl/server";
import type { ClosurePlan, ClosureReason } from "@/lib/accounts/closure";

const REASONS = {
  payments: "reasonPayments",
  holds: "reasonHolds",
  purchases: "reasonPurchases",
  reviews: "reasonReviews",
  unexplained: "reasonUnexplained",
} as const satisfies Record<ClosureReason, string>;

const STOPS = {
  links: "stopsLinks",
  secretKeys: "stopsSecretKeys",
  publicKeys: "stopsPublicKeys",
  webhooks: "stopsWebhooks",
  members: "stopsMembers",
} as const satisfies Record<keyof ClosurePlan["stops"], string>;

export async function reasonWords(): Promise<(kind: ClosureReason, count: number) => string> {
  const t = await getTranslations("account");
  return (kind, count) => t(REASONS[kind], { count });
}

/** What closing stops, of what there is. */
export async function stopWords(stops: ClosurePlan["stops"]): Promise<string[]> {
  const t = await getTranslations("account");
  return (["secretKeys", "publicKeys", "links", "webhooks", "members"] as const)
    .filter((kind) => stops[kind] > 0)
    .map((kind) => t(STOPS[kind], { count: stops[kind] }));
}
