import {
  BadgeCheck,
  BookCheck,
  FileSpreadsheet,
  FlaskConical,
  Gavel,
  HandCoins,
  House,
  KeyRound,
  Landmark,
  Link2,
  ListChecks,
  type LucideIcon,
  Repeat,
  Scale,
  ScrollText,
  Settings,
  ShieldQuestion,
  Split,
  Store,
  UsersRound,
  WalletCards,
  Webhook,
} from "lucide-react";
import { getTranslations } from "next-intl/server";
import type { AttentionKind } from "@/lib/insights/attention";
import { may, type Right } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

/** The groups of the navigation, in their order, with their titles; one without a section that is open is left out. */
export const SECTION_GROUPS = {
  operation: "groupOperation",
  sell: "groupSell",
  money: "groupMoney",
  routing: "groupRouting",
  developers: "groupDevelopers",
  account: "groupAccount",
} as const;
export type SectionGroup = keyof typeof SECTION_GROUPS;

interface SectionEntry {
  /** Its title is the message of this name in `dashboard`. */
  name: string;
  href: string;
  /** Follows `g` on the keyboard; see the design for letters not yet taken. */
  letter: string;
  group: SectionGroup;
  icon: LucideIcon;
  /** What opens it; null is everybody's. */
  right: Right | null;
  /** What waits there for a person and is counted beside the name. */
  waiting?: readonly AttentionKind[];
  only?: "sandbox";
}

/** Every section, in its order: one line here and one message in each language make a new one. */
export const SECTIONS = [
  { name: "home", href: "/dashboard", letter: "h", group: "operation", icon: House, right: null },
  {
    name: "payments",
    href: "/dashboard/payments",
    letter: "p",
    group: "operation",
    icon: WalletCards,
    right: "payments.see",
  },
  {
    name: "reviews",
    href: "/dashboard/reviews",
    letter: "v",
    group: "operation",
    icon: ShieldQuestion,
    right: "payments.see",
    // Everything that its page lists (lib/insights/waiting.ts).
    waiting: ["charges_in_review", "purchases_in_review", "second_person", "not_returned", "kept_apart", "unanswered"],
  },
  {
    name: "disputes",
    href: "/dashboard/disputes",
    letter: "i",
    group: "operation",
    icon: Gavel,
    right: "disputes.see",
    waiting: ["chargebacks_new"],
  },
  {
    name: "links",
    href: "/dashboard/links",
    letter: "l",
    group: "sell",
    icon: Link2,
    right: "payments.see",
    waiting: ["links_failing"],
  },
  {
    name: "customers",
    href: "/dashboard/customers",
    letter: "k",
    group: "sell",
    icon: UsersRound,
    right: "payments.see",
  },
  {
    name: "subscriptions",
    href: "/dashboard/subscriptions",
    letter: "s",
    group: "sell",
    icon: Repeat,
    right: "subscriptions.see",
  },
  {
    name: "sellers",
    href: "/dashboard/sellers",
    letter: "e",
    group: "money",
    icon: HandCoins,
    right: "sellers.see",
    waiting: ["seller_reviews", "seller_accounts", "adjustments_waiting"],
  },
  {
    name: "payouts",
    href: "/dashboard/payouts",
    letter: "b",
    group: "money",
    icon: Landmark,
    right: "payouts.see",
    waiting: ["payouts_waiting", "prepayments_waiting", "payouts_failed", "payouts_overdue", "sellers_held"],
  },
  {
    name: "finance",
    href: "/dashboard/finance",
    letter: "f",
    group: "money",
    icon: Scale,
    right: "finance.see",
    waiting: ["discrepancies_open"],
  },
  {
    name: "reports",
    href: "/dashboard/reports",
    letter: "j",
    group: "money",
    icon: FileSpreadsheet,
    right: "reports.create",
  },
  { name: "flows", href: "/dashboard/flows", letter: "r", group: "routing", icon: Split, right: "flows.see" },
  {
    name: "merchants",
    href: "/dashboard/merchants",
    letter: "m",
    group: "routing",
    icon: Store,
    right: "merchants.see",
    waiting: ["credentials_proposed"],
  },
  {
    name: "keys",
    href: "/dashboard/developers/keys",
    letter: "y",
    group: "developers",
    icon: KeyRound,
    right: "keys.manage",
  },
  {
    name: "webhooks",
    href: "/dashboard/developers/webhooks",
    letter: "w",
    group: "developers",
    icon: Webhook,
    right: "webhooks.see",
    waiting: ["webhooks_stopped", "webhooks_failing"],
  },
  {
    name: "requests",
    href: "/dashboard/developers/requests",
    letter: "d",
    group: "developers",
    icon: ScrollText,
    right: "requests.see",
  },
  {
    name: "sandbox",
    href: "/dashboard/developers/sandbox",
    letter: "x",
    group: "developers",
    icon: FlaskConical,
    right: "sandbox.control",
    only: "sandbox",
  },
  {
    name: "goingLive",
    href: "/dashboard/going-live",
    letter: "c",
    group: "account",
    icon: ListChecks,
    right: "merchants.see",
  },
  {
    name: "proof",
    href: "/dashboard/proof",
    letter: "o",
    group: "account",
    icon: BadgeCheck,
    right: "proof.see",
    waiting: ["invariants_broken"],
  },
  { name: "audit", href: "/dashboard/audit", letter: "u", group: "account", icon: BookCheck, right: "audit.see" },
  { name: "settings", href: "/dashboard/settings", letter: "t", group: "account", icon: Settings, right: null },
] as const satisfies readonly SectionEntry[];

export type Section = (typeof SECTIONS)[number];

/** Without an account there is nothing to open but the page that says so. */
export const sectionsFor = (account: { role: OperatorRole; mode: "sandbox" | "live" } | undefined): Section[] =>
  SECTIONS.filter((section) => {
    if (!account) return section.name === "home";
    if ("only" in section && section.only !== account.mode) return false;
    return section.right === null || may(account.role, section.right);
  });

export async function sectionNamer(): Promise<(section: Section) => string> {
  const t = await getTranslations("dashboard");
  return ({ name }) => t(name);
}

export async function groupNamer(): Promise<(group: SectionGroup) => string> {
  const t = await getTranslations("dashboard");
  return (group) => t(SECTION_GROUPS[group]);
}
