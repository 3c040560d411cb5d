import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { Connections } from "@/lib/providers/connections";
import type { PaymentProvider } from "@/lib/providers/provider";
import { aCall, aPayment, aPix } from "@/lib/testing/provider-conformance/rig";
import { startCielo } from "@/lib/testing/providers/cielo/mock";
import type { Product } from "@/lib/testing/providers/cielo/objects";
import { familyRig } from "@/lib/testing/providers/cielo/rig";
import { type GoldenRequest, goldenCall, heardBy } from "@/lib/testing/providers/kit/golden";
import { rigClock } from "@/lib/testing/providers/kit/rig";

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

/** What one of the family sends for intents that never change. */
export async function familyRequests(
  product: Product,
  make: (connections: Connections) => PaymentProvider,
): Promise<GoldenRequest[]> {
  const clock = rigClock();
  const mock = await startCielo({ product, now: clock.now });
  const rig = familyRig(mock, clock, make);
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
    await provider.authorize(call("authorize", 9), aPayment(rig, { method: "debit", capture: true, holder: PAYER }));
    const asked = call("authorize", 1);
    await provider.query(asked, { reference: asked.ref, sentUntil: clock.now() });
  });
  await mock.close();
  return requests;
}
