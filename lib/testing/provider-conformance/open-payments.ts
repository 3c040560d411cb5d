import { expect } from "vitest";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { parseBoletoBarcode, parseBoletoLine } from "@/lib/brazil/boleto";
import { parsePixCode } from "@/lib/brazil/pix-brcode";
import type { BoletoInput, Payer, PixInput } from "@/lib/providers/provider";
import { all, type Case, needsBoleto, needsPix } from "@/lib/testing/provider-conformance/case";
import { aCall, aPix, expectKind, found, type Rig } from "@/lib/testing/provider-conformance/rig";

const DAY = 86_400;
const DUE_DAYS = 7;

async function openPix(rig: Rig, changes: Partial<PixInput> = {}) {
  const call = aCall(rig, "pix");
  const pending = expectKind(await rig.provider.createPix(call, aPix(changes)), "pending");
  const { data, providerTxId } = pending;
  if (!data) throw new Error("a pending Pix carries its code");
  return { call, providerTxId, txid: data.txid, pix: data };
}

/** With all that any bank asks for. */
const PAYER: Payer = {
  name: "Ana Souza",
  email: "ana@example.com",
  document: { type: "CPF", number: "12345678909", country: "BR" },
  address: {
    street: "Rua das Flores",
    streetNumber: "10",
    district: "Centro",
    city: "São Paulo",
    state: "SP",
    zipCode: "01001000",
    country: "BR",
  },
};

async function openBoleto(rig: Rig, changes: Partial<BoletoInput> = {}) {
  const call = aCall(rig, "boleto");
  const dueDate = addDays(saoPauloDay(rig.clock.now()), DUE_DAYS);
  const input = { amount: 159_90, dueDate, payer: PAYER, ...changes };
  const { data, providerTxId } = expectKind(await rig.provider.createBoleto(call, input), "pending");
  if (!data) throw new Error("a pending boleto carries its line");
  return { call, providerTxId, slip: data, dueDate };
}

const refundPix = (rig: Rig, providerTxId: string, amount: number, paymentId?: string) =>
  rig.provider.refund(aCall(rig, "refund"), {
    providerTxId,
    amount,
    captured: 50_00,
    alreadyRefunded: 0,
    ...(paymentId === undefined ? {} : { paymentId }),
  });

