import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { aCall, aPayment, aPix, type Rig } from "@/lib/testing/provider-conformance/rig";
import { type AdyenMock, startAdyen } from "@/lib/testing/providers/adyen/mock";
import { cresOf } from "@/lib/testing/providers/adyen/objects";
import { adyenRig } from "@/lib/testing/providers/adyen/rig";
import { goldenCall, heardBy, readGolden } from "@/lib/testing/providers/kit/golden";
import { rigClock } from "@/lib/testing/providers/kit/rig";

const clock = rigClock();
let mock: AdyenMock;
let rig: Rig;
beforeAll(async () => {
  mock = await startAdyen({ now: clock.now });
  rig = adyenRig(mock, clock);
});
afterAll(() => mock.close());

const PAYER = {
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
const BROWSER = {
  acceptHeader: "*/*",
  language: "pt-BR",
  userAgent: "Mozilla/5.0",
  colorDepth: 24,
  screenHeight: 800,
  screenWidth: 1280,
  timeZoneOffset: "180",
  javaEnabled: false,
  javaScriptEnabled: true,
  ip: "203.0.113.7",
};

test("the requests are those of the file", async () => {
  const { provider } = rig;
  const call = (operation: Parameters<typeof aCall>[1], number: number) =>
    goldenCall(aCall(rig, operation), operation, number);
  const last = () => mock.books.entries.at(-1)?.id ?? "";
  const requests = await heardBy(mock, async () => {
    await provider.authorize(
      call("authorize", 1),
      aPayment(rig, { recurrence: "initial", statementDescriptor: "Loja", installments: 6, holder: PAYER }),
    );
    const providerTxId = last();
    await provider.capture(call("capture", 2), { providerTxId, amount: 60_00, authorized: 100_00 });
    await provider.refund(call("refund", 3), { providerTxId, amount: 10_00, captured: 60_00, alreadyRefunded: 0 });
    await provider.authorize(
      call("authorize", 4),
      aPayment(rig, { recurrence: "subsequent", buyerPresent: false, networkTransactionId: "ntx1" }),
    );
    await provider.void(call("void", 5), { providerTxId: last(), state: "pre_authorized", amount: 100_00 });
    const threeDS = {
      returnUrl: "https://pay.example/back",
      data: { browser: BROWSER, requestorURL: "https://shop.example/cart" },
    };
    const payment = aPayment(rig, { threeDS });
    await provider.authorize(call("authorize", 6), payment);
    const input = { providerTxId: "x", details: "brought back", payment };
    await provider.continueAuthentication?.(call("authorize", 6), input);
    const native = { ...payment, threeDS: { ...threeDS, deviceUrl: "https://pay.example/s/device" } };
    const goOn = async (details: string, kept: Record<string, string>) =>
      provider.continueAuthentication?.(call("authorize", 10), { providerTxId: "x", details, kept, payment: native });
    await provider.authorize(call("authorize", 10), native);
    await goOn("Y", { detail: "threeds2.fingerprint", paymentData: "data" });
    const acsTransID = "acs-1";
    const creq = Buffer.from(JSON.stringify({ acsTransID })).toString("base64url");
    await goOn(cresOf(creq, "Y"), { detail: "threeDSResult", authorisationToken: "token", acsTransID });
    await provider.createPix(call("pix", 7), aPix({ payer: PAYER }));
    const dueDate = addDays(saoPauloDay(clock.now()), 7);
    await provider.createBoleto(call("boleto", 8), {
      amount: 159_90,
      dueDate,
      payer: PAYER,
      instructions: "Não receber após o vencimento",
    });
    await provider.cancelOpen(call("cancel_open", 9), { providerTxId: last() });
  });
  expect(requests).toEqual(readGolden(new URL("golden.json", import.meta.url)).requests);
});
