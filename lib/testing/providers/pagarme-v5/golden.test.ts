import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { aCall, aPayment, aPix, aRecipientCall, aSeller, type Rig } from "@/lib/testing/provider-conformance/rig";
import { goldenCall, heardBy, readGolden } from "@/lib/testing/providers/kit/golden";
import { rigClock } from "@/lib/testing/providers/kit/rig";
import { type PagarmeMock, startPagarme } from "@/lib/testing/providers/pagarme-v5/mock";
import { pagarmeRig } from "@/lib/testing/providers/pagarme-v5/rig";

const clock = rigClock();
let mock: PagarmeMock;
let rig: Rig;
beforeAll(async () => {
  mock = await startPagarme({ now: clock.now });
  rig = pagarmeRig(mock, clock);
});
afterAll(() => mock.close());

const PAYER = {
  name: "Ana",
  email: "ana@example.com",
  document: { type: "CPF", number: "12345678909", country: "BR" },
  phone: "+5511999990000",
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

test("the requests are those of the file", async () => {
  const { provider } = rig;
  const call = (operation: Parameters<typeof aCall>[1], number: number) =>
    goldenCall(aCall(rig, operation), operation, number);
  const requests = await heardBy(mock, async () => {
    const split = [
      { recipientId: "re_a", amount: 70_00, liable: true, processingFee: false, remainderFee: true },
      { recipientId: "merchant", amount: 30_00, liable: false, processingFee: true, remainderFee: false },
    ];
    const hold = aPayment(rig, { recurrence: "initial", statementDescriptor: "Loja", holder: PAYER, split });
    await provider.authorize(call("authorize", 1), hold);
    const providerTxId = mock.books.entries[0]?.id ?? "";
    await provider.capture(call("capture", 2), { providerTxId, amount: 60_00, authorized: 100_00 });
    await provider.refund(call("refund", 3), { providerTxId, amount: 10_00, captured: 60_00, alreadyRefunded: 0 });
    await provider.authorize(call("authorize", 4), aPayment(rig, { holder: PAYER }));
    const held = mock.books.entries.at(-1)?.id ?? "";
    await provider.void(call("void", 5), { providerTxId: held, state: "pre_authorized", amount: 100_00 });
    await provider.createPix(call("pix", 6), aPix({ payer: PAYER }));
    const dueDate = addDays(saoPauloDay(clock.now()), 7);
    await provider.createBoleto(call("boleto", 7), { amount: 159_90, dueDate, payer: PAYER });
    const asked = aRecipientCall(rig, "register", { reference: "00000000-0000-4000-8000-0000000000e7" });
    const ref = { ...asked.ref, idempotencyKey: "00000000-0000-4000-8000-0000000000e8" };
    await provider.recipients?.register({ ...asked, ref }, aSeller("12345610000"));
    const externalId = mock.sellers.sellers[0]?.id ?? "";
    await provider.recipients?.update({ ...asked, ref }, { ...aSeller("12345610000"), externalId });
  });
  expect(requests).toEqual(readGolden(new URL("golden.json", import.meta.url)).requests);
});
