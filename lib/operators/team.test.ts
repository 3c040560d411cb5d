import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import { notices } from "@/db/schema/notices";
import { invitations, memberships, operators } from "@/db/schema/operators";
import { createAccount, loadAccount } from "@/lib/accounts/service";
import { type Context, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import type { RoleChoice } from "@/lib/operators/custom-roles";
import { secondPersonAbove } from "@/lib/operators/second-person";
import { findOperatorSession } from "@/lib/operators/sessions";
import { changeMember, listMembers, removeMember } from "@/lib/operators/team";
import {
  acceptInvitation,
  invitationOf,
  invite,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from "@/lib/sign-in/invitations";
import { createOperator, signIn } from "@/lib/sign-in/service";
import { sendQueued } from "@/lib/testing/mail";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const PASSWORD = "correct horse battery staple";
const db = systemDb;
let made = 0;
const anEmail = () => `person-${++made}-${newId().slice(-6)}@equipe.example`;

interface Team {
  ctx: Context;
  owner: { id: string; email: string };
}

async function aTeam(): Promise<Team> {
  const { clientId } = await createAccount({ name: `Loja ${++made}`, mode: "sandbox" });
  const email = anEmail();
  const { id } = await createOperator(db(), { email, name: "Ana Prado", password: PASSWORD, clientId, role: "owner" });
  const ctx: Context = {
    ...systemContext(await loadAccount(clientId), newId()),
    principal: { kind: "operator", operatorId: id },
  };
  return { ctx, owner: { id, email } };
}

async function invited({ ctx }: Team, role: RoleChoice = "support", email = anEmail()) {
  const sent = await invite(ctx, { email, role, locale: "en" });
  if (sent.kind !== "sent") throw new Error(`not invited: ${sent.kind}`);
  return { email, id: sent.id, token: sent.url.split("/").at(-1) ?? "" };
}

const accept = (token: string, typed = { name: "Bia Reis", password: PASSWORD }, now = realNow()) =>
  acceptInvitation(db(), token, typed, "10.9.0.1", now);

async function joined(team: Team, role: RoleChoice = "support") {
  const { email, token } = await invited(team, role);
  expect(await accept(token)).toEqual({ kind: "joined", email, isNew: true });
  const [person] = await db().select().from(operators).where(eq(operators.email, email));
  return { id: person?.id ?? "", email };
}

async function signedIn({ email }: { email: string }): Promise<string> {
  const outcome = await signIn(db(), { email, password: PASSWORD, address: null, userAgent: null }, realNow());
  if (outcome.kind !== "signed_in") throw new Error(outcome.kind);
  return outcome.sessionId;
}

const sessionOf = (id: string) => findOperatorSession(db(), id, realNow());

const noticesOf = async ({ ctx }: Team) =>
  db()
    .select({
      kind: notices.kind,
      name: notices.name,
      by: notices.byName,
      path: notices.path,
      askedBy: notices.askedBy,
    })
    .from(notices)
    .where(eq(notices.clientId, ctx.account.id))
    .orderBy(notices.kind, notices.name);

const actionsOn = async ({ ctx }: Team, objectId: string) =>
  (
    await db()
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(and(eq(auditLog.clientId, ctx.account.id), eq(auditLog.objectId, objectId)))
      .orderBy(auditLog.id)
  ).map(({ action }) => action);

describe("an invitation", () => {
  test("is written to the person with the only copy of the link, and lets them in with a password of their own", async () => {
    const team = await aTeam();
    await sendQueued(null);
    const { email, token, id } = await invited(team, "finance");
    const [mail] = await sendQueued(null);
    expect(mail).toMatchObject({ template: "operator-invitation", to: email });
    expect(mail?.text).toContain(`/join/${token}`);
    expect(mail?.text).toMatch(/Your role\s+Finance/);
    const [row] = await db().select().from(invitations).where(eq(invitations.id, id));
    expect(JSON.stringify(row)).not.toContain(token);
    expect(await invitationOf(db(), token, realNow())).toMatchObject({ email, role: "finance", person: null });
    expect(await accept(token)).toMatchObject({ kind: "joined", isNew: true });
    expect(await listMembers(team.ctx)).toMatchObject([{ role: "owner" }, { email, role: "finance", factor: null }]);
    expect((await sessionOf(await signedIn({ email })))?.account?.role).toBe("finance");
    expect(await listInvitations(team.ctx)).toEqual([]);
  });

  test("tells the team who joined and who invited them, and who changed whose access", async () => {
    const team = await aTeam();
    const { id, email } = await joined(team);
    const path = "/dashboard/settings/team";
    const told = { kind: "member_joined", name: "Bia Reis", by: "Ana Prado", path, askedBy: id };
    expect(await noticesOf(team)).toEqual([told]);
    await changeMember(team.ctx, id, { role: "finance" });
    const changed = { kind: "role_changed", name: "Bia Reis", by: "Ana Prado", path, askedBy: null };
    expect(await noticesOf(team)).toEqual([told, changed]);
    const other = await aTeam();
    await db().update(operators).set({ name: "" }).where(eq(operators.id, id));
    const { token } = await invited(
      { ...other, ctx: { ...other.ctx, principal: { kind: "system" } } },
      "support",
      email,
    );
    await accept(token);
    expect(await noticesOf(other)).toMatchObject([{ kind: "member_joined", name: email, by: "Trilho" }]);
  });

  test("works once, also when two people press at the same time", async () => {
    const { token } = await invited(await aTeam());
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => accept(token).catch((thrown: unknown) => ({ kind: "threw", thrown }))),
    );
    expect(outcomes.filter(({ kind }) => kind === "joined")).toHaveLength(1);
    expect(await accept(token)).toEqual({ kind: "closed" });
  });

  test("ends after seven days, when taken back, and when a newer one is sent", async () => {
    const team = await aTeam();
    const first = await invited(team);
    expect(await accept(first.token, undefined, addSeconds(realNow(), 7 * DAY_SECONDS + 1))).toEqual({
      kind: "closed",
    });
    const again = await resendInvitation(team.ctx, first.id, "en");
    expect(again.kind).toBe("sent");
    expect(await accept(first.token)).toEqual({ kind: "closed" });
    const open = await listInvitations(team.ctx);
    expect(open).toHaveLength(1);
    await revokeInvitation(team.ctx, open[0]?.id ?? "");
    expect(await accept(again.kind === "sent" ? (again.url.split("/").at(-1) ?? "") : "")).toEqual({ kind: "closed" });
    expect(await listInvitations(team.ctx)).toEqual([]);
  });

  test("brings somebody who exists into another account, without their name or password changing", async () => {
    const [one, two] = [await aTeam(), await aTeam()];
    const { token } = await invited(two, "viewer", one.owner.email);
    expect(await accept(token, { name: "Mallory", password: "another long phrase here" })).toMatchObject({
      kind: "joined",
      isNew: false,
    });
    const session = await sessionOf(await signedIn(one.owner));
    expect(session?.operator.name).toBe("Ana Prado");
    expect(session?.accounts.map(({ id }) => id)).toEqual([one.ctx.account.id, two.ctx.account.id]);
  });

  test("is refused for a member, for a weak password and without a name", async () => {
    const team = await aTeam();
    expect(await invite(team.ctx, { email: team.owner.email.toUpperCase(), role: "viewer", locale: "en" })).toEqual({
      kind: "already_member",
    });
    const { token } = await invited(team);
    expect(await accept(token, { name: "Bia", password: "short" })).toEqual({ kind: "unfit", problem: "too_short" });
    expect(await accept(token, { name: " ", password: PASSWORD })).toEqual({ kind: "nameless" });
    expect((await accept(token)).kind).toBe("joined");
  });

  test("of another account cannot be taken back or sent again", async () => {
    const [mine, theirs] = [await aTeam(), await aTeam()];
    const { id, token } = await invited(theirs);
    await expect(revokeInvitation(mine.ctx, id)).rejects.toMatchObject({ status: 404 });
    await expect(resendInvitation(mine.ctx, id, "en")).rejects.toMatchObject({ status: 404 });
    expect((await accept(token)).kind).toBe("joined");
  });
});

