import type { OPERATOR_ROLES } from "@/db/schema/operators";
import { notFound } from "@/lib/errors";

/** The roles that every account has. */
export type RoleName = (typeof OPERATOR_ROLES)[number];

/** A role of an account's own: what its origin may, with rights added and taken away. */
export interface CustomRole {
  readonly id: string;
  readonly name: string;
  readonly origin: Exclude<RoleName, "owner">;
  readonly added: readonly Right[];
  readonly removed: readonly Right[];
}

/** Of a member limited to some merchants: their role, without what concerns the whole account. */
export interface LimitedRole {
  readonly limited: RoleName | CustomRole;
}

/** Of an owner of a closed account: what was done stays to be seen, and nothing more is done. */
export interface ClosedRole {
  readonly closed: "owner";
}

/** What somebody holds in an account. */
export type OperatorRole = RoleName | CustomRole | LimitedRole | ClosedRole;

/**
 * The one table of rights: pages, actions and queries read it, and nothing else decides. A right stands here from the
 * day something needs it. A person without the right is answered as if the thing did not exist.
 */
const RIGHTS = {
  "payments.see": ["owner", "developer", "operations", "finance", "support", "viewer"],
  /** The buyer's e-mail and document in full. */
  "buyers.see": ["owner", "operations", "finance", "support"],
  /** Capture a hold, release it, close an unpaid Pix or boleto. */
  "payments.capture": ["owner", "operations", "finance", "support"],
  "payments.refund": ["owner", "operations", "finance", "support"],
  "payments.recheck": ["owner", "developer", "operations", "finance", "support"],
  "sandbox.control": ["owner", "developer", "operations"],
  "ledger.see": ["owner", "operations", "finance", "viewer"],
  "requests.see": ["owner", "developer"],
  "disputes.see": ["owner", "operations", "finance", "support", "viewer"],
  "disputes.note": ["owner", "operations", "finance", "support"],
  "reviews.resolve": ["owner", "operations"],
  "customers.edit": ["owner", "operations", "support"],
  "customers.delete": ["owner", "operations"],
  "merchants.see": ["owner", "developer", "operations"],
  "merchants.edit": ["owner", "developer"],
  "flows.see": ["owner", "developer", "operations", "finance", "viewer"],
  "flows.edit": ["owner", "developer", "operations"],
  "flows.activate": ["owner", "operations"],
  "providers.pause": ["owner", "operations"],
  "keys.manage": ["owner", "developer"],
  "webhooks.see": ["owner", "developer", "operations", "support", "viewer"],
  "webhooks.resend": ["owner", "developer", "operations", "support"],
  "webhooks.edit": ["owner", "developer"],
  "links.edit": ["owner", "operations", "support"],
  "brand.edit": ["owner", "developer", "operations"],
  "protection.edit": ["owner", "operations"],
  "monitors.see": ["owner", "developer", "operations", "viewer"],
  "monitors.edit": ["owner", "developer", "operations"],
  "sellers.see": ["owner", "operations", "finance", "viewer"],
  /** Their data, terms and transfers, and what is answered to a provider's review. */
  "sellers.edit": ["owner", "operations", "finance"],
  /** What a seller's documents show; every look is written down. */
  "sellers.documents": ["owner", "operations", "finance"],
  /** The bank account that a seller is paid on: two people. */
  "sellers.bank": ["owner", "finance"],
  "plans.edit": ["owner", "finance"],
  /** Balances, what is still to come, payment batches with their transfers. */
  "payouts.see": ["owner", "operations", "finance", "viewer"],
  /** Stop the transfers of a seller, and let them go on. */
  "payouts.hold": ["owner", "operations", "finance"],
  /** Say how a transfer ended that no bank tells of: two people. */
  "payouts.mark": ["owner", "finance"],
  /** Reconciliation: statements and where they differ. */
  "finance.see": ["owner", "operations", "finance", "viewer"],
  /** Upload a statement, own a discrepancy, close it: two people. */
  "finance.settle": ["owner", "operations", "finance"],
  /** Credits, corrections and written-off debts of sellers: two people. */
  "finance.adjust": ["owner", "finance"],
  "prepayment.simulate": ["owner", "finance"],
  /** Above a limit with a second person. */
  "prepayment.commit": ["owner", "finance"],
  "subscriptions.see": ["owner", "developer", "operations", "finance", "support", "viewer"],
  /** Create and change, pause, resume, cancel, try a cycle now; the account's retries. */
  "subscriptions.edit": ["owner", "operations", "finance"],
  "team.manage": ["owner"],
  "reports.create": ["owner", "operations", "finance", "support"],
  /** Columns that tell of buyers and sellers as people. */
  "reports.personal": ["owner", "operations", "finance"],
  "proof.see": ["owner", "developer", "operations", "finance", "viewer"],
  /** What one did oneself. */
  "audit.see": ["owner", "developer", "operations", "finance", "support"],
  "audit.all": ["owner", "operations", "finance"],
} as const satisfies Record<string, readonly RoleName[]>;

