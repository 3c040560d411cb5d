import type { NoticeKind } from "@/lib/notices/kinds";

/** What must be true before real money is taken, in the order it is shown. */
export const CHECK_NAMES = [
  "secondFactors",
  "owners",
  "liveAccount",
  "mail",
  "notices",
  "keysScoped",
  "keysInUse",
  "publicKeys",
  "webhooks",
  "trialPaid",
  "trialDeclined",
  "trialRefunded",
  "company",
  "provider",
  "connection",
  "notification",
  "adapter",
  "flow",
  "brand",
  "payout",
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** `none`: does not apply to this account. */
export type CheckState = "done" | "todo" | "none";

export const COMPANY_FIELDS = ["name", "merchantName", "merchantUrl"] as const;
export type CompanyField = (typeof COMPANY_FIELDS)[number];

/** What was found, by the rows of this moment; each finding is a sentence of its own. */
export interface Finding {
  state: CheckState;
  detail: DetailName;
  /** How many, and of how many. */
  count?: number;
  all?: number;
  names?: readonly string[];
  fields?: readonly CompanyField[];
  kinds?: readonly NoticeKind[];
  at?: Date;
  /** The day an adapter was proven. */
  day?: string;
  /** What a provider answered, in its own word. */
  words?: string;
}

export type DetailName =
  | "factorsAll"
  | "factorsMissing"
  | "ownersEnough"
  | "ownersOne"
  | "liveThis"
  | "liveYours"
  | "liveNone"
  | "mailServer"
  | "mailKept"
  | "noticesRead"
  | "noticesUnread"
  | "keysNone"
  | "keysAllScoped"
  | "keysUnscoped"
  | "keysAllInUse"
  | "keysIdle"
  | "publicNone"
  | "publicNarrow"
  | "publicWide"
  | "webhooksNotNeeded"
  | "webhooksNone"
  | "webhooksPlain"
  | "webhooksUntried"
  | "webhooksFailing"
  | "webhooksDelivered"
  | "trialDone"
  | "trialMissing"
  | "trialDoneIn"
  | "trialMissingIn"
  | "trialNoSandbox"
  | "companyComplete"
  | "companyLacks"
  | "companyPlain"
  | "providerActive"
  | "providerNone"
  | "providerSimulated"
  | "providerPaused"
  | "providerUnreachable"
  | "connectionPassed"
  | "connectionFailed"
  | "connectionUntested"
  | "connectionUntestable"
  | "notificationCame"
  | "notificationNone"
  | "adapterLive"
  | "adapterPaid"
  | "adapterOffline"
  | "adapterUnproven"
  | "flowActive"
  | "flowNone"
  | "flowOneProvider"
  | "brandSet"
  | "brandNone"
  | "payoutFile"
  | "payoutSandbox"
  | "payoutByHand"
  | "payoutNoAccount"
  | "payoutNoSellers";

export interface Check extends Finding {
  name: CheckName;
  /** Of checks that each provider has. */
  provider?: { id: string; name: string; kind: string };
}

export const checkOf = (name: CheckName, finding: Finding): Check => ({ name, ...finding });
