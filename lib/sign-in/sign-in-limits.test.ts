import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { operatorDevices, signInAttempts } from "@/db/schema/operators";
import { createAccount } from "@/lib/accounts/service";
import type { Challenge } from "@/lib/captcha/challenge";
import { newId } from "@/lib/ids";
import { DEVICE_SECONDS, deleteOldDevices } from "@/lib/sign-in/known-devices";
import { requestPasswordReset, resetPassword } from "@/lib/sign-in/password-reset";
import { createOperator, type SignInRequest, signIn } from "@/lib/sign-in/service";
import { FAILURES_PER_EMAIL, FAILURES_PER_NETWORK, FAILURES_PER_PLACE } from "@/lib/sign-in/sign-in-attempts";
import { sendQueued } from "@/lib/testing/mail";
import { addSeconds } from "@/lib/time";

const PASSWORD = "correct horse battery staple";
const WRONG = "not my password at all";
const NOW = new Date("2026-11-20T15:00:00.000Z");
const MINUTE = 60;
const later = (seconds: number) => addSeconds(NOW, seconds);
const db = systemDb;

/** Every test has its own /16. */
let tests = 0;
let net = "";
beforeEach(() => {
  net = `10.${++tests}`;
});

async function aPerson(at = NOW): Promise<{ id: string; email: string }> {
  const { clientId } = await createAccount({ name: "Loja", mode: "sandbox" });
  const email = `porta-${newId()}@equipe.example`;
  return createOperator(db(), { email, name: "Ana Prado", password: PASSWORD, clientId, role: "owner" }, at).then(
    ({ id }) => ({ id, email }),
  );
}

const enter = (given: Partial<SignInRequest> & { email: string }, at = NOW) =>
  signIn(db(), { password: PASSWORD, address: `${net}.0.1`, userAgent: "vitest", ...given }, at);

/** As a stranger does it: from networks of their own, so that each try is looked at. */
async function attack(email: string, failures = FAILURES_PER_EMAIL): Promise<void> {
  for (let n = 0; n < failures; n++)
    expect((await enter({ email, password: WRONG, address: `${net}.${100 + n}.1` })).kind).toBe("wrong");
}

async function puzzleFor(given: Partial<SignInRequest> & { email: string }, at = NOW): Promise<Challenge> {
  const outcome = await enter(given, at);
  if (outcome.kind !== "puzzle") throw new Error(outcome.kind);
  return outcome.puzzle;
}

function solved({ challenge, salt, signature, algorithm, maxnumber }: Challenge): string {
  for (let number = 0; number <= maxnumber; number++) {
    if (createHash("sha256").update(`${salt}${number}`).digest("hex") !== challenge) continue;
    return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature })).toString("base64");
  }
  throw new Error("no solution");
}

async function deviceOf(email: string, at = NOW): Promise<string> {
  const outcome = await enter({ email, address: `${net}.200.1` }, at);
  if (outcome.kind !== "signed_in") throw new Error(outcome.kind);
  return outcome.device;
}

const GHOST = () => ({ email: `ninguem-${newId()}@equipe.example` });

describe("ten failures of an e-mail from one network", () => {
  test("lock that network for half an hour from the last of them, for known and unknown e-mails alike", async () => {
    for (const { email } of [await aPerson(), GHOST()]) {
      for (let n = 0; n < FAILURES_PER_PLACE; n++)
        expect(await enter({ email, password: WRONG }, later(n * 2 * MINUTE))).toEqual({ kind: "wrong" });
      for (const minutes of [19, 25, 31, 47])
        expect(await enter({ email }, later(minutes * MINUTE))).toEqual({ kind: "locked" });
    }
    const { email } = await aPerson();
    for (let n = 0; n < FAILURES_PER_PLACE; n++) await enter({ email, password: WRONG }, later(n * 2 * MINUTE));
    // Neither the refusals in between nor failures of an hour ago lengthen it.
    expect((await enter({ email }, later(47 * MINUTE))).kind).toBe("locked");
    expect((await enter({ email }, later(48 * MINUTE))).kind).toBe("signed_in");
  });

  test.each([
    ["a /24", "10.77.1.7", "10.77.1.250", "10.77.2.7"],
    ["a /64", "2001:db8:7:8::1", "2001:db8:7:8:ffff::9", "2001:db8:7:9::1"],
  ])("lock %s as a whole and leave its neighbours alone", async (_, address, within, beyond) => {
    const { email } = await aPerson();
    for (let n = 0; n < FAILURES_PER_PLACE; n++) await enter({ email, password: WRONG, address });
    expect((await enter({ email, address: within })).kind).toBe("locked");
    const puzzle = await puzzleFor({ email, address: beyond });
    expect((await enter({ email, address: beyond, proof: solved(puzzle) })).kind).toBe("signed_in");
  });

  test("lock nobody else in that network", async () => {
    const [victim, colleague] = [await aPerson(), await aPerson()];
    for (let n = 0; n < FAILURES_PER_PLACE; n++) await enter({ email: victim.email, password: WRONG });
    expect((await enter({ email: victim.email })).kind).toBe("locked");
    expect((await enter({ email: colleague.email })).kind).toBe("signed_in");
  });
});

