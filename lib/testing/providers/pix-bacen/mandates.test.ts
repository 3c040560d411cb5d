import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { MandateCall, MandateInput, MandateProvider } from "@/lib/providers/mandates";
import { parseWebhook } from "@/lib/providers/pix-bacen/webhook";
import type { CallContext, ConnectionCall, PixInstruction } from "@/lib/providers/provider";
import {
  aCall,
  again,
  aPix,
  aProviderCall,
  expectFound,
  expectKind,
  type Rig,
} from "@/lib/testing/provider-conformance/rig";
import { rigClock } from "@/lib/testing/providers/kit/rig";
import { type BankMock, startBank } from "@/lib/testing/providers/pix-bacen/mock";
import { bankRig, bankSecret, useBank } from "@/lib/testing/providers/pix-bacen/rig";
import { DAY_SECONDS } from "@/lib/time";

const RECEIVER = { receiverAccount: "0012345", receiverAccountType: "CORRENTE", receiverBranch: "1234" };
const LOST = ["lost_after", "http_500_after", "truncated", "doubled", "contradicting"] as const;

const clock = rigClock();
let mock: BankMock;
let rig: Rig;
let mandates: MandateProvider;
beforeAll(async () => {
  mock = await startBank({ now: clock.now });
  useBank("BB", mock);
  rig = { ...bankRig(mock, clock), credentials: bankSecret(mock, "club", RECEIVER) };
  const { mandates: kept } = rig.provider;
  if (!kept) throw new Error("keeps no mandates");
  mandates = kept;
});
afterAll(() => mock.close());

const daysOn = (days: number): string => addDays(saoPauloDay(clock.now()), days);

function aMandateCall(changes: Partial<MandateCall> = {}): MandateCall {
  const reference = randomUUID();
  return { ...aProviderCall(rig), ref: { reference, idempotencyKey: reference, begunAt: clock.now() }, ...changes };
}

const anInput = (changes: Partial<MandateInput> = {}): MandateInput => ({
  name: "Assinatura do clube de leitura, plano ouro",
  amount: 50_00,
  interval: "monthly",
  retry: "three_in_seven_days",
  startOn: daysOn(10),
  payer: { name: "Ana Souza", document: { type: "CPF", number: "52998224725", country: "BR" } },
  expiresAt: clock.now().toISOString(),
  ...changes,
});

const named = (call: MandateCall) => {
  const mandate = mock.recurring.mandates.find(({ contract }) => contract === call.ref.reference.replaceAll("-", ""));
  if (!mandate) throw new Error("the bank has no such mandate");
  return mandate;
};

/** A mandate that its payer has authorized. */
async function approved(changes: Partial<MandateInput> = {}) {
  const call = aMandateCall();
  const { providerTxId: mandateId } = expectKind(await mandates.create(call, anInput(changes)), "approved");
  mock.recurring.answer(named(call), "APROVADA");
  return { call, mandateId };
}

const askedFor = (instruction: PixInstruction) => aPix({ instruction, expiresInSec: 20 * DAY_SECONDS });
const ofTxid = (call: CallContext) => {
  const one = mock.recurring.instructions.find(({ txid }) => txid === call.ref.providerReference);
  if (!one) throw new Error("the bank has no such instruction");
  return one;
};

/** Asked for and taken. */
async function instructed(changes: Partial<MandateInput> = {}) {
  const { mandateId } = await approved(changes);
  const instruction = { mandateId, settleOn: daysOn(10) };
  const call = aCall(rig, "pix");
  const { providerTxId } = expectKind(await rig.provider.createPix(call, askedFor(instruction)), "pending");
  return { call, instruction, providerTxId, one: ofTxid(call) };
}

const seen = async (call: CallContext, instruction: PixInstruction, providerTxId?: string) =>
  expectFound(
    await rig.provider.query(again(call), {
      reference: call.ref,
      sentUntil: clock.now(),
      instruction,
      ...(providerTxId === undefined ? {} : { providerTxId }),
    }),
  );

