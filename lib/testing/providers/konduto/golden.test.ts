import { afterAll, beforeAll, expect, test } from "vitest";
import type { AnalysisCall, FinalStatus, Suspect } from "@/lib/providers/antifraud";
import { kondutoAntifraud } from "@/lib/providers/konduto";
import { secretOf } from "@/lib/providers/secret";
import { heardBy, readGolden } from "@/lib/testing/providers/kit/golden";
import { connectionsTo, rigClock, standIn } from "@/lib/testing/providers/kit/rig";
import { type KondutoMock, startKonduto } from "@/lib/testing/providers/konduto/mock";
import { addSeconds, realNow } from "@/lib/time";

const KEY = "T738D516F09CAB3A2C1EE";

let konduto: KondutoMock;
beforeAll(async () => {
  konduto = await startKonduto(KEY);
});
afterAll(() => konduto.close());

/** The charge of a number, whose ids are always the same. */
function call(number: number, options: Record<string, unknown> = {}): AnalysisCall {
  const chargeId = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  return {
    clientId: "00000000-0000-4000-8000-0000000000c1",
    providerId: "00000000-0000-4000-8000-0000000000d1",
    publicUrl: "https://pay.example",
    credentials: secretOf({ secretKey: KEY }),
    host: "test",
    options,
    deadline: addSeconds(realNow(), 10),
    signal: AbortSignal.timeout(10_000),
    clock: rigClock(),
    log: { info() {}, warn() {} },
    chargeId,
    reference: `${chargeId}-1`,
  };
}

const BARE: Suspect = {
  amount: 100_00,
  installments: 1,
  fraudAnalysis: {},
  buyer: { name: "Ana Souza", email: "ana@example.com" },
  card: { brand: "visa", bin: "41111111", last4: "1111", holderName: "ANA SOUZA" },
};
const WHOLE: Suspect = {
  ...BARE,
  installments: 6,
  ip: "203.0.113.7",
  fraudAnalysis: {
    customer: {
      name: "Ana Conceição Souza",
      email: "ana@example.com",
      phone: "+5511999990000",
      identity: "52998224725",
      birthdate: "1990-05-01",
      registrationDate: "2024-02-29",
      billingAddress: {
        street: "Rua das Flores",
        number: "10",
        complement: "ap. 2",
        district: "Centro",
        city: "São Paulo",
        state: "SP",
        zipCode: "01001000",
        country: "br",
      },
      deliveryAddress: { street: "Av. Brasil", city: "Rio de Janeiro", country: "BR" },
    },
    cart: { items: [{ name: "Book", sku: "B1", description: "Paper", quantity: 2, unitPrice: 4_990 }] },
  },
};
const ENDS: readonly FinalStatus[] = ["authorized", "failed", "voided", "canceled", "charged_back"];

test("the requests are those of the file", async () => {
  const analyst = kondutoAntifraud(connectionsTo(standIn(konduto.url)));
  const requests = await heardBy(konduto, async () => {
    await analyst.analyse(call(1), WHOLE);
    await analyst.analyse(call(2, { runBeforeCharge: true }), BARE);
    await analyst.query(call(1));
    for (const end of ENDS) await analyst.feed?.(call(1), end);
  });
  expect(requests).toEqual(readGolden(new URL("golden.json", import.meta.url)).requests);
});
