/** What people look for in the audit log: groups of the things that actions are about. */
export const AUDIT_KINDS = {
  payments: ["charge", "purchase", "transaction", "refund_limit", "dispute"],
  links: ["session"],
  customers: ["customer", "card"],
  subscriptions: ["subscription"],
  merchants: ["merchant", "provider", "platform_fee"],
  flows: ["flow"],
  sellers: ["seller", "seller_document", "sale_plan", "vendor"],
  payouts: ["payment_batch", "payout", "payout_file", "payout_return", "prepayment"],
  finance: ["settlement_break", "statement_file"],
  reports: ["report", "report_address", "report_definition"],
  keys: ["secret_key", "public_key"],
  webhooks: ["webhook", "webhook_delivery"],
  people: ["operator", "invitation", "role"],
  account: ["account", "link_settings", "view", "monitor"],
} as const satisfies Record<string, readonly string[]>;

export type AuditKind = keyof typeof AUDIT_KINDS;

// Object.keys of the literal gives exactly its keys.
export const AUDIT_KIND_NAMES = Object.keys(AUDIT_KINDS) as AuditKind[];
