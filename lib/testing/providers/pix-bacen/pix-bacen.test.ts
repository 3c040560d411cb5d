import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PIX_BACEN_CAPABILITIES } from "@/lib/providers/pix-bacen/capabilities";
import type { CallContext, ConnectionCall, PixInput } from "@/lib/providers/provider";
import { describeProvider } from "@/lib/testing/provider-conformance";
import { UPLOADED } from "@/lib/testing/provider-conformance/case";
import { aCall, again, aPix, expectFound, expectKind, found, type Rig } from "@/lib/testing/provider-conformance/rig";
import { rigClock } from "@/lib/testing/providers/kit/rig";
import { runLive } from "@/lib/testing/providers/live";
import { type BankMock, startBank } from "@/lib/testing/providers/pix-bacen/mock";
import { bankRig, bankSecret, useBank } from "@/lib/testing/providers/pix-bacen/rig";
import { DAY_SECONDS } from "@/lib/time";

const AT_ONCE = 40;

const clock = rigClock();
let mock: BankMock;
let rig: Rig;
beforeAll(async () => {
  mock = await startBank({ now: clock.now });
  useBank("BB", mock);
  rig = bankRig(mock, clock);
});
afterAll(() => mock.close());

describeProvider("PIX_BACEN", PIX_BACEN_CAPABILITIES, () => Promise.resolve(rig), {
  hosts: 1,
  continues: false,
  lacks: UPLOADED,
});

async function open(changes: Partial<PixInput> = {}, context: Partial<CallContext> = {}) {
  const call = aCall(rig, "pix", context);
  const pending = expectKind(await rig.provider.createPix(call, aPix(changes)), "pending");
  return { call, txid: pending.providerTxId };
}

/** Paid, and whatever its payer's name makes of a refund. */
async function paid(name = "Ana Souza") {
  const document = { type: "CPF", number: "12345678909", country: "BR" };
  const { call, txid } = await open({ payer: { name, document } });
  await rig.payPix(txid, {});
  return { call, txid };
}

const giveBack = (call: CallContext, providerTxId: string, amount = 50_00) =>
  rig.provider.refund(call, { providerTxId, amount, captured: 50_00, alreadyRefunded: 0 });

describe("a charge whose making was not answered", () => {
  test.each(["lost_after", "http_500_after", "truncated", "doubled", "contradicting", "http_500"] as const)(
    "%s: undetermined, found by its txid, and made once when it is asked for again",
    async (fault) => {
      const call = aCall(rig, "pix");
      mock.plan(fault, "PUT cob");
      expectKind(await rig.provider.createPix(call, aPix()), "undetermined");
      const seen = await rig.provider.query(again(call), { reference: call.ref, sentUntil: clock.now() });
      if (fault === "http_500") expect(seen.kind).toBe("not_found_yet");
      else expect(expectFound(seen)).toMatchObject({ state: "pending", authorized: 50_00 });
      expectKind(await rig.provider.createPix(again(call), aPix()), "pending");
      expect(mock.books.entries.filter(({ reference }) => reference === call.ref.providerReference)).toHaveLength(1);
    },
  );

  test("too many requests was not sent; another amount under its txid is refused, and what the bank made stands", async () => {
    mock.plan("rate_limited", "PUT cob");
    expectKind(await rig.provider.createPix(aCall(rig, "pix"), aPix()), "not_sent");
    const { call } = await open();
    expectKind(await rig.provider.createPix(again(call), aPix({ amount: 60_00 })), "rejected");
    expect(await found(rig, call)).toMatchObject({ authorized: 50_00 });
  });

  test("a charge of another amount, or a code that says another, is a mismatch", async () => {
    const document = { type: "CPF", number: "12345678909", country: "BR" };
    const payer = { name: "amount_mismatch_minus_1", document };
    const outcome = expectKind(await rig.provider.createPix(aCall(rig, "pix"), aPix({ payer })), "mismatch");
    expect(outcome).toMatchObject({ field: "amount", expected: "5000", got: "49.99" });
  });
});

describe("refunds", () => {
  test.each(["lost_after", "truncated", "contradicting"] as const)("%s: undetermined, and done once", async (fault) => {
    const { call, txid } = await paid();
    const refunding = aCall(rig, "refund");
    mock.plan(fault, "PUT pix");
    expectKind(await giveBack(refunding, txid, 20_00), "undetermined");
    const seen = await found(rig, call);
    expect(seen).toMatchObject({
      refunded: 20_00,
      refunds: [{ reference: refunding.ref.providerReference, status: "done" }],
    });
    expectKind(await giveBack(again(refunding), txid, 20_00), "approved");
    expect((await found(rig, call)).refunded).toBe(20_00);
  });

  test("are pending until the bank says how they ended", async () => {
    for (const [name, state, refunded] of [
      ["refund_pending_done", "refunded", 50_00],
      ["refund_pending_failed", "authorized", 0],
    ] as const) {
      const { call, txid } = await paid(name);
      expect(expectKind(await giveBack(aCall(rig, "refund"), txid), "approved").data.status).toBe("pending");
      expect(await found(rig, call)).toMatchObject({ state: "refund_pending", refunded: 0 });
      clock.advance(DAY_SECONDS);
      expect(await found(rig, call)).toMatchObject({ state, refunded });
    }
    const { txid } = await paid("refund_refused_insufficient_balance");
    expectKind(await giveBack(aCall(rig, "refund"), txid), "declined");
  });

  test("of more than arrived, and of what never arrived, are refused", async () => {
    const { txid } = await paid();
    expect(expectKind(await giveBack(aCall(rig, "refund"), txid, 50_01), "rejected").problem).toBe("amount_exceeded");
    expectKind(await giveBack(aCall(rig, "refund"), txid, 30_00), "approved");
    expect(expectKind(await giveBack(aCall(rig, "refund"), txid, 30_00), "rejected").problem).toBe("invalid_state");
    const unpaid = await open();
    expect(expectKind(await giveBack(aCall(rig, "refund"), unpaid.txid), "rejected").problem).toBe("invalid_state");
  });
});

