import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { systemDb, systemSql } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import { createAccount, loadAccount } from "@/lib/accounts/service";
import { type Context, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { changeRole, createRole, deleteRole, listRoles, type RoleDraft } from "@/lib/operators/custom-roles";
import { may, OPTIONAL_RIGHTS, RIGHT_NAMES, type RoleName, usualLimits } from "@/lib/operators/permissions";
import { secondPersonAbove } from "@/lib/operators/second-person";
import { findOperatorSession } from "@/lib/operators/sessions";
import { changeMember, listMembers, removeMember } from "@/lib/operators/team";
import { acceptInvitation, invite, listInvitations } from "@/lib/sign-in/invitations";
import { createOperator, signIn } from "@/lib/sign-in/service";
import { realNow } from "@/lib/time";

const PASSWORD = "correct horse battery staple";
const db = systemDb;
const rightsOf = (role: RoleName) => OPTIONAL_RIGHTS.filter((right) => may(role, right));
let made = 0;

interface Team {
  ctx: Context;
  ownerId: string;
}

async function aTeam(): Promise<Team> {
  const { clientId } = await createAccount({ name: `Loja ${++made}`, mode: "sandbox" });
  const email = `owner-${newId().slice(-8)}@equipe.example`;
  const { id } = await createOperator(db(), { email, name: "Ana Prado", password: PASSWORD, clientId, role: "owner" });
  const account = await loadAccount(clientId);
  return { ctx: { ...systemContext(account, newId()), principal: { kind: "operator", operatorId: id } }, ownerId: id };
}

async function joined({ ctx }: Team, role: RoleName, name = "Bia Reis") {
  const email = `person-${newId().slice(-8)}@equipe.example`;
  const clientId = ctx.account.id;
  const { id } = await createOperator(db(), { email, name, password: PASSWORD, clientId, role });
  return { id, email };
}

async function signedIn({ email }: { email: string }): Promise<string> {
  const outcome = await signIn(db(), { email, password: PASSWORD, address: null, userAgent: null }, realNow());
  if (outcome.kind !== "signed_in") throw new Error(outcome.kind);
  return outcome.sessionId;
}

const roleAt = async (sessionId: string) => (await findOperatorSession(db(), sessionId, realNow()))?.account?.role;

async function aRole({ ctx }: Team, changes: Partial<RoleDraft> = {}): Promise<string> {
  const draft: RoleDraft = { name: `Papel ${++made}`, origin: "support", rights: rightsOf("support"), ...changes };
  const saved = await createRole(ctx, draft);
  if (saved.kind !== "saved") throw new Error(saved.kind);
  return saved.id;
}

describe("a role of the account's own", () => {
  test("may what its origin may, and what was added, without what was taken away: by the one table", async () => {
    const team = await aTeam();
    const rights = [...rightsOf("support").filter((right) => right !== "payments.refund"), "ledger.see" as const];
    const id = await aRole(team, { rights });
    expect(await listRoles(team.ctx)).toMatchObject([
      { id, origin: "support", added: ["ledger.see"], removed: ["payments.refund"], holders: [] },
    ]);
    const person = await joined(team, "viewer");
    await changeMember(team.ctx, person.id, { role: { customRoleId: id } });
    const role = await roleAt(await signedIn(person));
    if (!role) throw new Error("no role");
    expect(RIGHT_NAMES.filter((right) => may(role, right)).sort()).toEqual([...rights].sort());
  });

  test("is never given what is the owners' alone, not even by hand in the database", async () => {
    const team = await aTeam();
    const id = await aRole(team, { rights: RIGHT_NAMES });
    const [role] = await listRoles(team.ctx);
    expect(role?.added).not.toContain("team.manage");
    await systemSql()`update custom_roles set added = '{team.manage,payments.fly}' where id = ${id}`;
    const [forged] = await listRoles(team.ctx);
    expect(forged && may(forged, "team.manage")).toBe(false);
    expect(forged?.added).not.toContain("payments.fly");
    await expect(systemSql()`update custom_roles set origin = 'owner' where id = ${id}`).rejects.toThrow(/origin/);
  });

  test("with the right to refund where the origin has none has the strictest limit", async () => {
    const team = await aTeam();
    await aRole(team, { origin: "viewer", rights: [...rightsOf("viewer"), "payments.refund"] });
    await aRole(team, { origin: "finance", rights: rightsOf("finance") });
    const limits = (await listRoles(team.ctx)).map((role) => [role.origin, usualLimits(role)]);
    expect(Object.fromEntries(limits)).toEqual({ viewer: { each: 500_00, daily: 2_000_00 }, finance: undefined });
  });

  test("that changes its rights is another access: its holders sign in again, and a new name alone ends nothing", async () => {
    const team = await aTeam();
    const rights = rightsOf("support");
    const id = await aRole(team, { rights });
    const person = await joined(team, "viewer");
    await changeMember(team.ctx, person.id, { role: { customRoleId: id } });
    const sessionId = await signedIn(person);
    expect(await changeRole(team.ctx, id, { name: "Outro nome", rights })).toMatchObject({ kind: "saved" });
    expect(await roleAt(sessionId)).toMatchObject({ name: "Outro nome" });
    await changeRole(team.ctx, id, { name: "Outro nome", rights: rights.slice(1) });
    expect(await roleAt(sessionId)).toBeUndefined();
  });

  test("that somebody holds or is invited to is not deleted, and its people are named; afterwards it is", async () => {
    const team = await aTeam();
    const id = await aRole(team);
    const person = await joined(team, "viewer", "Caio Lima");
    await changeMember(team.ctx, person.id, { role: { customRoleId: id } });
    const sent = await invite(team.ctx, { email: "davi@equipe.example", role: { customRoleId: id }, locale: "en" });
    expect(await deleteRole(team.ctx, id)).toEqual({
      kind: "in_use",
      holders: [
        { name: "Caio Lima", isInvited: false },
        { name: "davi@equipe.example", isInvited: true },
      ],
    });
    await removeMember(team.ctx, person.id);
    const token = sent.kind === "sent" ? (sent.url.split("/").at(-1) ?? "") : "";
    await acceptInvitation(db(), token, { name: "Davi Melo", password: PASSWORD }, null, realNow());
    expect(await listInvitations(team.ctx)).toEqual([]);
    const davi = (await listMembers(team.ctx)).find(({ name }) => name === "Davi Melo");
    expect(davi?.role).toMatchObject({ id });
    expect(await deleteRole(team.ctx, id)).toMatchObject({ kind: "in_use" });
    await changeMember(team.ctx, davi?.id ?? "", { role: "viewer" });
    expect(await deleteRole(team.ctx, id)).toEqual({ kind: "deleted" });
    expect(await listRoles(team.ctx)).toEqual([]);
  });

  test("is known by its name once, and each change of it stands in the audit log", async () => {
    const team = await aTeam();
    const id = await aRole(team, { name: "Caixa" });
    expect(await createRole(team.ctx, { name: "CAIXA", origin: "viewer", rights: [] })).toEqual({ kind: "name_taken" });
    await changeRole(team.ctx, id, { name: "Caixa 2", rights: [] });
    await deleteRole(team.ctx, id);
    const rows = await db()
      .select({ action: auditLog.action, actor: auditLog.actor })
      .from(auditLog)
      .where(and(eq(auditLog.clientId, team.ctx.account.id), eq(auditLog.objectId, id)))
      .orderBy(auditLog.id);
    const actor = `operator:${team.ownerId}`;
    expect(rows).toEqual(["role.create", "role.change", "role.delete"].map((action) => ({ action, actor })));
  });

  test("of another account is unknown: neither changed, nor deleted, nor given to anybody", async () => {
    const [mine, theirs] = [await aTeam(), await aTeam()];
    const id = await aRole(theirs);
    const person = await joined(mine, "viewer");
    const role = { customRoleId: id };
    await expect(changeRole(mine.ctx, id, { name: "Meu", rights: [] })).rejects.toMatchObject({ status: 404 });
    await expect(deleteRole(mine.ctx, id)).rejects.toMatchObject({ status: 404 });
    await expect(changeMember(mine.ctx, person.id, { role })).rejects.toMatchObject({ status: 404 });
    await expect(invite(mine.ctx, { email: "x@equipe.example", role, locale: "en" })).rejects.toMatchObject({
      status: 404,
    });
    expect(await listRoles(mine.ctx)).toEqual([]);
  });

  test("makes nobody an owner: the last owner cannot take one", async () => {
    const team = await aTeam();
    const customRoleId = await aRole(team);
    expect(await changeMember(team.ctx, team.ownerId, { role: { customRoleId } })).toBe("last_owner");
  });

  test("counts as the second person only while it has the right", async () => {
    const team = await aTeam();
    const person = await joined(team, "viewer");
    const above = () => secondPersonAbove(team.ctx, "reviews.resolve", 1_000_00);
    const rights = rightsOf("operations");
    const without = await aRole(team, { origin: "operations", rights: rights.filter((r) => r !== "reviews.resolve") });
    await changeMember(team.ctx, person.id, { role: { customRoleId: without } });
    expect(await above()).toBeNull();
    const customRoleId = await aRole(team, { origin: "viewer", rights: ["payments.see", "reviews.resolve"] });
    await changeMember(team.ctx, person.id, { role: { customRoleId } });
    expect(await above()).toBe(1_000_00);
  });
});
