import { notFound } from "@/lib/errors";
import type { OperatorRole } from "@/lib/operators/sessions";

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
  "keys.manage": ["owner", "developer"],
  "webhooks.see": ["owner", "developer", "operations", "support", "viewer"],
  "webhooks.resend": ["owner", "developer", "operations", "support"],
  "webhooks.edit": ["owner", "developer"],
  "links.edit": ["owner", "operations", "support"],
  "brand.edit": ["owner", "developer", "operations"],
  "protection.edit": ["owner", "operations"],
  "team.manage": ["owner"],
  "proof.see": ["owner", "developer", "operations", "finance", "viewer"],
  /** What one did oneself. */
  "audit.see": ["owner", "developer", "operations", "finance", "support"],
  "audit.all": ["owner", "operations", "finance"],
} as const satisfies Record<string, readonly OperatorRole[]>;

export type Right = keyof typeof RIGHTS;

// Object.keys of the literal gives exactly its keys.
export const RIGHT_NAMES = Object.keys(RIGHTS) as Right[];

export const may = (role: OperatorRole, right: Right): boolean =>
  (RIGHTS[right] as readonly OperatorRole[]).includes(role);

export function demand(role: OperatorRole, right: Right, what = "page"): void {
  if (!may(role, right)) throw notFound(what);
}

/** Cents that one person may give back, at once and in a day of São Paulo; absent for roles without a limit. */
export const REFUND_LIMITS: Partial<Record<OperatorRole, { each: number; daily: number }>> = {
  support: { each: 500_00, daily: 2_000_00 },
};
