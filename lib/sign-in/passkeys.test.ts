import { and, eq, like } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import { createAccount } from "@/lib/accounts/service";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import {
  addPasskey,
  askForPasskey,
  beginPasskey,
  hasSecondFactor,
  passkeysOf,
  removePasskey,
  renamePasskey,
  takePasskey,
} from "@/lib/sign-in/passkeys";
import { createOperator, passkeyOfStep, signIn, signInSecondStep } from "@/lib/sign-in/service";
import { FAILURES_PER_PLACE } from "@/lib/sign-in/sign-in-attempts";
import { beginTotp, confirmTotp, enrolmentOf } from "@/lib/sign-in/totp";
import { newAuthenticator } from "@/lib/testing/authenticator";
import { addSeconds, realNow } from "@/lib/time";

const PASSWORD = "correct horse battery staple";
const db = systemDb;
const FROM = { address: null, userAgent: null };

interface Person {
  id: string;
  name: string;
  email: string;
  clientId: string;
  doer: { operatorId: string; address: null };
}

async function aPerson(): Promise<Person> {
  const { clientId } = await createAccount({ name: "Loja", mode: "live" });
  const email = `${newId()}@equipe.example`;
  const name = "Ana Prado";
  const { id } = await createOperator(db(), { email, name, password: PASSWORD, clientId, role: "owner" });
  return { id, name, email, clientId, doer: { operatorId: id, address: null } };
}

type Key = ReturnType<typeof newAuthenticator>;
const aKey = (): Key => newAuthenticator(env().BASE_URL);

async function begun(person: Person) {
  const asked = await beginPasskey(db(), person.doer, person, PASSWORD, realNow());
  if (typeof asked === "string") throw new Error(asked);
  return asked;
}

async function withKey(key: Key, person?: Person): Promise<Person & { codes: string[] }> {
  const owner = person ?? (await aPerson());
  const answer = key.make(await begun(owner));
  const added = await addPasskey(db(), owner.doer, { answer, name: "Notebook" }, realNow());
  if (added === "refused") throw new Error(added);
  return { ...owner, codes: added.codes ?? [] };
}

async function asked(person: Person) {
  const options = await askForPasskey(db(), person.id, realNow());
  if (!options) throw new Error("no passkey");
  return options;
}

const takes = (person: Person, answer: string, now = realNow()) => takePasskey(db(), person.id, answer, now);

let key: Key;
beforeEach(() => {
  key = aKey();
});

describe("an authenticator app beside a passkey", () => {
  const beginning = (person: Person, password?: string) =>
    beginTotp(db(), person, realNow(), password === undefined ? undefined : { doer: person.doer, password });

  test("is begun with the password again, and with nothing less", async () => {
    const person = await withKey(key);
    expect(await beginning(person)).toBe("password_needed");
    expect(await beginning(person, "")).toBe("password_needed");
    expect(await beginning(person, "another phrase here")).toBe("wrong");
    expect(await enrolmentOf(db(), person)).toBeUndefined();
    expect(await beginning(person, PASSWORD)).toBe("begun");
    expect(await enrolmentOf(db(), person)).toMatchObject({ secret: expect.any(String) });
  });

  test("is guessed at no faster than at the door", async () => {
    const person = await withKey(key);
    for (let tried = 0; tried < FAILURES_PER_PLACE; tried++) await beginning(person, "another phrase here");
    expect(await beginning(person, PASSWORD)).toBe("locked");
  });

  test("that was begun before the passkey was there is begun anew", async () => {
    const person = await aPerson();
    expect(await beginning(person)).toBe("begun");
    await withKey(key, person);
    expect(await enrolmentOf(db(), person)).toBeUndefined();
    expect(await confirmTotp(db(), person.doer, "123456", realNow())).toBe("wrong");
  });
});

describe("a passkey", () => {
  test("is added with the password, brings recovery codes once, and counts as the second factor", async () => {
    const person = await aPerson();
    expect(await hasSecondFactor(db(), person.id)).toBe(false);
    expect(await beginPasskey(db(), person.doer, person, "another phrase here", realNow())).toBe("wrong");
    const { codes } = await withKey(key, person);
    expect(codes).toHaveLength(10);
    expect(await hasSecondFactor(db(), person.id)).toBe(true);
    expect((await withKey(aKey(), person)).codes).toEqual([]);
    expect(await passkeysOf(db(), person.id)).toMatchObject([{ name: "Notebook", lastUsedAt: null }, {}]);
  });

  test("is asked for after the password, and lets the person in", async () => {
    const person = await withKey(key);
    const first = await signIn(db(), { email: person.email, password: PASSWORD, ...FROM }, realNow());
    if (first.kind !== "second_factor") throw new Error(first.kind);
    const options = await passkeyOfStep(db(), first.challenge, realNow());
    if (!options) throw new Error("nothing asked");
    const passkey = key.sign(options);
    const step = { challenge: first.challenge, passkey, ...FROM };
    expect(await signInSecondStep(db(), step, realNow())).toMatchObject({ kind: "signed_in" });
    expect(await signInSecondStep(db(), step, realNow())).toEqual({ kind: "over" });
    expect((await passkeysOf(db(), person.id))[0]?.lastUsedAt).toBeInstanceOf(Date);
  });

  test("stands aside for a recovery code, which works once", async () => {
    const person = await withKey(key);
    const enter = async () => {
      const first = await signIn(db(), { email: person.email, password: PASSWORD, ...FROM }, realNow());
      if (first.kind !== "second_factor") throw new Error(first.kind);
      const step = { challenge: first.challenge, code: person.codes[0] ?? "", ...FROM };
      return (await signInSecondStep(db(), step, realNow())).kind;
    };
    expect(await enter()).toBe("signed_in");
    expect(await enter()).toBe("wrong");
  });
});