describe("a mandate", () => {
  test("is made with its payer's document and what it costs, and shows what is scanned", async () => {
    const call = aMandateCall();
    const made = expectKind(await mandates.create(call, anInput()), "approved");
    expect(made.data).toMatchObject({ status: "created", qrCodeData: expect.stringMatching(/^000201/) });
    expect(named(call)).toMatchObject({
      id: made.providerTxId,
      asked: {
        vinculo: { devedor: { cpf: "52998224725", nome: "Ana Souza" }, objeto: "Assinatura do clube de leitura, pla" },
        calendario: { dataInicial: daysOn(10), periodicidade: "MENSAL" },
        valor: { valorRec: "50.00" },
        politicaRetentativa: "PERMITE_3R_7D",
      },
    });
    expectKind(await mandates.create(aMandateCall(), anInput({ payer: { name: "Ana Souza" } })), "rejected");
  });

  test.each(LOST)("%s: undetermined, found by its contract, one at the bank", async (fault) => {
    const call = aMandateCall();
    mock.plan(fault, "POST rec");
    const outcome = await mandates.create(call, anInput());
    if (fault !== "contradicting") expectKind(outcome, "undetermined");
    const found = await mandates.query(call, { sentUntil: clock.now() });
    expect(found).toMatchObject({ kind: "found", providerMandateId: named(call).id, status: "created" });
    expect(found).toHaveProperty("qrCodeData");
    expect(mock.recurring.mandates.filter(({ contract }) => contract === named(call).contract)).toHaveLength(1);
  });

  test("that never reached the bank is not found, for good only once it cannot appear any more", async () => {
    for (const step of ["POST locrec", "POST rec"]) {
      const call = aMandateCall();
      mock.plan("lost_before", step);
      const { kind } = await mandates.create(call, anInput());
      expect(kind).toBe(step === "POST locrec" ? "not_sent" : "undetermined");
      const sentUntil = clock.now();
      expect(await mandates.query(call, { sentUntil })).toEqual({ kind: "not_found_yet" });
      clock.advance(120);
      expect(await mandates.query(call, { sentUntil })).toEqual({ kind: "not_found_definitive" });
    }
  });

  test("is heard of by its name: approved, refused, ended by its payer, ended by us however often it is asked", async () => {
    const states = [
      ["APROVADA", { status: "approved", approvedAt: expect.any(String) }],
      ["REJEITADA", { status: "rejected", endedBy: "payer", endedAt: expect.any(String) }],
      ["EXPIRADA", { status: "expired" }],
      ["CANCELADA", { status: "canceled", endedBy: "payer" }],
    ] as const;
    for (const [word, state] of states) {
      const call = aMandateCall();
      const { providerTxId: providerMandateId } = expectKind(await mandates.create(call, anInput()), "approved");
      mock.recurring.answer(named(call), word);
      expect(await mandates.query(call, { providerMandateId, sentUntil: clock.now() })).toMatchObject(state);
    }
    const { call, mandateId: providerMandateId } = await approved();
    mock.plan("lost_after", "PATCH rec");
    expectKind(await mandates.end(call, { providerMandateId }), "undetermined");
    for (const _again of [1, 2]) {
      const ended = expectKind(await mandates.end(call, { providerMandateId }), "approved");
      expect(ended.data).toMatchObject({ status: "canceled", endedBy: "receiver" });
    }
    const stranger = { ...call, credentials: bankSecret(mock, "another", RECEIVER) };
    expect((await mandates.query(stranger, { providerMandateId, sentUntil: clock.now() })).kind).not.toBe("found");
  });

  test("that is authorized by a first payment shows one code for both", async () => {
    const cob = aCall(rig, "pix");
    expectKind(await rig.provider.createPix(cob, aPix()), "pending");
    const firstPayment = cob.ref.providerReference;
    const made = expectKind(await mandates.create(aMandateCall(), anInput({ firstPayment })), "approved");
    expect(made.data.qrCodeData).toContain(firstPayment);
  });

  test("is kept by no credentials without an account to be paid at", async () => {
    const bare = bankSecret(mock, "bare");
    expect(mandates.lacks?.(bare)).toContain("receiverAccount");
    expect(mandates.lacks?.(rig.credentials)).toBeUndefined();
    const call = aCall(rig, "pix", { credentials: bare });
    const instruction = { mandateId: "R".repeat(29), settleOn: daysOn(10) };
    expectKind(await rig.provider.createPix(call, askedFor(instruction)), "rejected");
  });
});

