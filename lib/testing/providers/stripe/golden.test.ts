import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { aCall, aPayment, type Rig } from "@/lib/testing/provider-conformance/rig";
import { goldenCall, heardBy, readGolden } from "@/lib/testing/providers/kit/golden";
import { rigClock } from "@/lib/testing/providers/kit/rig";
import { type StripeMock, startStripe } from "@/lib/testing/providers/stripe/mock";
import { stripeRig } from "@/lib/testing/providers/stripe/rig";

const clock = rigClock();
let mock: StripeMock;
let rig: Rig;
beforeAll(async () => {
  mock = await startStripe({ now: clock.now });
  rig = stripeRig(mock, clock);
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

test("the requests are those of the file", async () => {
  const { provider } = rig;
  const call = (operation: Parameters<typeof aCall>[1], number: number) =>
    goldenCall(aCall(rig, operation), operation, number);
  const requests = await heardBy(mock, async () => {
    const hold = aPayment(rig, {
      recurrence: "initial",
      statementDescriptor: "Loja",
      holder: { name: "Ana", address: ADDRESS },
    });
    await provider.authorize(call("authorize", 1), hold);
    const [first] = mock.books.entries;
    const providerTxId = first?.id ?? "";
    await provider.capture(call("capture", 2), { providerTxId, amount: 60_00, authorized: 100_00 });
    await provider.refund(call("refund", 3), { providerTxId, amount: 10_00, captured: 60_00, alreadyRefunded: 0 });
    await provider.authorize(
      call("authorize", 4),
      aPayment(rig, { recurrence: "subsequent", capture: true, buyerPresent: false }),
    );
    await provider.authorize(call("authorize", 5), aPayment(rig));
    await provider.void(call("void", 6), {
      providerTxId: mock.books.entries.at(-1)?.id ?? "",
      state: "pre_authorized",
      amount: 100_00,
    });
    const document = { type: "CPF", number: "12345678909", country: "BR" };
    await provider.createBoleto(call("boleto", 7), {
      amount: 159_90,
      dueDate: addDays(saoPauloDay(clock.now()), 7),
      payer: { name: "Ana", email: "ana@example.com", document, address: ADDRESS },
    });
  });
  expect(requests).toEqual(readGolden(new URL("golden.json", import.meta.url)).requests);
});
