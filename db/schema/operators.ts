import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { clients } from "@/db/schema/accounts";
import { bytes, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";

/**
 * The people of the dashboard. An operator may belong to several client accounts, so operators, their sessions and
 * their sign-in attempts have no client_id and no row security: only trilho_system reads them, through lib/operators.
 * Memberships have a client_id and are walled like every tenant table.
 */
export const operators = pgTable(
  "operators",
  {
    id: id(),
    /** Lower case and trimmed, so that one address is one person. */
    email: text().notNull(),
    name: text().notNull(),
    /** argon2id in PHC form. */
    passwordHash: text().notNull(),
    isDisabled: boolean().notNull().default(false),
    lastSignInAt: instant(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("operators_email").on(t.email),
    check("operators_email_normal", sql`${t.email} = lower(btrim(${t.email})) and ${t.email} like '%_@_%'`),
  ],
);

export const OPERATOR_ROLES = ["owner", "developer", "operations", "finance", "support", "viewer"] as const;

export const memberships = pgTable(
  "memberships",
  {
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    clientId: clientId().references(() => clients.id),
    role: text({ enum: OPERATOR_ROLES }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.operatorId, t.clientId] }),
    index().on(t.clientId),
    check("memberships_role", sql`${t.role} in ('owner', 'developer', 'operations', 'finance', 'support', 'viewer')`),
  ],
);

export const operatorSessions = pgTable(
  "operator_sessions",
  {
    id: id(),
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    /** The account being looked at; a person without any membership has none. */
    activeClientId: uuid().references(() => clients.id),
    address: text(),
    userAgent: text(),
    createdAt: createdAt(),
    lastSeenAt: instant().notNull(),
    /** Absolute end, whatever the activity. */
    expiresAt: instant().notNull(),
    revokedAt: instant(),
  },
  (t) => [index().on(t.operatorId), index().on(t.expiresAt)],
);

export const signInAttempts = pgTable(
  "sign_in_attempts",
  {
    id: id(),
    /** Keyed digest: people type passwords into the e-mail field, and unknown addresses are none of our business. */
    emailDigest: bytes().notNull(),
    address: text(),
    outcome: text({ enum: ["failed", "succeeded", "refused"] }).notNull(),
    at: instant().notNull(),
  },
  (t) => [
    index("sign_in_attempts_email").on(t.emailDigest, t.at),
    index("sign_in_attempts_address").on(t.address, t.at),
    index("sign_in_attempts_at").on(t.at),
    check("sign_in_attempts_outcome", sql`${t.outcome} in ('failed', 'succeeded', 'refused')`),
  ],
);