describe("what is asked under it", () => {
  test("is pending, then paid on its day, and refunded by the Pix that paid it", async () => {
    const { call, instruction, providerTxId, one } = await instructed();
    expect(one.receiver).toEqual({ conta: "0012345", tipoConta: "CORRENTE", agencia: "1234" });
    expect(await seen(call, instruction, providerTxId)).toMatchObject({ state: "pending", authorized: 50_00 });
    mock.recurring.settle(one, instruction.settleOn, "paid");
    const paid = await seen(call, instruction, providerTxId);
    expect(paid).toMatchObject({
      state: "authorized",
      captured: 50_00,
      reference: call.ref.providerReference,
      payments: [{ amount: 50_00, surplus: false }],
    });
    const refunding = aCall(rig, "refund");
    const input = { providerTxId, amount: 20_00, captured: 50_00, alreadyRefunded: 0 };
    expectKind(await rig.provider.refund(refunding, input), "approved");
    expect(await seen(call, instruction, providerTxId)).toMatchObject({
      refunded: 20_00,
      refunds: [{ reference: refunding.ref.providerReference, status: "done" }],
    });
  });

  test.each([...LOST, "http_500"] as const)(
    "%s: undetermined, found by our name of it, asked for once",
    async (fault) => {
      const { mandateId } = await approved();
      const instruction = { mandateId, settleOn: daysOn(10) };
      const call = aCall(rig, "pix");
      mock.plan(fault, "PUT cobr");
      expectKind(await rig.provider.createPix(call, askedFor(instruction)), "undetermined");
      const input = { reference: call.ref, sentUntil: clock.now(), instruction };
      const asked = await rig.provider.query(again(call), input);
      if (fault === "http_500") expect(asked.kind).toBe("not_found_yet");
      else expect(expectFound(asked)).toMatchObject({ state: "pending", offer: { amount: 50_00 } });
      // Asked for again, the bank refuses what it has: that it has it is the answer.
      expectKind(await rig.provider.createPix(again(call), askedFor(instruction)), "pending");
      expect(mock.recurring.instructions.filter(({ txid }) => txid === call.ref.providerReference)).toHaveLength(1);
    },
  );

  test("is refused under no standing mandate, and twice in a cycle", async () => {
    const { mandateId, call: ofMandate } = await approved();
    const instruction = { mandateId, settleOn: daysOn(10) };
    expectKind(await rig.provider.createPix(aCall(rig, "pix"), askedFor(instruction)), "pending");
    expectKind(await rig.provider.createPix(aCall(rig, "pix"), askedFor(instruction)), "rejected");
    mock.recurring.answer(named(ofMandate), "CANCELADA");
    const next = { mandateId, settleOn: daysOn(40) };
    expectKind(await rig.provider.createPix(aCall(rig, "pix"), askedFor(next)), "rejected");
  });

  test("unpaid on its day is tried on another: each day is a payment of its own, under one name at the bank", async () => {
    const { call, instruction, providerTxId, one } = await instructed();
    mock.recurring.settle(one, instruction.settleOn, "unpaid");
    expect(await seen(call, instruction, providerTxId)).toMatchObject({
      state: "declined",
      decline: { retry: "later", reason: "EXPIRADA" },
    });
    const retry = { ...instruction, settleOn: daysOn(12), retryOf: providerTxId };
    const again1 = aCall(rig, "pix");
    mock.plan("lost_after", "POST cobr");
    expectKind(await rig.provider.createPix(again1, askedFor(retry)), "undetermined");
    expect(await seen(again1, retry)).toMatchObject({ state: "pending", reference: again1.ref.providerReference });
    const { providerTxId: name } = expectKind(await rig.provider.createPix(again(again1), askedFor(retry)), "pending");
    expect(one.attempts.map(({ day }) => day)).toEqual([instruction.settleOn, retry.settleOn]);
    expectKind(await rig.provider.cancelOpen(aCall(rig, "cancel_open"), { providerTxId: name }), "approved").data;
    expect(await seen(again1, retry, name)).toMatchObject({ state: "canceled" });
  });

  test("paid on its second day is no money of the first", async () => {
    const { call, instruction, providerTxId, one } = await instructed();
    mock.recurring.settle(one, instruction.settleOn, "AM02");
    const refused = { state: "declined", captured: 0, payments: [], decline: { declinedCode: "invalid_amount" } };
    expect(await seen(call, instruction, providerTxId)).toMatchObject(refused);
    const retry = { ...instruction, settleOn: daysOn(12), retryOf: providerTxId };
    const other = aCall(rig, "pix");
    const { providerTxId: name } = expectKind(await rig.provider.createPix(other, askedFor(retry)), "pending");
    mock.recurring.settle(one, retry.settleOn, "paid");
    expect(await seen(call, instruction, providerTxId)).toMatchObject(refused);
    expect(await seen(other, retry, name)).toMatchObject({ state: "authorized", captured: 50_00 });
    // A third day was never asked for.
    const third = aCall(rig, "pix");
    const unasked = { ...retry, settleOn: daysOn(14), retryOf: name };
    const input = { reference: third.ref, sentUntil: clock.now(), instruction: unasked };
    expect((await rig.provider.query(third, input)).kind).toBe("not_found_yet");
  });

  test("is tried on no other day once the bank refused the whole of it", async () => {
    const { call, instruction, providerTxId, one } = await instructed();
    mock.recurring.settle(one, instruction.settleOn, "AC05");
    expect(await seen(call, instruction, providerTxId)).toMatchObject({
      state: "declined",
      decline: { retry: "never", reason: "AC05" },
    });
  });

  test("is taken back until the day before; then it stands, and is paid all the same", async () => {
    const early = await instructed();
    expectKind(await rig.provider.cancelOpen(aCall(rig, "cancel_open"), early), "approved");
    expect(await seen(early.call, early.instruction, early.providerTxId)).toMatchObject({ state: "canceled" });
    const late = await instructed();
    clock.advance(10 * DAY_SECONDS);
    expectKind(await rig.provider.cancelOpen(aCall(rig, "cancel_open"), late), "rejected");
    mock.recurring.settle(late.one, late.instruction.settleOn, "paid");
    expect(await seen(late.call, late.instruction, late.providerTxId)).toMatchObject({ state: "authorized" });
  });
});

