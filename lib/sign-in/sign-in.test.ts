import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import { memberships, operatorSessions, operators, signInAttempts } from "@/db/schema/operators";
import { newId } from "@/lib/ids";
import {
  findOperatorSession,
  revokeSession,
  revokeSessionsOf,
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
  switchAccount,
} from "@/lib/operators/sessions";
import { createOperator, setPassword, signIn } from "@/lib/sign-in/service";
import { deleteOldAttempts, FAILURES_PER_PLACE } from "@/lib/sign-in/sign-in-attempts";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const PASSWORD = "correct horse battery staple";
const NOW = new Date("2026-11-20T15:00:00.000Z");
const later = (seconds: number) => addSeconds(NOW, seconds);

async function anAccount(mode: "sandbox" | "live" = "sandbox"): Promise<string> {
  const id = newId();
  await systemDb().insert(clients).values({ id, name: "Loja Azul", mode, createdAt: NOW });
  return id;
}

let people = 0;
async function aPerson() {
  const clientId = await anAccount();
  const email = `person-${++people}@example.com`;
  const { id } = await createOperator(
    systemDb(),
    { email, name: "Marina Prado", password: PASSWORD, clientId, role: "owner" },
    NOW,
  );
  return { id, email, clientId, address: `10.0.${people}.1` };
}

type Person = { email: string; address: string };
const attempt = (person: Person, password: string, now = NOW) =>
  signIn(systemDb(), { ...person, password, userAgent: "vitest" }, now);

async function signedIn(person: Person): Promise<string> {
  const outcome = await attempt(person, PASSWORD);
  if (outcome.kind !== "signed_in") throw new Error(`not signed in: ${outcome.kind}`);
  return outcome.sessionId;
}

describe("an operator", () => {
  test("signs in, whatever the case of the address, and sees their account", async () => {
    const person = await aPerson();
    const sessionId = await signedIn({ ...person, email: ` ${person.email.toUpperCase()} ` });
    const account = {
      id: person.clientId,
      name: "Loja Azul",
      mode: "sandbox",
      timeZone: null,
      role: "owner",
      merchants: null,
    };
    expect(await findOperatorSession(systemDb(), sessionId, NOW)).toEqual({
      sessionId,
      operator: { id: person.id, name: "Marina Prado", email: person.email, timeZone: null },
      account,
      accounts: [account],
      byCompanyFactor: false,
      barred: [],
    });
  });

  test("has one row for one address", async () => {
    const person = await aPerson();
    const twin = { email: person.email.toUpperCase(), name: "Another", password: PASSWORD, clientId: person.clientId };
    await expect(createOperator(systemDb(), { ...twin, role: "viewer" }, NOW)).rejects.toThrow("exists");
  });

  test("is not made with a weak password", async () => {
    const clientId = await anAccount();
    const weak = {
      email: "weak@example.com",
      name: "Weak",
      password: "password1234",
      clientId,
      role: "owner",
    } as const;
    await expect(createOperator(systemDb(), weak, NOW)).rejects.toThrow();
    expect(await systemDb().select().from(operators).where(eq(operators.email, weak.email))).toEqual([]);
  });

  test("leaves no password behind in any column", async () => {
    const person = await aPerson();
    await attempt(person, "a wrong password of mine");
    const rows = JSON.stringify([
      await systemDb().select().from(operators),
      await systemDb().select().from(signInAttempts),
    ]);
    expect(rows).not.toContain(PASSWORD);
    expect(rows).not.toContain("wrong password");
  });
});

describe("signing in", () => {
  test("answers wrong, unknown and disabled alike", async () => {
    const person = await aPerson();
    const gone = await aPerson();
    await systemDb().update(operators).set({ isDisabled: true }).where(eq(operators.id, gone.id));
    expect(await attempt(person, "not my password")).toEqual({ kind: "wrong" });
    expect(await attempt({ email: "nobody@example.com", address: "10.1.0.1" }, PASSWORD)).toEqual({ kind: "wrong" });
    expect(await attempt(gone, PASSWORD)).toEqual({ kind: "wrong" });
  });

  test("simultaneous guesses do not slip past the limit together", async () => {
    const person = await aPerson();
    const guesses = await Promise.all(Array.from({ length: 25 }, () => attempt(person, "not my password")));
    expect(guesses.filter(({ kind }) => kind === "wrong")).toHaveLength(FAILURES_PER_PLACE);
    expect((await attempt(person, PASSWORD)).kind).toBe("locked");
  });

  test("a success forgives the failures before it", async () => {
    const person = await aPerson();
    for (let failure = 0; failure < FAILURES_PER_PLACE - 1; failure++) await attempt(person, "not my password");
    expect((await attempt(person, PASSWORD, later(1))).kind).toBe("signed_in");
    expect((await attempt(person, "not my password", later(2))).kind).toBe("wrong");
    expect((await attempt(person, PASSWORD, later(3))).kind).toBe("signed_in");
  });

  test("old attempts are deleted", async () => {
    await attempt({ email: "old@example.com", address: "10.1.9.9" }, "x", later(-100 * DAY_SECONDS));
    await deleteOldAttempts(NOW);
    const rows = await systemDb().select().from(signInAttempts).where(eq(signInAttempts.place, "network:10.1.9.0/24"));
    expect(rows).toEqual([]);
  });
});

