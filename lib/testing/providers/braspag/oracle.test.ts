import { afterAll, beforeAll, expect, test } from "vitest";
import { braspagProvider } from "@/lib/providers/braspag";
import { declineOf } from "@/lib/providers/cielo/answers";
import type { KnownRefund } from "@/lib/providers/refund-marks";
import { secretOf } from "@/lib/providers/secret";
import {
  aCall,
  again,
  aPayment,
  captured,
  expectFound,
  expectKind,
  type Rig,
  refund,
} from "@/lib/testing/provider-conformance/rig";
import { type CieloMock, startCielo } from "@/lib/testing/providers/cielo/mock";
import { familyRig } from "@/lib/testing/providers/cielo/rig";
import { PROVABLE } from "@/lib/testing/providers/kinds";
import { connectionsTo, rigClock, standIn } from "@/lib/testing/providers/kit/rig";
import { runLive } from "@/lib/testing/providers/live";

const clock = rigClock();
let mock: CieloMock;
let rig: Rig;
beforeAll(async () => {
  mock = await startCielo({ product: "BRASPAG", now: clock.now });
  rig = familyRig(mock, clock, braspagProvider);
});
afterAll(() => mock.close());

test("each payment names its acquirer: the simulated one at the test host, else the merchant's", async () => {
  // The same stand-in behind both hosts, to see what would be sent to the live one.
  const provider = braspagProvider(connectionsTo(standIn(mock.url), standIn(mock.url)));
  const named = async (host: "test" | "live", more: Record<string, string> = {}) => {
    const credentials = secretOf({ merchantId: "m", merchantKey: "k", ...more });
    const call = aCall(rig, "authorize", { host, credentials });
    expectKind(await provider.authorize(call, aPayment(rig)), "approved");
    const [first] = await rig.received(call.chargeId);
    return first?.request.Payment;
  };
  expect(await named("test")).toMatchObject({ Provider: "Simulado" });
  expect(await named("live")).toMatchObject({ Provider: "Cielo30" });
  expect(await named("live", { cardProvider: "Rede2" })).toMatchObject({ Provider: "Rede2" });
});

test("codes of other acquirers are no network's: they are kept, and nothing is tried again on their word", () => {
  const read = (Provider: string) =>
    declineOf(
      { Provider, ReturnCode: null, ProviderReturnCode: "51", MerchantAdviceCode: null },
      "visa",
      false,
      clock.now(),
    );
  expect(read("Cielo30")).toMatchObject({ declinedCode: "insufficient_funds", retry: "later" });
  expect(read("Rede2")).toEqual({ declinedCode: "generic", retry: "never", reason: "Rede2 51" });
});

test("listed refunds are told apart by what the books know, with their states", async () => {
  const payment = await captured(rig);
  expectKind(await refund(rig, payment, 10_00), "approved");
  expectKind(await refund(rig, payment, 10_00, { alreadyRefunded: 10_00 }), "approved");
  const at = clock.now().toISOString();
  const known = (reference: string): KnownRefund => ({
    reference,
    amount: 10_00,
    isDone: false,
    isAccepted: false,
    at,
  });
  const { call, providerTxId } = payment;
  const asked = { providerTxId, reference: call.ref, sentUntil: clock.now(), refunds: [known("a"), known("b")] };
  const { refunds, refunded } = expectFound(await rig.provider.query(again(call), asked));
  expect(refunded).toBe(20_00);
  expect(refunds).toMatchObject([{ reference: "a" }, { reference: "b" }]);
});

test("the safe part of a live run passes here too", async () => {
  const { live } = PROVABLE.BRASPAG ?? {};
  if (!live) throw new Error("it has a safe part");
  mock.cards.set(live.approved.pan, "approve");
  mock.cards.set(live.declined.pan, "decline:generic");
  const steps = await runLive(rig.provider, rig.credentials, live);
  expect(steps.filter(({ ok }) => !ok)).toEqual([]);
  expect(mock.breaches).toEqual([]);
});
