import { and, asc, eq, isNotNull, isNull, or } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { customRoles, invitations, memberships, operators } from "@/db/schema/operators";
import { audit } from "@/lib/audit";
import { type Context, violatedConstraint } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { customRoleOf } from "@/lib/operators/held-role";
import { type CustomRole, may, OPTIONAL_RIGHTS, type Right, type RoleName } from "@/lib/operators/permissions";
import { revokeSessionsOf } from "@/lib/operators/sessions";
import { withTeam } from "@/lib/operators/with-team";
import { realNow } from "@/lib/time";

export const ROLE_NAME_MAX_CHARS = 40;
const MOST_ROLES = 50;

/** A role as it is chosen for somebody: one that every account has, or one of the account's own. */
export type RoleChoice = RoleName | { customRoleId: string };

export interface RoleHolder {
  name: string;
  /** Somebody who was invited and has not come yet. */
  isInvited: boolean;
}

export interface ListedRole extends CustomRole {
  holders: RoleHolder[];
}

export async function listRoles({ account }: Context): Promise<ListedRole[]> {
  const db = systemDb();
  const rows = await db
    .select()
    .from(customRoles)
    .where(eq(customRoles.clientId, account.id))
    .orderBy(asc(customRoles.name), asc(customRoles.id));
  const held = await holdersOf({ db, account });
  return rows.map((row) => ({ ...customRoleOf(row), holders: held.get(row.id) ?? [] }));
}

export interface RoleDraft {
  name: string;
  origin: CustomRole["origin"];
  /** All that the role may: what differs from its origin is kept. */
  rights: readonly Right[];
}

export type RoleSaved = { kind: "saved"; id: string } | { kind: "name_taken" | "too_many" };

export function createRole(ctx: Context, draft: RoleDraft): Promise<RoleSaved> {
  return namedOnce(() =>
    withTeam(ctx, async (inside) => {
      const { db, account } = inside;
      const already = await db
        .select({ id: customRoles.id })
        .from(customRoles)
        .where(eq(customRoles.clientId, account.id));
      if (already.length >= MOST_ROLES) return { kind: "too_many" };
      const id = newId();
      const now = realNow();
      const after = { name: draft.name, origin: draft.origin, ...differenceOf(draft) };
      await db.insert(customRoles).values({ id, clientId: account.id, ...after, createdAt: now, updatedAt: now });
      await audit(inside, { action: "role.create", object: "role", objectId: id, after });
      return { kind: "saved", id };
    }),
  );
}

/** Its origin stays what it was. Other rights are another role: those who hold it sign in again everywhere. */
export function changeRole(ctx: Context, id: string, draft: Omit<RoleDraft, "origin">): Promise<RoleSaved> {
  return namedOnce(() =>
    withTeam(ctx, async (inside) => {
      const before = await ownRole(inside, id);
      const after = { name: draft.name, ...differenceOf({ origin: before.origin, rights: draft.rights }) };
      await inside.db
        .update(customRoles)
        .set({ ...after, updatedAt: realNow() })
        .where(isRole(inside, id));
      if (!isSame(before.added, after.added) || !isSame(before.removed, after.removed)) {
        const holders = await inside.db
          .select({ id: memberships.operatorId })
          .from(memberships)
          .where(
            and(
              eq(memberships.clientId, inside.account.id),
              eq(memberships.customRoleId, id),
              isNull(memberships.endedAt),
            ),
          );
        for (const holder of holders) await revokeSessionsOf(inside.db, holder.id, realNow());
      }
      const { name, added, removed } = before;
      await audit(inside, {
        action: "role.change",
        object: "role",
        objectId: id,
        before: { name, added, removed },
        after,
      });
      return { kind: "saved", id };
    }),
  );
}

export type RoleDeleted = { kind: "deleted" } | { kind: "in_use"; holders: RoleHolder[] };

/** Nobody is left without a role: as long as somebody holds it, it stays. */
export function deleteRole(ctx: Context, id: string): Promise<RoleDeleted> {
  return withTeam(ctx, async (inside) => {
    const { db, account } = inside;
    const { name, origin, added, removed } = await ownRole(inside, id);
    const holders = (await holdersOf(inside)).get(id) ?? [];
    if (holders.length > 0) return { kind: "in_use", holders };
    // What is over keeps the role it came from.
    const unnamed = { customRoleId: null };
    await db
      .update(memberships)
      .set(unnamed)
      .where(
        and(eq(memberships.clientId, account.id), eq(memberships.customRoleId, id), isNotNull(memberships.endedAt)),
      );
    await db
      .update(invitations)
      .set(unnamed)
      .where(
        and(
          eq(invitations.clientId, account.id),
          eq(invitations.customRoleId, id),
          or(isNotNull(invitations.acceptedAt), isNotNull(invitations.revokedAt)),
        ),
      );
    await db.delete(customRoles).where(isRole(inside, id));
    await audit(inside, {
      action: "role.delete",
      object: "role",
      objectId: id,
      before: { name, origin, added, removed },
    });
    return { kind: "deleted" };
  });
}

/** As a membership or an invitation keeps it. */
export async function keptRole(
  ctx: Context,
  choice: RoleChoice,
): Promise<{ role: RoleName; customRoleId: string | null }> {
  if (typeof choice === "string") return { role: choice, customRoleId: null };
  const { id, origin } = await ownRole(ctx, choice.customRoleId);
  return { role: origin, customRoleId: id };
}

const isRole = ({ account }: Pick<Context, "account">, id: string) =>
  and(eq(customRoles.clientId, account.id), eq(customRoles.id, id));

export async function ownRole(ctx: Context, id: string): Promise<CustomRole> {
  const [row] = await ctx.db.select().from(customRoles).where(isRole(ctx, id));
  if (!row) throw notFound("role");
  return customRoleOf(row);
}

async function holdersOf({ db, account }: Pick<Context, "db" | "account">): Promise<Map<string, RoleHolder[]>> {
  const members = await db
    .select({ roleId: memberships.customRoleId, name: operators.name })
    .from(memberships)
    .innerJoin(operators, eq(operators.id, memberships.operatorId))
    .where(and(eq(memberships.clientId, account.id), isNotNull(memberships.customRoleId), isNull(memberships.endedAt)))
    .orderBy(asc(operators.name));
  const invited = await db
    .select({ roleId: invitations.customRoleId, name: invitations.email })
    .from(invitations)
    .where(
      and(
        eq(invitations.clientId, account.id),
        isNotNull(invitations.customRoleId),
        isNull(invitations.acceptedAt),
        isNull(invitations.revokedAt),
      ),
    )
    .orderBy(asc(invitations.email));
  const held = new Map<string, RoleHolder[]>();
  const add = (isInvited: boolean) => (row: { roleId: string | null; name: string }) => {
    if (row.roleId) held.set(row.roleId, [...(held.get(row.roleId) ?? []), { name: row.name, isInvited }]);
  };
  members.forEach(add(false));
  invited.forEach(add(true));
  return held;
}

function differenceOf({ origin, rights }: Pick<RoleDraft, "origin" | "rights">): { added: Right[]; removed: Right[] } {
  return {
    added: OPTIONAL_RIGHTS.filter((right) => rights.includes(right) && !may(origin, right)),
    removed: OPTIONAL_RIGHTS.filter((right) => !rights.includes(right) && may(origin, right)),
  };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each) => other.includes(each));

async function namedOnce(work: () => Promise<RoleSaved>): Promise<RoleSaved> {
  try {
    return await work();
  } catch (thrown) {
    if (violatedConstraint(thrown) === "custom_roles_name") return { kind: "name_taken" };
    throw thrown;
  }
}