describe("a session", () => {
  test("ends after 15 idle minutes, and use keeps it alive", async () => {
    const sessionId = await signedIn(await aPerson());
    const nearlyIdle = SESSION_IDLE_SECONDS - 1;
    expect(await findOperatorSession(systemDb(), sessionId, later(nearlyIdle))).toBeDefined();
    expect(await findOperatorSession(systemDb(), sessionId, later(2 * nearlyIdle))).toBeDefined();
    expect(
      await findOperatorSession(systemDb(), sessionId, later(2 * nearlyIdle + SESSION_IDLE_SECONDS)),
    ).toBeUndefined();
  });

  test("ends after twelve hours however busy", async () => {
    const sessionId = await signedIn(await aPerson());
    for (let second = 600; second < SESSION_ABSOLUTE_SECONDS; second += 600) {
      expect(await findOperatorSession(systemDb(), sessionId, later(second))).toBeDefined();
    }
    expect(await findOperatorSession(systemDb(), sessionId, later(SESSION_ABSOLUTE_SECONDS))).toBeUndefined();
  });

  test("is over at once when signed out, revoked everywhere, or the person is disabled", async () => {
    const person = await aPerson();
    const [one, two, three] = [await signedIn(person), await signedIn(person), await signedIn(person)];
    await revokeSession(systemDb(), one, NOW);
    expect(await findOperatorSession(systemDb(), one, NOW)).toBeUndefined();
    expect(await findOperatorSession(systemDb(), two, NOW)).toBeDefined();
    await revokeSessionsOf(systemDb(), person.id, NOW);
    expect(await findOperatorSession(systemDb(), two, NOW)).toBeUndefined();
    expect(await findOperatorSession(systemDb(), three, NOW)).toBeUndefined();
    const four = await signedIn(person);
    await systemDb().update(operators).set({ isDisabled: true }).where(eq(operators.id, person.id));
    expect(await findOperatorSession(systemDb(), four, NOW)).toBeUndefined();
  });

  test("does not outlive a change of password, and the old password is gone", async () => {
    const person = await aPerson();
    const sessionId = await signedIn(person);
    await setPassword(systemDb(), person.id, "another long enough phrase", NOW);
    expect(await findOperatorSession(systemDb(), sessionId, NOW)).toBeUndefined();
    expect((await attempt(person, PASSWORD)).kind).toBe("wrong");
    expect((await attempt(person, "another long enough phrase", later(1))).kind).toBe("signed_in");
  });

  test("looks at an account of the person only, and loses it with the membership", async () => {
    const person = await aPerson();
    const second = await anAccount("live");
    const foreign = await anAccount();
    await systemDb()
      .insert(memberships)
      .values({ operatorId: person.id, clientId: second, role: "viewer", createdAt: later(1) });
    const sessionId = await signedIn(person);
    const current = await findOperatorSession(systemDb(), sessionId, NOW);
    if (!current) throw new Error("no session");
    expect(current.account?.id).toBe(person.clientId);
    expect(await switchAccount(systemDb(), current, foreign)).toBe(false);
    expect(await switchAccount(systemDb(), current, second)).toBe(true);
    const there = await findOperatorSession(systemDb(), sessionId, NOW);
    // Live, and nothing but a password was proven: it is looked at, and closed.
    expect(there?.withoutFactor).toMatchObject({ id: second, mode: "live" });
    expect(there?.account).toBeUndefined();
    await systemDb().delete(memberships).where(eq(memberships.operatorId, person.id));
    expect((await findOperatorSession(systemDb(), sessionId, NOW))?.account).toBeUndefined();
  });

  test("writes its activity at most twice a minute", async () => {
    const sessionId = await signedIn(await aPerson());
    await findOperatorSession(systemDb(), sessionId, later(10));
    const [row] = await systemDb().select().from(operatorSessions).where(eq(operatorSessions.id, sessionId));
    expect(row?.lastSeenAt).toEqual(NOW);
  });
});
