import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { clients } from "@/db/schema/accounts";
import { bytes, cents, clientId, createdAt, id, instant, updatedAt } from "@/db/schema/columns";

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
    /** Chosen by the person; until then pages follow the browser and times are São Paulo's. */
    locale: text({ enum: ["pt-BR", "en"] }),
    /** Of the pages when they were last used: e-mails to somebody who chose no language are in this one. */
    browserLocale: text({ enum: ["pt-BR", "en"] }),
    timeZone: text(),
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

/** A role of an account's own: another one with rights added and taken away. Nothing makes an owner but the owner's role. */
export const customRoles = pgTable(
  "custom_roles",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    name: text().notNull(),
    origin: text({ enum: OPERATOR_ROLES }).notNull(),
    added: text().array().notNull(),
    removed: text().array().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex("custom_roles_owner").on(t.clientId, t.id),
    uniqueIndex("custom_roles_name").on(t.clientId, sql`lower(${t.name})`),
    check("custom_roles_name", sql`length(btrim(${t.name})) between 1 and 40`),
    check("custom_roles_origin", sql`${t.origin} in ('developer', 'operations', 'finance', 'support', 'viewer')`),
  ],
);

export const memberships = pgTable(
  "memberships",
  {
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    clientId: clientId().references(() => clients.id),
    /** Of somebody with a role of the account's own: the origin of that role. */
    role: text({ enum: OPERATOR_ROLES }).notNull(),
    customRoleId: uuid(),
    /** The merchants that exist for this person; null is all of them. */
    merchantIds: uuid().array(),
    /** Cents this person may give back at once and in a day; null is the role's own limit. */
    refundEach: cents(),
    refundDaily: cents(),
    createdAt: createdAt(),
    /** Removed from the account: the name stays beside what was done, and nothing else does. */
    endedAt: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.operatorId, t.clientId] }),
    index().on(t.clientId),
    foreignKey({ columns: [t.clientId, t.customRoleId], foreignColumns: [customRoles.clientId, customRoles.id] }),
    check("memberships_limits", sql`${t.role} <> 'owner' or (${t.customRoleId} is null and ${t.merchantIds} is null)`),
    check("memberships_refunds", sql`${t.refundEach} >= 0 and ${t.refundDaily} >= ${t.refundEach}`),
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
    /** The sign-in of the company asked for more than a password. */
    byCompanyFactor: boolean().notNull().default(false),
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
    /** What it counts for: the network it came from, a known device, or a step that strangers do not reach. */
    place: text().notNull(),
    /** The solution that was given for it, which counts once. */
    proof: text(),
    outcome: text({ enum: ["failed", "succeeded", "forgiven", "refused"] }).notNull(),
    at: instant().notNull(),
  },
  (t) => [
    index("sign_in_attempts_email").on(t.emailDigest, t.at),
    index("sign_in_attempts_place").on(t.place, t.at),
    index("sign_in_attempts_at").on(t.at),
    uniqueIndex("sign_in_attempts_proof").on(t.proof).where(sql`${t.proof} is not null`),
    check("sign_in_attempts_outcome", sql`${t.outcome} in ('failed', 'succeeded', 'forgiven', 'refused')`),
  ],
);

/** Browsers that a person signed in with: what strangers get wrong elsewhere does not hold these up. */
export const operatorDevices = pgTable(
  "operator_devices",
  {
    id: id(),
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    /** Of the secret in the browser's cookie. */
    digest: bytes().notNull().unique(),
    createdAt: createdAt(),
    lastSignInAt: instant().notNull(),
  },
  (t) => [index().on(t.operatorId), index("operator_devices_age").on(t.lastSignInAt)],
);

