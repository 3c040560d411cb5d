import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "@/db/client";
import { customRoles, invitations, memberships, operators } from "@/db/schema/operators";
import {
  type CustomRole,
  may,
  type OperatorRole,
  type Right,
  type RoleName,
  rightsIn,
} from "@/lib/operators/permissions";

export const ofMembership = and(
  eq(customRoles.clientId, memberships.clientId),
  eq(customRoles.id, memberships.customRoleId),
);
export const ofInvitation = and(
  eq(customRoles.clientId, invitations.clientId),
  eq(customRoles.id, invitations.customRoleId),
);

export function customRoleOf(row: typeof customRoles.$inferSelect): CustomRole {
  const { id, name, origin } = row;
  if (origin === "owner") throw new Error(`role ${id} is made of the owner's`);
  return { id, name, origin, added: rightsIn(row.added), removed: rightsIn(row.removed) };
}

export const namedRole = (role: RoleName, custom: typeof customRoles.$inferSelect | null): RoleName | CustomRole =>
  custom ? customRoleOf(custom) : role;

/** With the merchants that exist for the person; null is all of them. */
export function heldRole(
  role: RoleName,
  custom: typeof customRoles.$inferSelect | null,
  merchants: readonly string[] | null,
): OperatorRole {
  const named = namedRole(role, custom);
  return merchants === null ? named : { limited: named };
}

export interface Colleague {
  operatorId: string;
  email: string;
  name: string;
  role: OperatorRole;
  merchants: readonly string[] | null;
}

/** Everybody of the account who may do something; `db` is systemDb(), or one that reads memberships and people. */
export async function colleaguesWho(db: Database, clientId: string, right: Right): Promise<Colleague[]> {
  const rows = await db
    .select({
      operatorId: operators.id,
      email: operators.email,
      name: operators.name,
      role: memberships.role,
      merchants: memberships.merchantIds,
      custom: customRoles,
    })
    .from(memberships)
    .innerJoin(operators, eq(operators.id, memberships.operatorId))
    .leftJoin(customRoles, ofMembership)
    .where(and(eq(memberships.clientId, clientId), isNull(memberships.endedAt), eq(operators.isDisabled, false)))
    .orderBy(operators.email);
  return rows
    .map(({ custom, role, ...person }) => ({ ...person, role: heldRole(role, custom, person.merchants) }))
    .filter(({ role }) => may(role, right));
}