describe("the connection", () => {
  test("opens itself again when its token ends, and asks for one token while it lives", async () => {
    await open();
    const before = mock.tokensGiven();
    await open();
    expect(mock.tokensGiven()).toBe(before);
    mock.revokeTokens();
    await open();
    expect(mock.tokensGiven()).toBe(before + 1);
  });

  test.each(["lost_after", "http_500", "truncated"] as const)(
    "a token that does not come (%s): not sent",
    async (fault) => {
      mock.revokeTokens();
      const credentials = bankSecret(mock, `new-${randomUUID()}`);
      mock.plan(fault, "token");
      const call = aCall(rig, "pix", { credentials });
      expectKind(await rig.provider.createPix(call, aPix()), "not_sent");
      expectKind(await rig.provider.createPix(again(call), aPix()), "pending");
    },
  );

  test("is refused before any call with a certificate that expired or is none, and by the bank without one", async () => {
    const { cert, key } = mock.authority.issue("late", { validDays: -1 });
    const inBase64 = (text: string) => ({ mtlsPemBase64: Buffer.from(text).toString("base64") });
    const sent = mock.requests.length;
    for (const [changes, detail] of [
      [inBase64(cert + key), "the client certificate has expired"],
      [inBase64("no certificate"), "the client certificate cannot be read"],
    ] as const) {
      const call = aCall(rig, "pix", { credentials: bankSecret(mock, "late", changes) });
      expect(expectKind(await rig.provider.createPix(call, aPix()), "rejected")).toMatchObject({
        problem: "unauthenticated",
        detail,
      });
    }
    const call = aCall(rig, "pix", { credentials: bankSecret(mock, "bare", { mtlsPemBase64: "" }) });
    const bare = await rig.provider.createPix(call, aPix());
    expect(["not_sent", "undetermined"]).toContain(bare.kind);
    expect(mock.requests).toHaveLength(sent);
  });

  test("of one merchant sees nothing of another's", async () => {
    const { call } = await open();
    const stranger = { ...again(call), credentials: rig.otherSecret };
    expect((await rig.provider.query(stranger, { reference: call.ref, sentUntil: clock.now() })).kind).toBe(
      "not_found_yet",
    );
  });

  test("registers our address for its key", async () => {
    const call: ConnectionCall = {
      ...aCall(rig, "pix"),
      notificationsUrl: "https://pay.example/v1/providers/1/notifications",
    };
    expect(await rig.provider.connect?.(call)).toEqual({ ok: true, words: "200" });
    expect([...mock.webhooks.values()]).toContain("https://pay.example/v1/providers/1/notifications");
  });

  test("carries many calls of many merchants at once", async () => {
    const made = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => {
        const credentials = bankSecret(mock, `merchant-${index % 4}`);
        return rig.provider.createPix(aCall(rig, "pix", { credentials }), aPix());
      }),
    );
    expect(new Set(made.map(({ kind }) => kind))).toEqual(new Set(["pending"]));
  });
});

test("notifications name the charge, and tell a refund from the Pix", async () => {
  const { call, txid } = await paid();
  await giveBack(aCall(rig, "refund"), txid);
  const told = await rig.evidence(call.ref.attemptId);
  expect(told.map(({ type, reference }) => [type, reference])).toEqual([
    ["pix", txid],
    ["devolucao", txid],
  ]);
  expect(new Set(told.map(({ eventId }) => eventId)).size).toBe(2);
});

test("credentials reach no outcome and no record", async () => {
  const { call } = await open();
  const seen = JSON.stringify([
    await found(rig, call),
    await rig.received(call.ref.providerReference),
    call.credentials,
  ]);
  const { pixKey: _public, version: _version, ...secrets } = rig.credentials.reveal();
  for (const secret of Object.values(secrets)) expect(seen).not.toContain(secret);
});

test("nothing was asked or answered against the document, notifications included", () => {
  const wrong = mock.notices.flatMap(({ body }) =>
    body.pix.flatMap((one) =>
      mock.contract.answerBreaches({ method: "GET", path: `/pix/v2/pix/${one.endToEndId}` }, 200, one),
    ),
  );
  expect([...new Set([...mock.breaches, ...wrong])]).toEqual([]);
  expect(mock.notices.length).toBeGreaterThan(10);
});

test("the safe part of a live run passes here too", async () => {
  const steps = await runLive(rig.provider, rig.credentials, undefined);
  expect(steps.filter(({ ok }) => !ok)).toEqual([]);
  expect(steps.length).toBeGreaterThan(3);
});