describe("a member", () => {
  test("with another role signs in again everywhere", async () => {
    const team = await aTeam();
    const person = await joined(team);
    const sessionId = await signedIn(person);
    expect(await changeMember(team.ctx, person.id, { role: "viewer" })).toBe("done");
    expect(await sessionOf(sessionId)).toBeUndefined();
    expect((await sessionOf(await signedIn(person)))?.account?.role).toBe("viewer");
    expect(await actionsOn(team, person.id)).toContain("member.change");
  });

  test("may be given refund limits of their own, and stays signed in", async () => {
    const team = await aTeam();
    const person = await joined(team, "support");
    const sessionId = await signedIn(person);
    expect((await listMembers(team.ctx))[1]?.refunds).toEqual({ each: 500_00, daily: 2_000_00 });
    await changeMember(team.ctx, person.id, { role: "support", refunds: { each: 10_00, daily: 20_00 } });
    expect((await listMembers(team.ctx))[1]?.refunds).toEqual({ each: 10_00, daily: 20_00 });
    expect(await sessionOf(sessionId)).toBeDefined();
  });

  test("who is removed is out at once, keeps their name in what they did, and can come back", async () => {
    const team = await aTeam();
    const person = await joined(team);
    const sessionId = await signedIn(person);
    expect(await removeMember(team.ctx, person.id)).toBe("done");
    expect(await sessionOf(sessionId)).toBeUndefined();
    expect((await sessionOf(await signedIn(person)))?.accounts).toEqual([]);
    expect(await listMembers(team.ctx)).toHaveLength(1);
    const { token } = await invited(team, "viewer", person.email);
    expect(await accept(token)).toMatchObject({ kind: "joined", isNew: false });
    expect((await sessionOf(await signedIn(person)))?.account?.role).toBe("viewer");
  });

  test("of another account is not found", async () => {
    const [mine, theirs] = [await aTeam(), await aTeam()];
    const person = await joined(theirs);
    await expect(removeMember(mine.ctx, person.id)).rejects.toMatchObject({ status: 404 });
    await expect(changeMember(mine.ctx, person.id, { role: "viewer" })).rejects.toMatchObject({ status: 404 });
    expect(await listMembers(theirs.ctx)).toHaveLength(2);
  });
});

