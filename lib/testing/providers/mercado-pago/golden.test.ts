import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { aCall, aPayment, aPix, type Rig } from "@/lib/testing/provider-conformance/rig";
import { goldenCall, heardBy, readGolden } from "@/lib/testing/providers/kit/golden";
import { rigClock } from "@/lib/testing/providers/kit/rig";
import { type MercadoPagoMock, startMercadoPago } from "@/lib/testing/providers/mercado-pago/mock";
import { mercadoPagoRig } from "@/lib/testing/providers/mercado-pago/rig";

const clock = rigClock();
let mock: MercadoPagoMock;
let rig: Rig;
beforeAll(async () => {
  mock = await startMercadoPago({ now: clock.now });
  rig = mercadoPagoRig(mock, clock);
});
afterAll(() => mock.close());

const ADDRESS = {
  street: "Rua das Flores",
  streetNumber: "10",
  district: "Centro",
  city: "São Paulo",
  state: "SP",
  zipCode: "01001000",
  country: "BR",
};
const PAYER = {
  name: "Ana Conceição Souza",
  email: "ana@example.com",
  document: { type: "CPF", number: "12345678909", country: "BR" },
  address: ADDRESS,
};

test("the requests are those of the file", async () => {
  const { provider } = rig;
  const call = (operation: Parameters<typeof aCall>[1], number: number) =>
    goldenCall(aCall(rig, operation), operation, number);
  const newest = () => mock.books.entries.at(-1)?.id ?? "";
  const requests = await heardBy(mock, async () => {
    const hold = aPayment(rig, { installments: 3, statementDescriptor: "Loja", holder: PAYER });
    await provider.authorize(call("authorize", 1), hold);
    const held = newest();
    await provider.capture(call("capture", 2), { providerTxId: held, amount: 60_01, authorized: 100_00 });
    const sums = { amount: 10_10, captured: 60_01, alreadyRefunded: 0 };
    await provider.refund(call("refund", 3), { providerTxId: held, ...sums });
    await provider.authorize(call("authorize", 4), aPayment(rig));
    await provider.void(call("void", 5), { providerTxId: newest(), state: "pre_authorized", amount: 100_00 });
    await provider.createPix(call("pix", 6), aPix({ payer: PAYER }));
    await provider.cancelOpen(call("cancel_open", 7), { providerTxId: newest() });
    const dueDate = addDays(saoPauloDay(clock.now()), 7);
    await provider.createBoleto(call("boleto", 8), { amount: 159_90, dueDate, payer: PAYER });
    const asked = call("authorize", 4);
    await provider.query(asked, { reference: asked.ref, sentUntil: clock.now() });
  });
  expect(requests).toEqual(readGolden(new URL("golden.json", import.meta.url)).requests);
});
