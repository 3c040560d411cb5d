import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { cieloProvider } from "@/lib/providers/cielo";
import { aCall, aPayment, aPix, type Rig } from "@/lib/testing/provider-conformance/rig";
import { type CieloMock, startCielo } from "@/lib/testing/providers/cielo/mock";
import { familyRig } from "@/lib/testing/providers/cielo/rig";
import { goldenCall, heardBy, readGolden } from "@/lib/testing/providers/kit/golden";
import { rigClock } from "@/lib/testing/providers/kit/rig";

const clock = rigClock();
let mock: CieloMock;
let rig: Rig;
beforeAll(async () => {
  mock = await startCielo({ now: clock.now });
  rig = familyRig(mock, clock, cieloProvider);
});
afterAll(() => mock.close());

const PAYER = {
  name: "Ana",
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

test("the requests are those of the file", async () => {
  const { provider } = rig;
  const call = (operation: Parameters<typeof aCall>[1], number: number) => {
    const golden = goldenCall(aCall(rig, operation), operation, number);
    return { ...golden, ref: { ...golden.ref, providerReference: provider.attemptReference(golden.ref.attemptId) } };
  };
  const card = rig.card("approve", "mastercard");
  const requests = await heardBy(mock, async () => {
    const hold = { card, recurrence: "initial", statementDescriptor: "Loja", holder: PAYER } as const;
    await provider.authorize(call("authorize", 1), aPayment(rig, hold));
    const providerTxId = mock.books.entries[0]?.id ?? "";
    await provider.capture(call("capture", 2), { providerTxId, amount: 60_00, authorized: 100_00 });
    await provider.refund(call("refund", 3), { providerTxId, amount: 10_00, captured: 60_00, alreadyRefunded: 0 });
    await provider.authorize(call("authorize", 4), aPayment(rig, { holder: PAYER, installments: 3 }));
    const held = mock.books.entries.at(-1)?.id ?? "";
    await provider.void(call("void", 5), { providerTxId: held, state: "pre_authorized", amount: 100_00 });
    await provider.createPix(call("pix", 6), aPix({ payer: PAYER }));
    const dueDate = addDays(saoPauloDay(clock.now()), 7);
    await provider.createBoleto(call("boleto", 7), { amount: 159_90, dueDate, payer: PAYER });
    await provider.authorize(call("authorize", 8), aPayment(rig, { card, amount: 0 }));
    const asked = call("authorize", 1);
    await provider.query(asked, { reference: asked.ref, sentUntil: clock.now() });
  });
  expect(requests).toEqual(readGolden(new URL("golden.json", import.meta.url)).requests);
});
