import { getTranslations } from "next-intl/server";
import type { PathSegment } from "@/lib/http/scopes";

const AREA_TEXTS = {
  charges: "areaCharges",
  purchases: "areaPurchases",
  sessions: "areaSessions",
  customers: "areaCustomers",
  cards: "areaCards",
  tokens: "areaTokens",
  merchants: "areaMerchants",
  providers: "areaProviders",
  sellers: "areaSellers",
  subacquirer: "areaSubacquirer",
  payouts: "areaPayouts",
  vendors: "areaVendors",
  flows: "areaFlows",
  subscriptions: "areaSubscriptions",
  settings: "areaSettings",
  reports: "areaReports",
  "dry-runs": "areaDryRuns",
  explanations: "areaExplanations",
  webhooks: "areaWebhooks",
  events: "areaEvents",
  logs: "areaLogs",
  invariants: "areaInvariants",
  auth: "areaAuth",
  sandbox: "areaSandbox",
} as const satisfies Record<PathSegment, string>;

/** The areas of the API in words. */
export async function areaWords(): Promise<(segment: PathSegment) => string> {
  const t = await getTranslations("keys");
  return (segment) => t(AREA_TEXTS[segment]);
}