export type Right = keyof typeof RIGHTS;

// Object.keys of the literal gives exactly its keys.
export const RIGHT_NAMES = Object.keys(RIGHTS) as Right[];

/** Of the account's owners alone: no role of its own is ever given them. */
const OWNERS_ALONE: ReadonlySet<Right> = new Set<Right>(["team.manage"]);

/** What a role of an account's own may have or lack. */
export const OPTIONAL_RIGHTS: readonly Right[] = RIGHT_NAMES.filter((right) => !OWNERS_ALONE.has(right));

/** What can be kept to some merchants. Webhooks, keys, settings and the log tell of all of them, so they are left out. */
const WITHIN_MERCHANTS: ReadonlySet<Right> = new Set<Right>([
  "payments.see",
  "buyers.see",
  "payments.capture",
  "payments.refund",
  "payments.recheck",
  "ledger.see",
  "disputes.see",
  "disputes.note",
  "reviews.resolve",
  "links.edit",
  "merchants.see",
  "sellers.see",
  "sellers.edit",
  "sellers.documents",
  "sellers.bank",
  "payouts.see",
  "payouts.hold",
  "payouts.mark",
  "finance.see",
  "finance.settle",
  "finance.adjust",
  "prepayment.simulate",
  "prepayment.commit",
  "subscriptions.see",
  "subscriptions.edit",
  "flows.see",
  "flows.edit",
  "flows.activate",
  "providers.pause",
]);

/** What is left of a closed account: looking, taking its data along, and opening it again. */
const WHEN_CLOSED: ReadonlySet<Right> = new Set<Right>([
  "payments.see",
  "buyers.see",
  "ledger.see",
  "requests.see",
  "disputes.see",
  "merchants.see",
  "flows.see",
  "webhooks.see",
  "monitors.see",
  "proof.see",
  "audit.see",
  "audit.all",
  "sellers.see",
  "payouts.see",
  "finance.see",
  "subscriptions.see",
  "team.manage",
]);

export const isClosed = (role: OperatorRole): role is ClosedRole => typeof role === "object" && "closed" in role;

export const may = (role: OperatorRole, right: Right): boolean => {
  if (typeof role === "string") return (RIGHTS[right] as readonly RoleName[]).includes(role);
  if (isClosed(role)) return WHEN_CLOSED.has(right) && may(role.closed, right);
  if ("limited" in role) return WITHIN_MERCHANTS.has(right) && may(role.limited, right);
  if (OWNERS_ALONE.has(right) || role.removed.includes(right)) return false;
  return role.added.includes(right) || may(role.origin, right);
};

/** The role as the team knows it. */
export const ownRoleOf = (role: OperatorRole): RoleName | CustomRole => {
  if (isClosed(role)) return role.closed;
  return typeof role === "object" && "limited" in role ? role.limited : role;
};

export function demand(role: OperatorRole, right: Right, what = "page"): void {
  if (!may(role, right)) throw notFound(what);
}

/** Rights of an earlier version are nobody's any more. */
export const rightsIn = (names: readonly string[]): Right[] => RIGHT_NAMES.filter((right) => names.includes(right));

export interface RefundLimits {
  each: number;
  daily: number;
}

/** Cents that one person may give back, at once and in a day of São Paulo; absent for roles without a limit. */
const REFUND_LIMITS: Partial<Record<RoleName, RefundLimits>> = {
  support: { each: 500_00, daily: 2_000_00 },
};

/** A role whose origin may not refund at all gets the right with the strictest limit, not without one. */
export function usualLimits(held: OperatorRole): RefundLimits | undefined {
  const role = ownRoleOf(held);
  if (typeof role === "string") return REFUND_LIMITS[role];
  return REFUND_LIMITS[may(role.origin, "payments.refund") ? role.origin : "support"];
}
