import { and, count, desc, eq, gt, isNull } from "drizzle-orm";
import { type Database, systemDb } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import { customRoles, invitations, memberships, operators } from "@/db/schema/operators";
import { loadAccount } from "@/lib/accounts/service";
import { audit } from "@/lib/audit";
import { type Account, type Context, systemContext } from "@/lib/context";
import { env } from "@/lib/env";
import { notFound } from "@/lib/errors";
import { type Locale, mailLocaleOf } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { queueOperatorMail } from "@/lib/mail/queue";
import { keptRole, type RoleChoice } from "@/lib/operators/custom-roles";
import { namedRole, ofInvitation } from "@/lib/operators/held-role";
import type { CustomRole, RefundLimits, RoleName } from "@/lib/operators/permissions";
import { revokeSessionsOf } from "@/lib/operators/sessions";
import { knownMerchants, limitsOf } from "@/lib/operators/team";
import { ISSUER, tellOfMember } from "@/lib/operators/told";
import { withTeam } from "@/lib/operators/with-team";
import { digestOfOneTimeToken, newOneTimeToken } from "@/lib/sign-in/one-time";
import { hashPassword, type PasswordProblem, passwordProblem } from "@/lib/sign-in/password";
import { normalEmail } from "@/lib/sign-in/sign-in-attempts";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const INVITATION_SECONDS = 7 * DAY_SECONDS;
const INVITATIONS_A_DAY = 50;

export interface NewInvitation {
  email: string;
  role: RoleChoice;
  /** Absent or null: all of them. */
  merchants?: readonly string[] | null | undefined;
  /** Absent: the role's own, for those that have one. */
  refunds?: RefundLimits | undefined;
  /** Of the e-mail, for somebody who has not chosen one. */
  locale: Locale;
}

export type Invited = { kind: "sent"; id: string; url: string } | { kind: "already_member" | "too_many" };

/** A new invitation takes the place of an open one to the same address: only the newest link works. */
export function invite(ctx: Context, asked: NewInvitation): Promise<Invited> {
  const email = normalEmail(asked.email);
  return withTeam(ctx, async (inside) => {
    const { db, account } = inside;
    const [member] = await db
      .select({ id: operators.id })
      .from(operators)
      .innerJoin(memberships, and(eq(memberships.operatorId, operators.id), eq(memberships.clientId, account.id)))
      .where(and(eq(operators.email, email), isNull(memberships.endedAt)));
    if (member) return { kind: "already_member" };
    if (await isTooMany(db, account.id)) return { kind: "too_many" };
    await db
      .update(invitations)
      .set({ revokedAt: realNow() })
      .where(and(isOpen(account.id), eq(invitations.email, email)));
    const kept = await keptRole(inside, asked.role);
    const merchantIds = kept.role === "owner" ? null : await knownMerchants(inside, asked.merchants);
    const limits = { refundEach: asked.refunds?.each ?? null, refundDaily: asked.refunds?.daily ?? null };
    return send(inside, { email, ...kept, merchantIds, ...limits }, asked.locale, "member.invite");
  });
}

export function resendInvitation(ctx: Context, id: string, locale: Locale): Promise<Invited> {
  return withTeam(ctx, async (inside) => {
    const open = await takeBack(inside, id);
    if (await isTooMany(inside.db, inside.account.id)) return { kind: "too_many" };
    return send(inside, open, locale, "member.invite-again");
  });
}

export function revokeInvitation(ctx: Context, id: string): Promise<void> {
  return withTeam(ctx, async (inside) => {
    const before = await takeBack(inside, id);
    await audit(inside, { action: "member.uninvite", object: "invitation", objectId: id, before: { ...before } });
  });
}

export interface OpenInvitation {
  id: string;
  email: string;
  role: RoleName | CustomRole;
  merchants: readonly string[] | null;
  /** What they will be able to refund alone; null for roles without a limit. */
  refunds: RefundLimits | null;
  createdAt: Date;
  expiresAt: Date;
}