test("notifications name the mandate, and each day that it was tried on", async () => {
  const { call, instruction, providerTxId, one } = await instructed();
  mock.recurring.settle(one, instruction.settleOn, "paid");
  const told = mock.recurring.notices.flatMap((body) => {
    const parsed = parseWebhook(new Headers(), Buffer.from(JSON.stringify(body)));
    return parsed.kind === "authentic" ? parsed.events : [];
  });
  expect(told.filter(({ mandateId }) => mandateId === instruction.mandateId).map(({ type }) => type)).toEqual(["rec"]);
  const ofDay = told.filter((event) => event.providerTxId === providerTxId);
  expect(ofDay.length).toBeGreaterThan(0);
  const repeated = mock.recurring.notices.at(-1);
  const known = parseWebhook(new Headers(), Buffer.from(JSON.stringify(repeated)));
  expect(
    known.kind === "authentic" && known.events.every(({ eventId }) => told.some((one) => one.eventId === eventId)),
  ).toBe(true);
  expect(parseWebhook(new Headers(), Buffer.from('{"recs":[{}],"cobsr":["x"]}')).kind).toBe("unknown_event");
  expect(call.ref.providerReference).toBe(one.txid);
});

test("our address is registered for mandates too where any are kept", async () => {
  const notificationsUrl = "https://pay.example/v1/providers/1/notifications";
  const call: ConnectionCall = { ...aProviderCall(rig), notificationsUrl };
  expect(await rig.provider.connect?.(call)).toEqual({ ok: true, words: "200" });
  for (const name of ["webhookrec", "webhookcobr"]) expect(mock.webhooks.get(name)).toBe(notificationsUrl);
});

test("nothing was asked or answered against the document", () => {
  expect([...new Set(mock.breaches)]).toEqual([]);
});
