import { and, eq } from "drizzle-orm";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import { memberships, operators } from "@/db/schema/operators";
import { createAccount, loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { findOperatorSession } from "@/lib/operators/sessions";
import { signInByCompany } from "@/lib/sign-in/company-people";
import {
  backFromCompany,
  type CompanyClaims,
  leaveForCompany,
  ourCompany,
  RETURN_SECONDS,
} from "@/lib/sign-in/company-sign-in";
import { invite } from "@/lib/sign-in/invitations";
import { createOperator, signIn, signInSecondStep } from "@/lib/sign-in/service";
import { openTicket, sessionTicket } from "@/lib/sign-in/session-ticket";
import { FAILURES_PER_PLACE } from "@/lib/sign-in/sign-in-attempts";
import { beginTotp, confirmTotp, enrolmentOf } from "@/lib/sign-in/totp";
import { type CompanyServer, type Employee, openCompany, type Wrong } from "@/lib/testing/company";
import { sendQueued } from "@/lib/testing/mail";
import { addSeconds, realNow } from "@/lib/time";

const PASSWORD = "correct horse battery staple";
const FROM = { address: "203.0.113.7", userAgent: "vitest" };
const db = systemDb;

let server: CompanyServer;
beforeAll(async () => {
  server = await openCompany();
});
afterAll(() => server.close());

/** Leaves, signs in over there, and comes back. */
async function around(employee: Employee, wrong: Wrong = {}, now = realNow()) {
  const left = await leaveForCompany(server.company, "/dashboard/links", now);
  if (!left) throw new Error("the company does not answer");
  const query = server.signIn(left.url, employee, wrong);
  return { left, query, back: await backFromCompany(db(), server.company, { query, sealed: left.sealed }, now) };
}

const anEmployee = (more: Partial<Employee> = {}): Employee => ({
  sub: newId(),
  email: `ana-${newId()}@empresa.example`,
  email_verified: true,
  name: "Ana Prado",
  ...more,
});

describe("the way to the company's sign-in and back", () => {
  test("is not there where none is configured", () => {
    expect(ourCompany()).toBeUndefined();
  });

  test("leaves with proof, state and nonce, and brings what the company says, once", async () => {
    const employee = anEmployee({ amr: ["pwd", "mfa"] });
    const { left, query, back } = await around(employee);
    const asked = new URL(left.url).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: "code",
      scope: "openid email profile",
      code_challenge_method: "S256",
      redirect_uri: expect.stringMatching(/\/sign-in\/company\/return$/),
    });
    expect([asked.get("state"), asked.get("nonce"), asked.get("code_challenge")].every(Boolean)).toBe(true);
    expect(back).toEqual({
      kind: "back",
      returnTo: "/dashboard/links",
      claims: {
        issuer: server.company.issuer,
        subject: employee.sub,
        email: employee.email,
        name: "Ana Prado",
        isMultiFactor: true,
      },
    });
    const again = await backFromCompany(db(), server.company, { query, sealed: left.sealed }, realNow());
    expect(again).toEqual({ kind: "stale" });
  });

  test("an address that the company has not verified is no address", async () => {
    for (const email_verified of [false, undefined]) {
      const { back } = await around({
        sub: newId(),
        email: "ana@empresa.example",
        ...(email_verified === undefined ? {} : { email_verified }),
      });
      expect(back).toMatchObject({ kind: "back", claims: { email: undefined, isMultiFactor: false } });
    }
  });

  test.each<[string, Wrong]>([
    ["another nonce", { nonce: "of-somebody-else" }],
    ["another audience", { audience: "another-client" }],
    ["another issuer", { issuer: "https://evil.example" }],
    ["a word that has ended", { expiresIn: -300 }],
    ["another's signature", { isForged: true }],
  ])("%s is refused", async (_what, wrong) => {
    expect((await around(anEmployee(), wrong)).back).toEqual({ kind: "refused" });
  });

  test("a code that was used is refused, with a new state too", async () => {
    const { query } = await around(anEmployee());
    const left = await leaveForCompany(server.company, "/dashboard", realNow());
    const params = new URLSearchParams(query);
    params.set("state", new URL(left?.url ?? "").searchParams.get("state") ?? "");
    const back = await backFromCompany(
      db(),
      server.company,
      { query: `?${params}`, sealed: left?.sealed ?? "" },
      realNow(),
    );
    expect(back).toEqual({ kind: "refused" });
  });

  test("another browser, another state, and whoever took too long begin again", async () => {
    const now = realNow();
    const left = await leaveForCompany(server.company, "/dashboard", now);
    const other = await leaveForCompany(server.company, "/dashboard", now);
    const query = server.signIn(left?.url ?? "", anEmployee());
    const back = (given: { query: string; sealed: string }, at = now) =>
      backFromCompany(db(), server.company, given, at);
    expect(await back({ query, sealed: "" })).toEqual({ kind: "stale" });
    expect(await back({ query, sealed: other?.sealed ?? "" })).toEqual({ kind: "stale" });
    expect(await back({ query: "?code=x", sealed: left?.sealed ?? "" })).toEqual({ kind: "stale" });
    const late = addSeconds(now, RETURN_SECONDS + 1);
    expect(await back({ query, sealed: left?.sealed ?? "" }, late)).toEqual({ kind: "stale" });
  });

  test("a no over there is a no here", async () => {
    const left = await leaveForCompany(server.company, "/dashboard", realNow());
    const state = new URL(left?.url ?? "").searchParams.get("state") ?? "";
    const query = `?${new URLSearchParams({ error: "access_denied", state })}`;
    const back = await backFromCompany(db(), server.company, { query, sealed: left?.sealed ?? "" }, realNow());
    expect(back).toEqual({ kind: "refused" });
  });

  test("the secret is shown as the company takes it", async () => {
    const own = await openCompany({ isBasic: true });
    const left = await leaveForCompany(own.company, "/dashboard", realNow());
    const query = own.signIn(left?.url ?? "", anEmployee());
    const back = await backFromCompany(db(), own.company, { query, sealed: left?.sealed ?? "" }, realNow());
    expect(back.kind).toBe("back");
    await own.close();
  });

  test("a company that does not answer is said to, before leaving and after, and is asked again later", async () => {
    const own = await openCompany();
    const left = await leaveForCompany(own.company, "/dashboard", realNow());
    const query = own.signIn(left?.url ?? "", anEmployee());
    await own.close();
    const back = await backFromCompany(db(), own.company, { query, sealed: left?.sealed ?? "" }, realNow());
    expect(back).toEqual({ kind: "unreachable" });
    const gone = { ...own.company, clientId: "another" };
    expect(await leaveForCompany(gone, "/dashboard", realNow())).toBeUndefined();
  });
});

