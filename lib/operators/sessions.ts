import { and, asc, desc, eq, gt, isNull, lt, ne, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import { customRoles, memberships, operatorSessions, operators, operatorTotps, passkeys } from "@/db/schema/operators";
import { isAllowedFrom } from "@/lib/addresses";
import type { Locale } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { heldRole, ofMembership } from "@/lib/operators/held-role";
import type { OperatorRole } from "@/lib/operators/permissions";
import { addSeconds } from "@/lib/time";

export const SESSION_IDLE_SECONDS = 15 * 60;
export const SESSION_ABSOLUTE_SECONDS = 12 * 60 * 60;
/** Looking at ten panels writes once. */
const TOUCH_EVERY_SECONDS = 30;
const USER_AGENT_CHARS = 300;

export type { OperatorRole } from "@/lib/operators/permissions";

export interface OperatorAccount {
  id: string;
  name: string;
  mode: "sandbox" | "live";
  role: OperatorRole;
  /** The merchants that exist for this person; null is all of them. */
  merchants: readonly string[] | null;
  /** Of its pages, for people who chose none; null is São Paulo's. */
  timeZone: string | null;
}

/** Who is signed in, and which account they are looking at. */
export interface SignedIn {
  sessionId: string;
  operator: { id: string; name: string; email: string; timeZone: string | null };
  /** Absent for a person who belongs to no account, or may not open the one they look at. */
  account: OperatorAccount | undefined;
  /** The live account they look at, closed to them until they have a second factor (PCI DSS 8.4.2). */
  withoutFactor: OperatorAccount | undefined;
  accounts: OperatorAccount[];
  /** The sign-in of their company asked for a second factor: ours need not be there. */
  byCompanyFactor: boolean;
  /** Accounts of theirs that are not opened from where they are. */
  barred: { id: string; name: string }[];
}

export async function openOperatorSession(
  db: Database,
  operatorId: string,
  from: { address: string | null; userAgent: string | null; byCompanyFactor?: boolean },
  now: Date,
): Promise<string> {
  const id = newId();
  const { accounts } = await accountsOf(db, operatorId, from.address);
  await db.insert(operatorSessions).values({
    id,
    operatorId,
    activeClientId: accounts[0]?.id ?? null,
    address: from.address,
    userAgent: from.userAgent?.slice(0, USER_AGENT_CHARS) ?? null,
    byCompanyFactor: from.byCompanyFactor ?? false,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: addSeconds(now, SESSION_ABSOLUTE_SECONDS),
  });
  return id;
}

const HAS_FACTOR = sql<boolean>`(
  exists (select from ${passkeys} where ${passkeys.operatorId} = ${operators.id})
  or exists (select from ${operatorTotps} where ${operatorTotps.operatorId} = ${operators.id}
    and ${operatorTotps.confirmedAt} is not null))`;

/**
 * Answers only for a session that is neither revoked, idle, expired nor of a disabled person; counts as activity. From
 * an address that an account is not opened from, the account is left out: each request comes from somewhere. So is a
 * live account of somebody who proved nothing but a password: whoever asks for `account` cannot forget to ask for that.
 * The language of the pages is kept for their e-mails.
 */
export async function findOperatorSession(
  db: Database,
  sessionId: string,
  now: Date,
  { address = null, locale }: { address?: string | null; locale?: Locale | undefined } = {},
): Promise<SignedIn | undefined> {
  const [row] = await db
    .select({
      operatorId: operators.id,
      name: operators.name,
      email: operators.email,
      timeZone: operators.timeZone,
      browserLocale: operators.browserLocale,
      activeClientId: operatorSessions.activeClientId,
      byCompanyFactor: operatorSessions.byCompanyFactor,
      lastSeenAt: operatorSessions.lastSeenAt,
      hasFactor: HAS_FACTOR,
    })
    .from(operatorSessions)
    .innerJoin(operators, eq(operators.id, operatorSessions.operatorId))
    .where(
      and(
        eq(operatorSessions.id, sessionId),
        isNull(operatorSessions.revokedAt),
        gt(operatorSessions.expiresAt, now),
        gt(operatorSessions.lastSeenAt, addSeconds(now, -SESSION_IDLE_SECONDS)),
        eq(operators.isDisabled, false),
      ),
    );
  if (!row) return undefined;
  const touchedBefore = addSeconds(now, -TOUCH_EVERY_SECONDS);
  if (row.lastSeenAt < touchedBefore) {
    await db
      .update(operatorSessions)
      .set({ lastSeenAt: now })
      .where(and(eq(operatorSessions.id, sessionId), lt(operatorSessions.lastSeenAt, touchedBefore)));
  }
  if (locale && locale !== row.browserLocale)
    await db.update(operators).set({ browserLocale: locale }).where(eq(operators.id, row.operatorId));
  const { accounts, barred } = await accountsOf(db, row.operatorId, address);
  // Nobody finds themselves in another account than the one they were in.
  const isBarred = barred.some(({ id }) => id === row.activeClientId);
  const lookedAt = isBarred ? undefined : (accounts.find(({ id }) => id === row.activeClientId) ?? accounts[0]);
  const isProven = lookedAt?.mode !== "live" || row.hasFactor || row.byCompanyFactor;
  return {
    sessionId,
    operator: { id: row.operatorId, name: row.name, email: row.email, timeZone: row.timeZone },
    account: isProven ? lookedAt : undefined,
    withoutFactor: isProven ? undefined : lookedAt,
    accounts,
    byCompanyFactor: row.byCompanyFactor,
    barred,
  };
}

/** False when the person does not belong to the account: nothing changes then. */
export async function switchAccount(db: Database, current: SignedIn, clientId: string): Promise<boolean> {
  if (!current.accounts.some((account) => account.id === clientId)) return false;
  await db.update(operatorSessions).set({ activeClientId: clientId }).where(eq(operatorSessions.id, current.sessionId));
  return true;
}

export async function revokeSession(db: Database, sessionId: string, now: Date): Promise<void> {
  await db
    .update(operatorSessions)
    .set({ revokedAt: now })
    .where(and(eq(operatorSessions.id, sessionId), isNull(operatorSessions.revokedAt)));
}

/** For a change of password or rights: the person signs in again everywhere. */
export async function revokeSessionsOf(db: Database, operatorId: string, now: Date): Promise<void> {
  await db
    .update(operatorSessions)
    .set({ revokedAt: now })
    .where(and(eq(operatorSessions.operatorId, operatorId), isNull(operatorSessions.revokedAt)));
}

/** The person stays signed in here and nowhere else. */
export async function revokeOtherSessions(db: Database, operatorId: string, kept: string, now: Date): Promise<number> {
  const ended = await db
    .update(operatorSessions)
    .set({ revokedAt: now })
    .where(
      and(
        eq(operatorSessions.operatorId, operatorId),
        ne(operatorSessions.id, kept),
        isNull(operatorSessions.revokedAt),
      ),
    )
    .returning({ id: operatorSessions.id });
  return ended.length;
}

/** One of the person's own; false for anybody else's. */
export async function revokeOwnSession(
  db: Database,
  operatorId: string,
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const ended = await db
    .update(operatorSessions)
    .set({ revokedAt: now })
    .where(
      and(
        eq(operatorSessions.id, sessionId),
        eq(operatorSessions.operatorId, operatorId),
        isNull(operatorSessions.revokedAt),
      ),
    )
    .returning({ id: operatorSessions.id });
  return ended.length > 0;
}

export interface OpenSession {
  id: string;
  address: string | null;
  userAgent: string | null;
  createdAt: Date;
  lastSeenAt: Date;
}

/** Those that still let the person in, the latest used first. */
export function openSessionsOf(db: Database, operatorId: string, now: Date): Promise<OpenSession[]> {
  return db
    .select({
      id: operatorSessions.id,
      address: operatorSessions.address,
      userAgent: operatorSessions.userAgent,
      createdAt: operatorSessions.createdAt,
      lastSeenAt: operatorSessions.lastSeenAt,
    })
    .from(operatorSessions)
    .where(
      and(
        eq(operatorSessions.operatorId, operatorId),
        isNull(operatorSessions.revokedAt),
        gt(operatorSessions.expiresAt, now),
        gt(operatorSessions.lastSeenAt, addSeconds(now, -SESSION_IDLE_SECONDS)),
      ),
    )
    .orderBy(desc(operatorSessions.lastSeenAt), desc(operatorSessions.id));
}

async function accountsOf(
  db: Database,
  operatorId: string,
  address: string | null,
): Promise<Pick<SignedIn, "accounts" | "barred">> {
  const rows = await db
    .select({
      id: clients.id,
      name: clients.name,
      mode: clients.mode,
      timeZone: clients.timeZone,
      status: clients.status,
      allowedAddresses: clients.allowedAddresses,
      role: memberships.role,
      merchants: memberships.merchantIds,
      custom: customRoles,
    })
    .from(memberships)
    .innerJoin(clients, eq(clients.id, memberships.clientId))
    .leftJoin(customRoles, ofMembership)
    .where(and(eq(memberships.operatorId, operatorId), isNull(memberships.endedAt)))
    .orderBy(asc(memberships.createdAt), asc(clients.id));
  // A closed account is there for its owners alone.
  const theirs = rows.filter(({ status, role }) => status !== "closed" || role === "owner");
  const isOpen = (row: (typeof rows)[number]) => isAllowedFrom(row.allowedAddresses, address);
  return {
    accounts: theirs.filter(isOpen).map(({ custom, role, status, allowedAddresses: _, ...account }) => ({
      ...account,
      role: status === "closed" ? { closed: "owner" } : heldRole(role, custom, account.merchants),
    })),
    barred: theirs.filter((row) => !isOpen(row)).map(({ id, name }) => ({ id, name })),
  };
}