/** Those that nobody accepted or took back, the ones that ran out too. */
export async function listInvitations({ account }: Context): Promise<OpenInvitation[]> {
  const rows = await systemDb()
    .select({
      id: invitations.id,
      email: invitations.email,
      role: invitations.role,
      custom: customRoles,
      merchants: invitations.merchantIds,
      each: invitations.refundEach,
      daily: invitations.refundDaily,
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .leftJoin(customRoles, ofInvitation)
    .where(isOpen(account.id))
    .orderBy(desc(invitations.createdAt), desc(invitations.id));
  return rows.map(({ role: name, custom, each, daily, ...invitation }) => {
    const role = namedRole(name, custom);
    return { ...invitation, role, refunds: limitsOf(role, { each, daily }) };
  });
}

export interface Invitation {
  id: string;
  clientId: string;
  account: string;
  mode: "sandbox" | "live";
  invitedBy: string | null;
  email: string;
  role: RoleName | CustomRole;
  /** As the membership will keep it. */
  kept: KeptAccess;
  /** Somebody with this address exists: they join with the password they have. */
  person: { id: string; name: string } | null;
  /** The colleague who invites; null where the command line does. */
  inviterId: string | null;
}

/** What a link opens, while it does. */
export async function invitationOf(db: Database, token: string, now: Date): Promise<Invitation | undefined> {
  const [row] = await db
    .select({
      id: invitations.id,
      clientId: clients.id,
      account: clients.name,
      mode: clients.mode,
      invitedBy: operators.name,
      inviterId: invitations.invitedBy,
      email: invitations.email,
      kept: KEPT,
      custom: customRoles,
    })
    .from(invitations)
    .innerJoin(clients, eq(clients.id, invitations.clientId))
    .leftJoin(customRoles, ofInvitation)
    .leftJoin(operators, eq(operators.id, invitations.invitedBy))
    .where(
      and(
        eq(invitations.digest, digestOfOneTimeToken(token)),
        isNull(invitations.acceptedAt),
        isNull(invitations.revokedAt),
        gt(invitations.expiresAt, now),
      ),
    );
  if (!row) return undefined;
  const { custom, ...invitation } = row;
  const [person] = await db
    .select({ id: operators.id, name: operators.name })
    .from(operators)
    .where(eq(operators.email, row.email));
  return { ...invitation, role: namedRole(row.kept.role, custom), person: person ?? null };
}

export type AcceptedInvitation =
  | { kind: "joined"; email: string; isNew: boolean }
  | { kind: "closed" }
  | { kind: "unfit"; problem: PasswordProblem }
  | { kind: "nameless" };

/** The link proves the address. A new person chooses a name and a password; one who exists keeps theirs. */
export async function acceptInvitation(
  db: Database,
  token: string,
  typed: { name: string; password: string },
  address: string | null,
  now: Date,
): Promise<AcceptedInvitation> {
  const invitation = await invitationOf(db, token, now);
  if (!invitation) return { kind: "closed" };
  const { email, clientId, kept, person, inviterId } = invitation;
  const name = typed.name.trim();
  if (!person && name === "") return { kind: "nameless" };
  const problem = person ? undefined : passwordProblem(typed.password, { email, name });
  if (problem) return { kind: "unfit", problem };
  const passwordHash = person ? undefined : await hashPassword(typed.password);
  const account = await loadAccount(clientId);
  return db.transaction(async (tx): Promise<AcceptedInvitation> => {
    const taken = await tx
      .update(invitations)
      .set({ acceptedAt: now })
      .where(and(eq(invitations.id, invitation.id), isNull(invitations.acceptedAt), isNull(invitations.revokedAt)))
      .returning({ id: invitations.id });
    if (taken.length === 0) return { kind: "closed" };
    const operatorId = person?.id ?? newId();
    if (passwordHash)
      await tx.insert(operators).values({ id: operatorId, email, name, passwordHash, createdAt: now, updatedAt: now });
    await join(tx, { account, operatorId, inviterId, kept, address, now });
    // New rights begin with a new session.
    if (person) await revokeSessionsOf(tx, operatorId, now);
    return { kind: "joined", email, isNew: !person };
  });
}

interface Joining {
  account: Account;
  operatorId: string;
  inviterId: string | null;
  kept: KeptAccess;
  address: string | null;
  now: Date;
}

async function join(tx: Database, { account, operatorId, inviterId, kept, address, now }: Joining): Promise<void> {
  await tx
    .insert(memberships)
    .values({ operatorId, clientId: account.id, ...kept, createdAt: now })
    .onConflictDoUpdate({
      target: [memberships.operatorId, memberships.clientId],
      set: { ...kept, createdAt: now, endedAt: null },
    });
  const context: Context = {
    ...systemContext(account, newId()),
    principal: { kind: "operator", operatorId },
    db: tx,
    isInTransaction: true,
    ...(address ? { ip: address } : {}),
  };
  await audit(context, { action: "member.join", object: "operator", objectId: operatorId, after: { ...kept } });
  await tellOfMember(context, "member_joined", { operatorId, by: inviterId });
}

const isOpenTo = (email: string, now: Date) =>
  and(
    eq(invitations.email, email),
    isNull(invitations.acceptedAt),
    isNull(invitations.revokedAt),
    gt(invitations.expiresAt, now),
  );

export async function isInvited(db: Database, email: string, now: Date): Promise<boolean> {
  const [open] = await db.select({ id: invitations.id }).from(invitations).where(isOpenTo(email, now)).limit(1);
  return open !== undefined;
}

/** For somebody whose address was proven otherwise than by the links of their invitations; in the caller's transaction. */
export async function acceptOpenInvitations(
  tx: Database,
  person: { id: string; email: string },
  address: string | null,
  now: Date,
): Promise<void> {
  const accepted = await tx
    .update(invitations)
    .set({ acceptedAt: now })
    .where(isOpenTo(person.email, now))
    .returning({ clientId: invitations.clientId, inviterId: invitations.invitedBy, kept: KEPT });
  for (const { clientId, ...joined } of accepted)
    await join(tx, { account: await loadAccount(clientId), operatorId: person.id, ...joined, address, now });
}

interface KeptAccess {
  role: RoleName;
  customRoleId: string | null;
  merchantIds: string[] | null;
  refundEach: number | null;
  refundDaily: number | null;
}

const KEPT = {
  role: invitations.role,
  customRoleId: invitations.customRoleId,
  merchantIds: invitations.merchantIds,
  refundEach: invitations.refundEach,
  refundDaily: invitations.refundDaily,
};

const isOpen = (clientId: string) =>
  and(eq(invitations.clientId, clientId), isNull(invitations.acceptedAt), isNull(invitations.revokedAt));

async function isTooMany(db: Database, clientId: string): Promise<boolean> {
  const since = addSeconds(realNow(), -DAY_SECONDS);
  const [sent] = await db
    .select({ times: count() })
    .from(invitations)
    .where(and(eq(invitations.clientId, clientId), gt(invitations.createdAt, since)));
  return (sent?.times ?? 0) >= INVITATIONS_A_DAY;
}

async function takeBack({ db, account }: Context, id: string): Promise<KeptAccess & { email: string }> {
  const [open] = await db
    .update(invitations)
    .set({ revokedAt: realNow() })
    .where(and(isOpen(account.id), eq(invitations.id, id)))
    .returning({ email: invitations.email, ...KEPT });
  if (!open) throw notFound("invitation");
  return open;
}

async function send(
  inside: Context,
  { email, ...kept }: KeptAccess & { email: string },
  locale: Locale,
  action: string,
): Promise<Extract<Invited, { kind: "sent" }>> {
  const { db, account, principal } = inside;
  const by = principal.kind === "operator" ? principal.operatorId : null;
  const now = realNow();
  const expiresAt = addSeconds(now, INVITATION_SECONDS);
  const { token, digest } = newOneTimeToken();
  const id = newId();
  await db
    .insert(invitations)
    .values({ id, clientId: account.id, email, ...kept, digest, invitedBy: by, createdAt: now, expiresAt });
  const [asked] = await db
    .select({ name: clients.name, inviter: operators.name })
    .from(clients)
    .leftJoin(operators, by ? eq(operators.id, by) : isNull(operators.id))
    .where(eq(clients.id, account.id));
  const [known] = await db
    .select({ locale: operators.locale, browserLocale: operators.browserLocale })
    .from(operators)
    .where(eq(operators.email, email));
  const [custom] = kept.customRoleId
    ? await db.select({ name: customRoles.name }).from(customRoles).where(eq(customRoles.id, kept.customRoleId))
    : [];
  const url = `${env().BASE_URL}/join/${token}`;
  await queueOperatorMail(db, {
    template: "operator-invitation",
    to: email,
    locale: known ? mailLocaleOf(known, locale) : locale,
    data: {
      accountName: asked?.name ?? "",
      invitedBy: asked?.inviter ?? ISSUER,
      role: custom ?? kept.role,
      url,
      expiresAt: expiresAt.toISOString(),
    },
  });
  await audit(inside, { action, object: "invitation", objectId: id, after: { email, ...kept } });
  return { kind: "sent", id, url };
}
