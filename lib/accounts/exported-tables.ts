export interface Exported {
  /** What the pages go by, with its type. */
  key: Readonly<Record<string, string>>;
  /** Secrets, digests of secrets, and where the vault keeps what. */
  without?: readonly string[];
  /** Columns of bytes that hold JSON. */
  json?: readonly string[];
}

const BY_ID = { id: "uuid" } as const;

/** What an account takes along, table by table; a test holds the two lists here against the database. */
export const EXPORTED: Readonly<Record<string, Exported>> = {
  clients: { key: BY_ID },
  merchants: { key: BY_ID },
  providers: { key: BY_ID, without: ["credentials"] },
  platform_fee_rules: { key: BY_ID },
  link_settings: { key: BY_ID },
  customers: { key: BY_ID },
  cards: { key: BY_ID, without: ["vault_id", "fingerprint"] },
  sessions: { key: BY_ID },
  session_history: { key: BY_ID },
  link_requests: { key: BY_ID, without: ["visit_hash"] },
  charges: { key: BY_ID, without: ["cvv_token_id"] },
  transaction_requests: { key: BY_ID, without: ["raw"] },
  split_rules: { key: BY_ID },
  routing_decisions: { key: { charge_id: "uuid" } },
  purchases: { key: BY_ID },
  purchase_payments: { key: BY_ID },
  purchase_operations: { key: BY_ID },
  purchase_moves: { key: { seq: "bigint" } },
  dispute_notes: { key: BY_ID },
  ledger_accounts: { key: BY_ID },
  journals: { key: BY_ID, without: ["tx"] },
  transfers: { key: { journal_id: "uuid", line: "smallint" }, without: ["tx"] },
  receivables: { key: BY_ID },
  events: { key: BY_ID, json: ["body"] },
  webhooks: { key: BY_ID, without: ["private_key", "previous_private_key"] },
  webhook_deliveries: { key: BY_ID },
  api_keys: { key: BY_ID, without: ["digest"] },
  public_keys: { key: { public_key: "uuid" } },
  custom_roles: { key: BY_ID },
  memberships: { key: { operator_id: "uuid" } },
  invitations: { key: BY_ID, without: ["digest"] },
  monitors: { key: BY_ID },
  monitor_events: { key: BY_ID },
  card_protection: { key: { client_id: "uuid" } },
  card_alarms: { key: BY_ID },
  saved_views: { key: BY_ID },
  audit_log: { key: BY_ID },
  request_logs: { key: BY_ID },
};

/** What stays behind, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  audit_chain: "digests over audit_log",
  audit_waiting: "work in progress",
  buyer_moments: "work in progress",
  captcha_spent: "protection against automatic tries",
  card_attempts: "protection against automatic tries",
  card_tokens: "short-lived, of no use elsewhere",
  card_tries: "protection against automatic tries",
  charge_changes: "work in progress",
  charge_counts: "counted from charges",
  checkout_attempts: "work in progress",
  due_jobs: "work in progress",
  email_attachments: "erased once the e-mail has gone",
  emails: "what was told stands in events and payments",
  idempotency_keys: "answers kept for repeats, told of in request_logs",
  invariant_breaks: "told of on the proof page",
  ledger_checkpoints: "sums of transfers",
  link_failures: "told of on the home page",
  link_visits: "counts without anything of the visitor",
  notice_choices: "one person's own",
  notice_mails: "work in progress",
  notice_reads: "one person's own",
  notices: "told of in what they are about",
  outbox: "work in progress",
  payment_buyers: "work in progress",
  payment_stats_daily: "counted from charges",
  payment_stats_hourly: "counted from charges",
  provider_notifications: "a provider's own words, told of in transaction_requests",
  provider_rotations: "secrets",
  review_takes: "work in progress",
  sandbox_calls: "of the simulator",
  sandbox_counters: "of the simulator",
  sandbox_movements: "of the simulator",
  sandbox_notifications: "of the simulator",
  sandbox_scenarios: "of the simulator",
  sandbox_analyses: "of the simulator",
  sandbox_transactions: "of the simulator",
  stored_files: "pictures, fetched at their addresses",
  webhook_attempts: "kept for thirty days, seen in the dashboard",
};
