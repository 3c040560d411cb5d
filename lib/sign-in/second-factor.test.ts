import { and, eq } from "drizzle-orm";
import { TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { auditLog } from "@/db/schema/accounts";
import { operators, operatorTotps, passwordResets, recoveryCodes } from "@/db/schema/operators";
import { createAccount } from "@/lib/accounts/service";
import { newId } from "@/lib/ids";
import { findOperatorSession, openSessionsOf, revokeOtherSessions, revokeOwnSession } from "@/lib/operators/sessions";
import { hasSecondFactor } from "@/lib/sign-in/passkeys";
import { changePassword, isResetOpen, requestPasswordReset, resetPassword } from "@/lib/sign-in/password-reset";
import { createOperator, IDLE_ACCOUNT_SECONDS, signIn, signInSecondStep } from "@/lib/sign-in/service";
import { FAILURES_PER_PLACE, forgiveNetworks } from "@/lib/sign-in/sign-in-attempts";
import {
  beginTotp,
  confirmTotp,
  enrolmentOf,
  RECOVERY_CODES,
  removeTotp,
  renewRecoveryCodes,
  takeSecondFactor,
  totpOf,
} from "@/lib/sign-in/totp";
import { sendQueued } from "@/lib/testing/mail";
import { addSeconds } from "@/lib/time";

const PASSWORD = "correct horse battery staple";
const NOW = new Date("2026-11-20T15:00:00.000Z");
const later = (seconds: number) => addSeconds(NOW, seconds);
const db = systemDb;
let made = 0;

async function aPerson() {
  const { clientId } = await createAccount({ name: `Loja ${++made}`, mode: "sandbox" });
  const email = `segura-${made}-${newId().slice(-6)}@equipe.example`;
  const { id } = await createOperator(
    db(),
    { email, name: "Ana Prado", password: PASSWORD, clientId, role: "owner" },
    NOW,
  );
  return { id, email, clientId, address: `10.7.${made}.1`, doer: { operatorId: id, address: null } };
}
type Person = Awaited<ReturnType<typeof aPerson>>;

const codeOf = (secret: string, at: Date) => new TOTP({ secret }).generate({ timestamp: at.getTime() });

async function withApp(person: Person, at = NOW) {
  await beginTotp(db(), person, at);
  const enrolment = await enrolmentOf(db(), person);
  const secret = enrolment?.secret ?? "";
  const codes = await confirmTotp(db(), person.doer, codeOf(secret, at), at);
  if (codes === "wrong") throw new Error("not confirmed");
  return { secret, codes };
}

const enter = (person: Person, at: Date, password = PASSWORD, userAgent = "vitest") =>
  signIn(db(), { email: person.email, password, address: person.address, userAgent }, at);

async function challenged(person: Person, at: Date): Promise<string> {
  const outcome = await enter(person, at);
  if (outcome.kind !== "second_factor") throw new Error(outcome.kind);
  return outcome.challenge;
}

const answer = (person: Person, challenge: string, code: string, at: Date) =>
  signInSecondStep(db(), { challenge, code, address: person.address, userAgent: "vitest" }, at);

async function signedIn(person: Person, at: Date, userAgent = "vitest"): Promise<string> {
  const outcome = await enter(person, at, PASSWORD, userAgent);
  if (outcome.kind !== "signed_in") throw new Error(outcome.kind);
  return outcome.sessionId;
}

describe("an authenticator app", () => {
  test("counts from its first right code on, and its secret is readable nowhere", async () => {
    const person = await aPerson();
    await beginTotp(db(), person, NOW);
    const enrolment = await enrolmentOf(db(), person);
    expect(enrolment?.qr).toMatch(/^data:image\/png;base64,/);
    expect(await confirmTotp(db(), person.doer, "000000", NOW)).toBe("wrong");
    expect(await hasSecondFactor(db(), person.id)).toBe(false);
    expect((await enter(person, NOW)).kind).toBe("signed_in");
    const codes = await confirmTotp(db(), person.doer, codeOf(enrolment?.secret ?? "", NOW), NOW);
    expect(codes).toHaveLength(RECOVERY_CODES);
    expect(await totpOf(db(), person.id)).toEqual({ since: NOW, codesLeft: RECOVERY_CODES });
    expect(await enrolmentOf(db(), person)).toBeUndefined();
    const kept = JSON.stringify([
      await db().select().from(operatorTotps).where(eq(operatorTotps.operatorId, person.id)),
      await db().select().from(recoveryCodes).where(eq(recoveryCodes.operatorId, person.id)),
    ]);
    expect(kept).not.toContain(enrolment?.secret);
    for (const code of codes) expect(kept).not.toContain(code);
  });

  test("once added is not replaced by beginning again", async () => {
    const person = await aPerson();
    const { secret } = await withApp(person);
    await beginTotp(db(), person, later(60));
    expect(await enrolmentOf(db(), person)).toBeUndefined();
    expect(await takeSecondFactor(db(), person.id, codeOf(secret, later(60)), later(60))).toBe(true);
  });

  test("is asked for after the password, and each code works once", async () => {
    const person = await aPerson();
    const { secret } = await withApp(person);
    const at = later(90);
    const challenge = await challenged(person, at);
    expect((await answer(person, challenge, "123 45", at)).kind).toBe("wrong");
    const code = codeOf(secret, at);
    expect(await answer(person, challenge, ` ${code.slice(0, 3)} ${code.slice(3)}`, at)).toMatchObject({
      kind: "signed_in",
      operator: { id: person.id },
    });
    expect((await answer(person, challenge, codeOf(secret, later(120)), later(120))).kind).toBe("over");
    expect((await answer(person, await challenged(person, at), code, at)).kind).toBe("wrong");
  });

  test("takes a code for one of many that come at the same time", async () => {
    const person = await aPerson();
    const { secret } = await withApp(person);
    const at = later(90);
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => takeSecondFactor(db(), person.id, codeOf(secret, at), at)),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  test("forgives a clock that is half a minute off and no more", async () => {
    const person = await aPerson();
    const { secret } = await withApp(person);
    expect(await takeSecondFactor(db(), person.id, codeOf(secret, later(300)), later(400))).toBe(false);
    expect(await takeSecondFactor(db(), person.id, codeOf(secret, later(570)), later(600))).toBe(true);
    expect(await takeSecondFactor(db(), person.id, codeOf(secret, later(630)), later(600))).toBe(true);
    expect(await takeSecondFactor(db(), person.id, codeOf(secret, later(600)), later(600))).toBe(false);
  });

  test("may be replaced once by each recovery code", async () => {
    const person = await aPerson();
    const { codes } = await withApp(person);
    const [code = ""] = codes;
    const at = later(90);
    expect((await answer(person, await challenged(person, at), code.toLowerCase().replace("-", " "), at)).kind).toBe(
      "signed_in",
    );
    expect((await answer(person, await challenged(person, at), code, at)).kind).toBe("wrong");
    expect((await totpOf(db(), person.id)).codesLeft).toBe(RECOVERY_CODES - 1);
  });

  test("cannot be guessed: wrong codes lock the person out, whatever password steps are put between them", async () => {
    const person = await aPerson();
    await withApp(person);
    let tries = 0;
    for (; tries < FAILURES_PER_PLACE; tries++) {
      const outcome = await enter(person, later(100 + tries));
      if (outcome.kind !== "second_factor") break;
      await answer(person, outcome.challenge, "000000", later(100 + tries));
    }
    expect(tries).toBe(FAILURES_PER_PLACE);
    expect((await enter(person, later(200))).kind).toBe("locked");
  });

  test("cannot be guessed from many networks: ten wrong codes are all, wherever they come from", async () => {
    const person = await aPerson();
    const { secret } = await withApp(person);
    for (let tries = 0; tries < FAILURES_PER_PLACE; tries++) {
      const from = { ...person, address: `198.18.${tries}.1` };
      const at = later(100 + Math.floor(tries / 5));
      const challenge = await challenged(from, at);
      expect((await answer(from, challenge, "000000", at)).kind).toBe("wrong");
      // The password step is forgiven, so that its own limits do not end this first.
      await forgiveNetworks(db(), person.email);
    }
    const elsewhere = { ...person, address: "198.18.99.1" };
    const at = later(200);
    expect((await answer(elsewhere, await challenged(elsewhere, at), codeOf(secret, at), at)).kind).toBe("locked");
  });

  test("one password step allows five codes within five minutes", async () => {
    const person = await aPerson();
    const { secret } = await withApp(person);
    const slow = await challenged(person, later(60));
    expect((await answer(person, slow, codeOf(secret, later(361)), later(361))).kind).toBe("over");
    const busy = await challenged(person, later(400));
    for (let tries = 0; tries < 5; tries++) {
      expect((await answer(person, busy, "000000", later(400))).kind).toBe("wrong");
    }
    expect((await answer(person, busy, codeOf(secret, later(400)), later(400))).kind).toBe("over");
  });

  test("is removed with the password and a code, and by neither alone", async () => {
    const person = await aPerson();
    const { secret, codes } = await withApp(person);
    const at = later(90);
    const [recovery = ""] = codes;
    expect(await removeTotp(db(), person.doer, { password: "a wrong one here", code: recovery }, at)).toBe("wrong");
    expect(await removeTotp(db(), person.doer, { password: PASSWORD, code: "000000" }, at)).toBe("wrong");
    expect(await removeTotp(db(), person.doer, { password: PASSWORD, code: codeOf(secret, at) }, at)).toBe("done");
    expect(await hasSecondFactor(db(), person.id)).toBe(false);
    expect((await enter(person, at)).kind).toBe("signed_in");
    const told = await db()
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(and(eq(auditLog.clientId, person.clientId), eq(auditLog.objectId, person.id)));
    expect(told.map(({ action }) => action)).toEqual(expect.arrayContaining(["totp.add", "totp.remove"]));
  });

  test("gives new recovery codes, and the ones before stop working", async () => {
    const person = await aPerson();
    const { secret, codes } = await withApp(person);
    const at = later(90);
    const fresh = await renewRecoveryCodes(db(), person.doer, { password: PASSWORD, code: codeOf(secret, at) }, at);
    if (typeof fresh === "string") throw new Error(fresh);
    expect(await takeSecondFactor(db(), person.id, codes[1] ?? "", at)).toBe(false);
    expect(await takeSecondFactor(db(), person.id, fresh[1] ?? "", at)).toBe(true);
  });
});

describe("a forgotten password", () => {
  async function asked(person: Person, at = NOW): Promise<string | undefined> {
    await sendQueued(null);
    await requestPasswordReset(db(), ` ${person.email.toUpperCase()} `, "en", at);
    const [mail] = await sendQueued(null);
    return mail && /\/reset\/([\w-]+)/.exec(mail.text)?.[1];
  }
  const choose = (token: string, password: string, at = NOW) => resetPassword(db(), token, password, null, at);

  test("is replaced once through the link in the e-mail, which ends every session", async () => {
    const person = await aPerson();
    const sessionId = await signedIn(person, NOW);
    const token = (await asked(person)) ?? "";
    expect(await isResetOpen(db(), token, NOW)).toBe(true);
    expect(await choose(token, "short")).toEqual({ kind: "unfit", problem: "too_short" });
    expect(await choose(token, "another long enough phrase")).toEqual({ kind: "done" });
    expect(await findOperatorSession(db(), sessionId, NOW)).toBeUndefined();
    expect((await enter(person, NOW)).kind).toBe("wrong");
    expect((await enter(person, NOW, "another long enough phrase")).kind).toBe("signed_in");
    expect(await choose(token, "yet another long phrase")).toEqual({ kind: "closed" });
  });

  test("link ends after an hour, and with the use of another", async () => {
    const person = await aPerson();
    const [first, second] = [(await asked(person)) ?? "", (await asked(person, later(1))) ?? ""];
    expect(await isResetOpen(db(), first, later(3_601))).toBe(false);
    expect(await choose(second, "another long enough phrase")).toEqual({ kind: "done" });
    expect(await isResetOpen(db(), first, later(2))).toBe(false);
  });

  test("of nobody writes nothing, and of somebody three e-mails an hour at most", async () => {
    await sendQueued(null);
    await requestPasswordReset(db(), "ninguem@equipe.example", "en", NOW);
    expect(await sendQueued(null)).toEqual([]);
    const person = await aPerson();
    for (let time = 0; time < 3; time++) expect(await asked(person, later(time))).toBeDefined();
    expect(await asked(person, later(4))).toBeUndefined();
    expect(await asked(person, later(3_700))).toBeDefined();
    const kept = await db().select().from(passwordResets).where(eq(passwordResets.operatorId, person.id));
    expect(kept).toHaveLength(4);
  });

  test("does not take the second factor away", async () => {
    const person = await aPerson();
    await withApp(person);
    await choose((await asked(person)) ?? "", "another long enough phrase");
    expect((await enter(person, later(60), "another long enough phrase")).kind).toBe("second_factor");
  });
});

describe("a password", () => {
  test("is changed by who knows it; other sessions end and this one stays", async () => {
    const person = await aPerson();
    const [here, there] = [await signedIn(person, NOW), await signedIn(person, NOW)];
    const doer = { ...person.doer, sessionId: here };
    const next = "another long enough phrase";
    expect(await changePassword(db(), doer, { current: "not my password", next }, NOW)).toEqual({ kind: "wrong" });
    expect(await changePassword(db(), doer, { current: PASSWORD, next: "short" }, NOW)).toMatchObject({
      kind: "unfit",
    });
    expect(await changePassword(db(), doer, { current: PASSWORD, next }, NOW)).toEqual({ kind: "done" });
    expect(await findOperatorSession(db(), here, NOW)).toBeDefined();
    expect(await findOperatorSession(db(), there, NOW)).toBeUndefined();
  });

  test("is not guessed at an open session: ten wrong ones lock it", async () => {
    const person = await aPerson();
    const doer = { ...person.doer, sessionId: await signedIn(person, NOW) };
    const guess = () => changePassword(db(), doer, { current: "not my password", next: PASSWORD }, later(1));
    for (let tries = 0; tries < FAILURES_PER_PLACE; tries++) expect((await guess()).kind).toBe("wrong");
    expect((await guess()).kind).toBe("locked");
  });

  test("opens nothing after ninety days without a sign-in, until a new one is chosen by e-mail", async () => {
    const person = await aPerson();
    await signedIn(person, NOW);
    const long = later(IDLE_ACCOUNT_SECONDS + 60);
    expect((await enter(person, long)).kind).toBe("wrong");
    await sendQueued(null);
    await requestPasswordReset(db(), person.email, "en", long);
    const token = /\/reset\/([\w-]+)/.exec((await sendQueued(null))[0]?.text ?? "")?.[1] ?? "";
    await resetPassword(db(), token, "another long enough phrase", null, long);
    expect((await enter(person, long, "another long enough phrase")).kind).toBe("signed_in");
  });
});

describe("one's sessions", () => {
  test("are listed while they are open and ended one by one or all others at once", async () => {
    const person = await aPerson();
    const [one, two, three] = [await signedIn(person, NOW), await signedIn(person, NOW), await signedIn(person, NOW)];
    expect(await openSessionsOf(db(), person.id, NOW)).toHaveLength(3);
    expect(await revokeOwnSession(db(), person.id, one, NOW)).toBe(true);
    expect(await revokeOwnSession(db(), person.id, one, NOW)).toBe(false);
    expect(await findOperatorSession(db(), one, NOW)).toBeUndefined();
    expect(await revokeOtherSessions(db(), person.id, three, NOW)).toBe(1);
    expect(await findOperatorSession(db(), two, NOW)).toBeUndefined();
    expect((await openSessionsOf(db(), person.id, NOW)).map(({ id }) => id)).toEqual([three]);
  });

  test("of somebody else cannot be ended", async () => {
    const [person, other] = [await aPerson(), await aPerson()];
    const theirs = await signedIn(other, NOW);
    expect(await revokeOwnSession(db(), person.id, theirs, NOW)).toBe(false);
    expect(await findOperatorSession(db(), theirs, NOW)).toBeDefined();
  });

  test("from a device that was never seen are told by e-mail; the first ever and known ones are not", async () => {
    const chrome = "Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0 Safari/537.36";
    const firefox = "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/145.0";
    const person = await aPerson();
    await sendQueued(null);
    await signedIn(person, NOW, chrome);
    await signedIn(person, later(1), chrome);
    expect(await sendQueued(null)).toEqual([]);
    await signedIn(person, later(2), firefox);
    const [mail, ...others] = await sendQueued(null);
    expect(mail).toMatchObject({ template: "new-sign-in", to: person.email });
    expect(mail?.text).toContain("Firefox · Windows");
    expect(others).toEqual([]);
    await signedIn(person, later(3), firefox);
    expect(await sendQueued(null)).toEqual([]);
  });

  test("are known to the account's audit log", async () => {
    const person = await aPerson();
    await signedIn(person, NOW);
    const rows = await db()
      .select({ action: auditLog.action, ip: auditLog.ip })
      .from(auditLog)
      .where(and(eq(auditLog.clientId, person.clientId), eq(auditLog.action, "operator.sign-in")));
    expect(rows).toEqual([{ action: "operator.sign-in", ip: person.address }]);
    expect((await db().select().from(operators).where(eq(operators.id, person.id)))[0]?.lastSignInAt).toEqual(NOW);
  });
});
