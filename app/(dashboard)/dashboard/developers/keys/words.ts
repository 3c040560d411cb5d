import { getTranslations } from "next-intl/server";
import { publicKeyEnd } from "@/app/(dashboard)/public-key-end";
import { realTime } from "@/app/(dashboard)/real-time";
import type { PathSegment } from "@/lib/http/scopes";
import type { PublicKeyRow } from "@/lib/public-keys/queries";
import type { AccountClock } from "@/lib/time";

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

const isArea = (scope: string): scope is PathSegment => Object.hasOwn(AREA_TEXTS, scope);

/** What a public key may do, in words. */
export async function scopeWords(): Promise<(scope: string) => string> {
  const [t, area] = await Promise.all([getTranslations("keys"), areaWords()]);
  return (scope) => (scope === "*" ? t("scopeBuyer") : isArea(scope) ? area(scope) : scope);
}

/** What a public key is called, which has no name of its own. */
export async function publicKeyWords(
  clock: AccountClock | undefined,
): Promise<(key: Pick<PublicKeyRow, "publicKey" | "createdAt">) => string> {
  const [t, real] = await Promise.all([getTranslations("keys"), realTime(clock)]);
  return ({ publicKey, createdAt }) =>
    t("publicNamed", { end: publicKeyEnd(publicKey), date: real.text(createdAt, true) });
}