describe("the last owner", () => {
  test("can neither go nor become something else", async () => {
    const team = await aTeam();
    expect(await removeMember(team.ctx, team.owner.id)).toBe("last_owner");
    expect(await changeMember(team.ctx, team.owner.id, { role: "viewer" })).toBe("last_owner");
  });

  test("is there after two owners removed each other in the same moment", async () => {
    const team = await aTeam();
    const other = await joined(team, "owner");
    const outcomes = await Promise.all([removeMember(team.ctx, team.owner.id), removeMember(team.ctx, other.id)]);
    expect(outcomes.sort()).toEqual(["done", "last_owner"]);
    expect(await listMembers(team.ctx)).toMatchObject([{ role: "owner" }]);
  });
});

test("the second person who may resolve reviews switches the rule of two people on, and their removal off", async () => {
  const team = await aTeam();
  const above = () => secondPersonAbove(team.ctx, "reviews.resolve", 1_000_00);
  expect(await above()).toBeNull();
  await joined(team, "viewer");
  expect(await above()).toBeNull();
  const second = await joined(team, "operations");
  expect(await above()).toBe(1_000_00);
  await removeMember(team.ctx, second.id);
  expect(await above()).toBeNull();
  const rows = await db().select().from(memberships).where(eq(memberships.operatorId, second.id));
  expect(rows).toMatchObject([{ endedAt: expect.any(Date) }]);
});