describe("ten failures of an e-mail from anywhere", () => {
  test("ask known and unknown e-mails alike for a proof of work, and refuse nobody", async () => {
    for (const { email } of [GHOST(), await aPerson()]) {
      await attack(email);
      const right = await enter({ email });
      expect(right).toEqual({ kind: "puzzle", puzzle: expect.objectContaining({ maxnumber: 400_000 }) });
      expect((await enter({ email, password: WRONG })).kind).toBe("puzzle");
    }
  });

  test("a proof is taken once, for its e-mail, its network and five minutes", async () => {
    const [person, other] = [await aPerson(), await aPerson()];
    await attack(person.email);
    await attack(other.email);
    const { email } = person;
    const proof = solved(await puzzleFor({ email }));
    for (const [given, at] of [
      [{ email: other.email, proof }, NOW],
      [{ email, proof, address: `${net}.1.1` }, NOW],
      [{ email, proof: `A${proof}` }, NOW],
      [{ email, proof }, later(301)],
    ] as const)
      expect((await enter(given, at)).kind).toBe("puzzle");
    expect((await enter({ email, password: WRONG, proof })).kind).toBe("wrong");
    expect((await enter({ email, proof })).kind).toBe("puzzle");
    const again = solved(await puzzleFor({ email }));
    const outcomes = await Promise.all([enter({ email, proof: again }), enter({ email, proof: again })]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["puzzle", "signed_in"]);
  });

  test("stop asking half an hour later", async () => {
    const { email } = await aPerson();
    await attack(email);
    expect((await enter({ email }, later(29 * MINUTE))).kind).toBe("puzzle");
    expect((await enter({ email }, later(31 * MINUTE))).kind).toBe("signed_in");
  });
});

test("one guess at each of 200 people costs their network a proof each time, and the 200 nothing", async () => {
  const targets = [await aPerson(), ...Array.from({ length: 199 }, GHOST)];
  const answers: string[] = [];
  for (const { email } of targets) answers.push((await enter({ email, password: WRONG })).kind);
  expect(answers.filter((kind) => kind === "wrong")).toHaveLength(FAILURES_PER_NETWORK);
  expect(answers.filter((kind) => kind === "puzzle")).toHaveLength(200 - FAILURES_PER_NETWORK);
  expect((await enter({ email: targets[0]?.email ?? "", address: `${net}.9.1` })).kind).toBe("signed_in");
});

describe("a device that its person signed in with", () => {
  test("passes while strangers attack the e-mail, from its own network too", async () => {
    const { email } = await aPerson();
    const device = await deviceOf(email);
    for (let n = 0; n < FAILURES_PER_PLACE; n++) await enter({ email, password: WRONG });
    await attack(email, FAILURES_PER_EMAIL).catch(() => undefined);
    expect((await enter({ email })).kind).toBe("locked");
    expect(await enter({ email, device })).toMatchObject({ kind: "signed_in", device });
  });

  test("is no other person's, and nobody's who makes one up", async () => {
    const [person, other] = [await aPerson(), await aPerson()];
    const foreign = await deviceOf(other.email);
    await attack(person.email);
    for (const device of [foreign, "", "x".repeat(43), newId()])
      expect((await enter({ email: person.email, device })).kind).toBe("puzzle");
  });

  test("guesses no more than ten times: then it is like any other", async () => {
    const { email } = await aPerson();
    const device = await deviceOf(email);
    const guess = () => enter({ email, password: WRONG, device });
    for (let n = 0; n < 2 * FAILURES_PER_PLACE; n++) expect((await guess()).kind).toBe("wrong");
    expect((await guess()).kind).toBe("locked");
  });

  test("is known for ninety days after its last sign-in, and its secret is kept nowhere", async () => {
    const { id, email } = await aPerson();
    const device = await deviceOf(email);
    const days = later(DEVICE_SECONDS - 60);
    expect(await enter({ email, device }, days)).toMatchObject({ device });
    const kept = await db().select().from(operatorDevices).where(eq(operatorDevices.operatorId, id));
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(device);
    await deleteOldDevices(addSeconds(days, DEVICE_SECONDS - 60));
    expect(await db().$count(operatorDevices, eq(operatorDevices.operatorId, id))).toBe(1);
    const long = addSeconds(days, DEVICE_SECONDS + 60);
    await enter({ email, password: WRONG, device }, long);
    expect(await db().$count(signInAttempts, eq(signInAttempts.place, `device:${kept[0]?.id}`))).toBe(1);
    await deleteOldDevices(long);
    expect(await db().$count(operatorDevices, eq(operatorDevices.operatorId, id))).toBe(0);
  });
});

test("a new password by e-mail forgives both, and the devices of the old one are strangers", async () => {
  const { email } = await aPerson();
  const device = await deviceOf(email);
  for (let n = 0; n < FAILURES_PER_PLACE; n++) await enter({ email, password: WRONG });
  expect((await enter({ email })).kind).toBe("locked");
  expect((await enter({ email, address: `${net}.50.1` })).kind).toBe("puzzle");
  await sendQueued(null);
  await requestPasswordReset(db(), email, "en", NOW);
  const mail = (await sendQueued(null)).find(({ to }) => to === email);
  const token = /\/reset\/([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
  const password = "another long enough phrase";
  expect(await resetPassword(db(), token, password, null, NOW)).toEqual({ kind: "done" });
  expect((await enter({ email, password, address: `${net}.50.1` })).kind).toBe("signed_in");
  expect((await enter({ email, password })).kind).toBe("signed_in");
  await attack(email);
  expect((await enter({ email, password, device })).kind).toBe("puzzle");
});