/** A person is asked by e-mail to join an account; the link works once. */
export const invitations = pgTable(
  "invitations",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    email: text().notNull(),
    role: text({ enum: OPERATOR_ROLES }).notNull(),
    customRoleId: uuid(),
    merchantIds: uuid().array(),
    /** As the membership will keep them. */
    refundEach: cents(),
    refundDaily: cents(),
    /** Of the link's token; the link itself is in the e-mail and nowhere else. */
    digest: bytes().notNull().unique(),
    invitedBy: uuid().references(() => operators.id),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    acceptedAt: instant(),
    revokedAt: instant(),
  },
  (t) => [
    uniqueIndex("invitations_open")
      .on(t.clientId, t.email)
      .where(sql`${t.acceptedAt} is null and ${t.revokedAt} is null`),
    foreignKey({ columns: [t.clientId, t.customRoleId], foreignColumns: [customRoles.clientId, customRoles.id] }),
    check("invitations_email_normal", sql`${t.email} = lower(btrim(${t.email})) and ${t.email} like '%_@_%'`),
    check("invitations_refunds", sql`${t.refundEach} >= 0 and ${t.refundDaily} >= ${t.refundEach}`),
    check("invitations_role", sql`${t.role} in ('owner', 'developer', 'operations', 'finance', 'support', 'viewer')`),
  ],
);

export const passwordResets = pgTable(
  "password_resets",
  {
    id: id(),
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    digest: bytes().notNull().unique(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [index().on(t.operatorId, t.createdAt), index().on(t.expiresAt)],
);

/** The second factor: an authenticator app. Unconfirmed until a first code proved that the app has the secret. */
export const operatorTotps = pgTable("operator_totps", {
  operatorId: uuid()
    .primaryKey()
    .references(() => operators.id),
  /** Sealed under TRILHO_KEK and bound to its person. */
  secret: bytes().notNull(),
  createdAt: createdAt(),
  confirmedAt: instant(),
  /** The half minute of the last code taken: a code works once. */
  lastStep: bigint({ mode: "number" }).notNull().default(0),
});

export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    digest: bytes().notNull(),
    createdAt: createdAt(),
    usedAt: instant(),
  },
  (t) => [primaryKey({ columns: [t.operatorId, t.digest] })],
);

/** A password was right and the second factor is still asked for. */
export const signInChallenges = pgTable(
  "sign_in_challenges",
  {
    id: id(),
    digest: bytes().notNull().unique(),
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    /** The attempt that the password was; it succeeds with the code. */
    attemptId: uuid().notNull(),
    /** Codes tried. */
    tries: integer().notNull().default(0),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [index().on(t.operatorId), index().on(t.expiresAt)],
);

/** Who has taken a thing that waits for a person: a charge or a purchase. Whoever takes it over replaces them. */
export const reviewTakes = pgTable(
  "review_takes",
  {
    clientId: clientId().references(() => clients.id),
    paymentId: uuid().notNull(),
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    takenAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.clientId, t.paymentId] })],
);

/** Keys that a device or a browser holds for its person, instead of the app or beside it. */
export const passkeys = pgTable(
  "passkeys",
  {
    id: id(),
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    /** As the authenticator names it, base64url. */
    credentialId: text().notNull().unique(),
    publicKey: bytes().notNull(),
    /** Of the last signature; an authenticator that counts never repeats one. */
    counter: bigint({ mode: "number" }).notNull(),
    transports: text().array().notNull(),
    name: text().notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant(),
  },
  (t) => [index().on(t.operatorId), check("passkeys_name", sql`length(btrim(${t.name})) between 1 and 60`)],
);

/** What a browser is asked to sign: once, and for a short while. */
export const passkeyChallenges = pgTable(
  "passkey_challenges",
  {
    id: id(),
    /** What it is asked for: to add a passkey, or to answer a sign-in. */
    purpose: text({ enum: ["add", "sign-in"] }).notNull(),
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    challenge: text().notNull().unique(),
    createdAt: createdAt(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [
    index().on(t.operatorId),
    index().on(t.expiresAt),
    check("passkey_challenges_purpose", sql`${t.purpose} in ('add', 'sign-in')`),
  ],
);

/** Who somebody is at the sign-in of their company: bound once, by the name that never changes there. */
export const operatorIdentities = pgTable(
  "operator_identities",
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    createdAt: createdAt(),
    lastUsedAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.issuer, t.subject] }),
    uniqueIndex("operator_identities_person").on(t.operatorId, t.issuer),
  ],
);

/** Ways back from that sign-in that were taken: none is taken twice. */
export const providerReturns = pgTable(
  "provider_returns",
  {
    /** Of the state that left with the browser. */
    digest: bytes().primaryKey(),
    expiresAt: instant().notNull(),
  },
  (t) => [index().on(t.expiresAt)],
);