interface Person {
  id: string;
  email: string;
  clientId: string;
}

async function aPerson(): Promise<Person> {
  const { clientId } = await createAccount({ name: "Loja", mode: "sandbox" });
  const email = `ana-${newId()}@empresa.example`;
  const { id } = await createOperator(db(), { email, name: "Ana", password: PASSWORD, clientId, role: "owner" });
  return { id, email, clientId };
}

const saysOf = (email: string | undefined, more: Partial<CompanyClaims> = {}): CompanyClaims => ({
  issuer: "https://login.empresa.example",
  subject: newId(),
  email,
  name: "Ana Prado",
  isMultiFactor: false,
  ...more,
});

const enter = (claims: CompanyClaims, now = realNow()) => signInByCompany(db(), claims, FROM, now);

async function entered(claims: CompanyClaims): Promise<string> {
  const outcome = await enter(claims);
  if (outcome.kind !== "signed_in") throw new Error(outcome.kind);
  return outcome.sessionId;
}

describe("whom the company vouches for", () => {
  test("gets in as a member, bound by their name over there from then on, and the log says so", async () => {
    const person = await aPerson();
    const claims = saysOf(person.email.toUpperCase());
    const session = await findOperatorSession(db(), await entered(claims), realNow());
    expect(session).toMatchObject({ operator: { id: person.id }, byCompanyFactor: false });
    await entered({ ...claims, email: undefined });
    await entered({ ...claims, email: "another@empresa.example" });
    const acts = await db()
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(and(eq(auditLog.clientId, person.clientId), eq(auditLog.objectId, person.id)));
    expect(acts.map(({ action }) => action).sort()).toEqual([
      "operator.bind",
      "operator.sign-in",
      "operator.sign-in",
      "operator.sign-in",
    ]);
  });

  test("another name with the same address is somebody else", async () => {
    const person = await aPerson();
    await entered(saysOf(person.email));
    expect(await enter(saysOf(person.email))).toEqual({ kind: "unknown" });
  });

  test("nobody without an invitation, without a verified address, disabled, or out of every team", async () => {
    const [disabled, gone] = [await aPerson(), await aPerson()];
    await db().update(operators).set({ isDisabled: true }).where(eq(operators.id, disabled.id));
    await db().update(memberships).set({ endedAt: realNow() }).where(eq(memberships.operatorId, gone.id));
    const before = await db().select({ id: operators.id }).from(operators);
    for (const email of [`new-${newId()}@empresa.example`, undefined, disabled.email, gone.email])
      expect(await enter(saysOf(email))).toEqual({ kind: "unknown" });
    expect(await db().select({ id: operators.id }).from(operators)).toHaveLength(before.length);
  });

  test("who was invited joins as they were invited, and has no password that anybody knows", async () => {
    const owner = await aPerson();
    const context = systemContext(await loadAccount(owner.clientId), newId());
    const ctx = { ...context, principal: { kind: "operator", operatorId: owner.id } as const };
    const email = `bia-${newId()}@empresa.example`;
    await invite(ctx, { email, role: "support", locale: "en" });
    const session = await findOperatorSession(db(), await entered(saysOf(email, { name: "Bia Reis" })), realNow());
    expect(session).toMatchObject({
      operator: { name: "Bia Reis", email },
      account: { id: owner.clientId, role: "support" },
    });
    const typed = await signIn(db(), { email, password: PASSWORD, ...FROM }, realNow());
    expect(typed).toEqual({ kind: "wrong" });
  });

  test("our second factor is asked for unless the company asked for one", async () => {
    const person = await aPerson();
    const now = realNow();
    await beginTotp(db(), person, now);
    const secret = (await enrolmentOf(db(), person))?.secret ?? "";
    const doer = { operatorId: person.id, address: null };
    await confirmTotp(db(), doer, new TOTP({ secret }).generate({ timestamp: now.getTime() }), now);
    const claims = saysOf(person.email);
    const asked = await enter(claims);
    if (asked.kind !== "second_factor") throw new Error(asked.kind);
    const wrong = await signInSecondStep(db(), { challenge: asked.challenge, code: "000000", ...FROM }, realNow());
    expect(wrong.kind).toBe("wrong");
    const later = addSeconds(now, 60);
    const code = new TOTP({ secret }).generate({ timestamp: later.getTime() });
    const right = await signInSecondStep(db(), { challenge: asked.challenge, code, ...FROM }, later);
    expect(right.kind).toBe("signed_in");
    const session = await findOperatorSession(db(), await entered({ ...claims, isMultiFactor: true }), realNow());
    expect(session?.byCompanyFactor).toBe(true);
  });

  test("a new device is told of, as at the form", async () => {
    const person = await aPerson();
    const claims = saysOf(person.email);
    await entered(claims);
    await signInByCompany(db(), claims, { address: "198.51.100.9", userAgent: "Mozilla/5.0 Firefox/140" }, realNow());
    const told = (await sendQueued(null)).filter(({ to }) => to === person.email);
    expect(told.map(({ template }) => template)).toEqual(["new-sign-in"]);
  });

  test("guesses at the form lock nobody out here", async () => {
    const person = await aPerson();
    const guess = { email: person.email, password: "not the password", address: null, userAgent: null };
    for (let tried = 0; tried < FAILURES_PER_PLACE; tried++) await signIn(db(), guess, realNow());
    expect((await signIn(db(), guess, realNow())).kind).toBe("locked");
    expect((await enter(saysOf(person.email))).kind).toBe("signed_in");
  });
});

test("a ticket names one session for half a minute, and nobody else makes one", () => {
  const now = realNow();
  const given = { operatorId: newId(), sessionId: newId() };
  const ticket = sessionTicket(given, now);
  expect(openTicket(ticket, addSeconds(now, 29))).toEqual(given);
  for (const [text, at] of [
    [ticket, addSeconds(now, 31)],
    [`A${ticket.slice(1)}`, now],
    ["", now],
    [given.sessionId, now],
  ] as const)
    expect(openTicket(text, at)).toBeUndefined();
});
