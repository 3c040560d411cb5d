import { afterAll, beforeAll, expect, test } from "vitest";
import { aCall, aPix, type Rig } from "@/lib/testing/provider-conformance/rig";
import { goldenCall, heardBy, readGolden } from "@/lib/testing/providers/kit/golden";
import { rigClock } from "@/lib/testing/providers/kit/rig";
import { type BankMock, startBank } from "@/lib/testing/providers/pix-bacen/mock";
import { bankRig, useBank } from "@/lib/testing/providers/pix-bacen/rig";

const clock = rigClock();
let mock: BankMock;
let rig: Rig;
beforeAll(async () => {
  mock = await startBank({ now: clock.now });
  useBank("BB", mock);
  rig = bankRig(mock, clock);
});
afterAll(() => mock.close());

test("the requests are those of the file", async () => {
  const { provider } = rig;
  const call = (operation: Parameters<typeof aCall>[1], number: number) => {
    const made = goldenCall(aCall(rig, operation), operation, number);
    return { ...made, ref: { ...made.ref, providerReference: provider.attemptReference(made.ref.attemptId) } };
  };
  const requests = await heardBy(mock, async () => {
    const first = call("pix", 1);
    const document = { type: "CNPJ", number: "12ABC34501DE35", country: "BR" };
    const payer = { name: "Conceição & Filhos", document };
    await provider.createPix(first, aPix({ payer, additionalInfo: [{ name: "Pedido", value: "nº 7" }] }));
    const [entry] = mock.books.entries;
    if (!entry) throw new Error("the bank has no charge");
    mock.books.pay(entry);
    const paymentId = entry.payments[0]?.id ?? "";
    const sums = { amount: 20_00, captured: 50_00, alreadyRefunded: 0 };
    await provider.refund(call("refund", 2), { providerTxId: entry.id, paymentId, ...sums });
    const open = call("pix", 3);
    await provider.createPix(open, aPix());
    await provider.cancelOpen(call("cancel_open", 4), { providerTxId: open.ref.providerReference });
    await provider.connect?.({ ...open, notificationsUrl: "https://pay.example/v1/providers/1/notifications" });
  });
  const named = requests.map((one) => ({ ...one, path: one.path.replace(/\/E\w{31}\//, "/end-to-end/") }));
  expect(named).toEqual(readGolden(new URL("golden.json", import.meta.url)).requests);
});
