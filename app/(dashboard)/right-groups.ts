import type { SectionGroup } from "@/app/(dashboard)/sections";
import { OPTIONAL_RIGHTS, type Right } from "@/lib/operators/permissions";

/** Where in the navigation each right is about something. */
const GROUPS: Readonly<Record<Right, SectionGroup>> = {
  "payments.see": "operation",
  "buyers.see": "operation",
  "payments.capture": "operation",
  "payments.refund": "operation",
  "payments.recheck": "operation",
  "ledger.see": "operation",
  "disputes.see": "operation",
  "disputes.note": "operation",
  "reviews.resolve": "operation",
  "monitors.see": "operation",
  "monitors.edit": "operation",
  "links.edit": "sell",
  "customers.edit": "sell",
  "customers.delete": "sell",
  "subscriptions.see": "sell",
  "subscriptions.edit": "sell",
  "brand.edit": "sell",
  "protection.edit": "sell",
  "sellers.see": "money",
  "sellers.edit": "money",
  "sellers.documents": "money",
  "sellers.bank": "money",
  "plans.edit": "money",
  "payouts.see": "money",
  "payouts.hold": "money",
  "payouts.mark": "money",
  "finance.see": "money",
  "finance.settle": "money",
  "finance.adjust": "money",
  "prepayment.simulate": "money",
  "prepayment.commit": "money",
  "reports.create": "money",
  "reports.personal": "money",
  "flows.see": "routing",
  "flows.edit": "routing",
  "flows.activate": "routing",
  "merchants.see": "routing",
  "merchants.edit": "routing",
  "providers.pause": "routing",
  "keys.manage": "developers",
  "webhooks.see": "developers",
  "webhooks.resend": "developers",
  "webhooks.edit": "developers",
  "requests.see": "developers",
  "sandbox.control": "developers",
  "proof.see": "account",
  "audit.see": "account",
  "audit.all": "account",
  "team.manage": "account",
};

const GROUP_NAMES: readonly SectionGroup[] = ["operation", "sell", "money", "routing", "developers", "account"];

/** What a role of an account's own may have, by the groups of the navigation and in their order. */
export const groupedRights = (): { group: SectionGroup; rights: Right[] }[] =>
  GROUP_NAMES.map((group) => ({ group, rights: OPTIONAL_RIGHTS.filter((right) => GROUPS[right] === group) }));