describe("an answer is refused", () => {
  test("that was signed on another page, for another host, to another question or a second time", async () => {
    const person = await withKey(key);
    for (const lie of [
      { origin: "https://trilho.test.evil.example" },
      { rpId: "evil.example" },
      { challenge: Buffer.from("what nobody asked").toString("base64url") },
    ])
      expect(await takes(person, key.sign(await asked(person), lie)), JSON.stringify(lie)).toBe(false);
    const answer = key.sign(await asked(person));
    expect(await takes(person, answer)).toBe(true);
    expect(await takes(person, answer)).toBe(false);
  });

  test("that comes too late", async () => {
    const person = await withKey(key);
    expect(await takes(person, key.sign(await asked(person)), addSeconds(realNow(), 301))).toBe(false);
  });

  test("whose counter does not go on: a copy of the key is in use", async () => {
    const person = await withKey(key);
    expect(await takes(person, key.sign(await asked(person), { counter: 40 }))).toBe(true);
    expect(await takes(person, key.sign(await asked(person), { counter: 40 }))).toBe(false);
    expect(await takes(person, key.sign(await asked(person), { counter: 7 }))).toBe(false);
    expect(await takes(person, key.sign(await asked(person), { counter: 41 }))).toBe(true);
  });

  test("of another person's key, and to a question that another person was asked", async () => {
    const [mine, theirs] = [await withKey(key), await withKey(aKey())];
    expect(await takes(theirs, key.sign(await asked(theirs)))).toBe(false);
    expect(await takes(mine, key.sign(await asked(theirs)))).toBe(false);
    expect(await takes(mine, "{}")).toBe(false);
    expect(await takes(mine, "x".repeat(30_000))).toBe(false);
  });

  test("to a question asked at the door, when a key is to be added, and the key of somebody else", async () => {
    const person = await withKey(key);
    const other = aKey();
    const answer = other.make(await asked(person));
    expect(await addPasskey(db(), person.doer, { answer, name: "x" }, realNow())).toBe("refused");
    const foreign = await aPerson();
    const stolen = key.make(await begun(foreign));
    expect(await addPasskey(db(), foreign.doer, { answer: stolen, name: "x" }, realNow())).toBe("refused");
    const elsewhere = aKey().make(await begun(foreign), { origin: "https://evil.example" });
    expect(await addPasskey(db(), foreign.doer, { answer: elsewhere, name: "x" }, realNow())).toBe("refused");
    expect(await passkeysOf(db(), foreign.id)).toEqual([]);
  });
});

test("is renamed and removed by its person alone, with password and code; the last factor takes its codes along", async () => {
  const [person, stranger] = [await withKey(key), await withKey(aKey())];
  const [mine] = await passkeysOf(db(), person.id);
  const id = mine?.id ?? "";
  await renamePasskey(db(), stranger.doer, id, "Taken");
  const [strangersCode = ""] = stranger.codes;
  await removePasskey(db(), stranger.doer, id, { password: PASSWORD, code: strangersCode }, realNow());
  expect(await passkeysOf(db(), person.id)).toMatchObject([{ name: "Notebook" }]);
  await renamePasskey(db(), person.doer, id, "Phone");
  const [first = "", second = ""] = person.codes;
  expect(await removePasskey(db(), person.doer, id, { password: "not it at all", code: first }, realNow())).toBe(
    "wrong",
  );
  expect(await removePasskey(db(), person.doer, id, { password: PASSWORD, code: "AAAAA-BBBBB" }, realNow())).toBe(
    "wrong",
  );
  expect(await removePasskey(db(), person.doer, id, { password: PASSWORD, code: second }, realNow())).toBe("done");
  expect(await hasSecondFactor(db(), person.id)).toBe(false);
  const first2 = await signIn(db(), { email: person.email, password: PASSWORD, ...FROM }, realNow());
  expect(first2.kind).toBe("signed_in");
  const rows = await db()
    .select({ action: auditLog.action })
    .from(auditLog)
    .where(and(eq(auditLog.clientId, person.clientId), like(auditLog.action, "passkey.%")))
    .orderBy(auditLog.id);
  expect(rows.map(({ action }) => action)).toEqual(["passkey.add", "passkey.rename", "passkey.remove"]);
});