export const OPEN_CASES: readonly Case[] = [
  {
    number: 42,
    title: "a Pix code can be read and says the amount",
    notApplicable: needsPix,
    async run(rig) {
      const { pix } = await openPix(rig);
      expect(parsePixCode(pix.brCode ?? "")).toMatchObject({ kind: "dynamic", amount: 50_00 });
    },
  },
  {
    number: 43,
    title: "the life of a Pix has bounds",
    notApplicable: needsPix,
    async run(rig) {
      const { pix } = rig.provider.capabilities;
      if (!pix) throw new Error("the case needs Pix");
      await openPix(rig, { expiresInSec: pix.minExpirySec });
      await openPix(rig, { expiresInSec: pix.maxExpirySec });
      for (const expiresInSec of [pix.minExpirySec - 1, pix.maxExpirySec + 1, 1.5]) {
        expectKind(await rig.provider.createPix(aCall(rig, "pix"), aPix({ expiresInSec })), "rejected");
      }
    },
  },
  {
    number: 44,
    title: "a Pix is paid once",
    notApplicable: needsPix,
    async run(rig, { lacks }) {
      const { call, txid } = await openPix(rig);
      if (!lacks?.openNews) expect((await found(rig, call)).state).toBe("pending");
      await rig.payPix(txid, {});
      expect(await found(rig, call)).toMatchObject({
        state: "authorized",
        captured: 50_00,
        payments: [{ amount: 50_00, surplus: false }],
      });
    },
  },
  {
    number: 84,
    title: "a Pix whose creation was not answered is found with its code, and paid is found paid",
    notApplicable: (capabilities, { lacks }) => needsPix(capabilities) ?? lacks?.openNews ?? lacks?.shownCodes,
    async run(rig) {
      const call = aCall(rig, "pix", rig.inject("lost_after"));
      expectKind(await rig.provider.createPix(call, aPix()), "undetermined");
      const { state, offer } = await found(rig, call);
      expect(state).toBe("pending");
      const { data, amount } = offer ?? { data: undefined, amount: 0 };
      if (!data || !("txid" in data)) throw new Error("the code is not shown");
      expect(amount).toBe(50_00);
      expect(parsePixCode(data.brCode ?? "")).toMatchObject({ kind: "dynamic", amount: 50_00 });
      await rig.payPix(data.txid, {});
      expect(await found(rig, call)).toMatchObject({ state: "authorized", captured: 50_00 });
    },
  },
  {
    number: 85,
    title: "a boleto is found with its line",
    notApplicable: (capabilities, { lacks }) => needsBoleto(capabilities) ?? lacks?.openNews,
    async run(rig) {
      const { call, providerTxId, slip, dueDate } = await openBoleto(rig);
      const { offer } = await found(rig, call, providerTxId);
      expect(offer).toMatchObject({ amount: 159_90, data: { line: slip.line, barcode: slip.barcode, dueDate } });
    },
  },
  {
    number: 45,
    title: "a Pix paid twice shows the second payment, which goes back",
    notApplicable: (capabilities, { lacks }) => needsPix(capabilities) ?? lacks?.surplusPix,
    async run(rig) {
      const { call, txid, providerTxId } = await openPix(rig);
      await rig.payPix(txid, { times: 2 });
      const { payments, captured } = await found(rig, call);
      expect(captured).toBe(50_00);
      expect(payments.map(({ surplus }) => surplus)).toEqual([false, true]);
      expect(new Set(payments.map(({ paymentId }) => paymentId)).size).toBe(2);
      expectKind(await refundPix(rig, providerTxId, 50_00, payments[1]?.paymentId), "approved");
      expect(await found(rig, call)).toMatchObject({ state: "authorized", captured: 50_00, refunded: 0 });
    },
  },
  {
    number: 46,
    title: "a Pix paid after its end is money on top, and goes back",
    notApplicable: (capabilities, { lacks }) => needsPix(capabilities) ?? lacks?.surplusPix,
    async run(rig) {
      const { call, txid, providerTxId } = await openPix(rig, { expiresInSec: 60 });
      rig.clock.advance(120);
      expect((await found(rig, call)).state).toBe("expired");
      await rig.payPix(txid, { after: "expiry" });
      const seen = await found(rig, call);
      expect(seen).toMatchObject({ state: "expired", captured: 0, payments: [{ amount: 50_00, surplus: true }] });
      expectKind(await refundPix(rig, providerTxId, 50_00, seen.payments[0]?.paymentId), "approved");
    },
  },
  {
    number: 47,
    title: "a Pix is refunded in part, and not after its window",
    notApplicable: needsPix,
    async run(rig) {
      const { call, txid, providerTxId } = await openPix(rig);
      await rig.payPix(txid, {});
      expectKind(await refundPix(rig, providerTxId, 20_00), "approved");
      expect(await found(rig, call)).toMatchObject({ state: "authorized", refunded: 20_00 });
      const { pix } = rig.provider.capabilities;
      rig.clock.advance(((pix ? pix.refundWindowDays : 0) + 1) * DAY);
      const late = await refundPix(rig, providerTxId, 10_00);
      if (rig.provider.capabilities.modifications === "sync") expectKind(late, "rejected");
      expect((await found(rig, call)).refunded).toBe(20_00);
    },
  },
  {
    number: 48,
    title: "line, barcode, amount and due date of a boleto agree",
    notApplicable: needsBoleto,
    async run(rig) {
      const { slip, dueDate } = await openBoleto(rig);
      const read = parseBoletoLine(slip.line, dueDate);
      expect(read).toMatchObject({ barcode: slip.barcode, amount: 159_90, dueOn: dueDate });
      expect(parseBoletoBarcode(slip.barcode, dueDate).line).toBe(slip.line);
    },
  },
  {
    number: 49,
    title: "a boleto is paid with less or more than it says",
    notApplicable: all(needsBoleto, ({ boleto }) =>
      boleto && !boleto.overUnderPayment ? "only exact payments" : undefined,
    ),
    async run(rig) {
      for (const amount of [150_00, 170_00]) {
        const { call } = await openBoleto(rig);
        await rig.payBoleto(call.chargeId, { amount });
        expect(await found(rig, call)).toMatchObject({ state: "authorized", captured: amount });
      }
    },
  },
  {
    number: 50,
    title: "a canceled boleto that is paid is money on top",
    notApplicable: (capabilities, { lacks }) => needsBoleto(capabilities) ?? lacks?.lateSlips,
    async run(rig) {
      const { call, providerTxId } = await openBoleto(rig);
      const cancelCall = aCall(rig, "cancel_open", { chargeId: call.chargeId });
      expectKind(await rig.provider.cancelOpen(cancelCall, { providerTxId }), "approved");
      await rig.payBoleto(call.chargeId, {});
      expect(await found(rig, call)).toMatchObject({ state: "canceled", captured: 0, payments: [{ surplus: true }] });
    },
  },
];
