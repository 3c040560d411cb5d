import { afterAll, beforeAll, expect, test } from "vitest";
import { MERCADO_PAGO_CAPABILITIES } from "@/lib/providers/mercado-pago/capabilities";
import { describeProvider } from "@/lib/testing/provider-conformance";
import { rigClock } from "@/lib/testing/providers/kit/rig";
import { type MercadoPagoMock, startMercadoPago } from "@/lib/testing/providers/mercado-pago/mock";
import { mercadoPagoRig } from "@/lib/testing/providers/mercado-pago/rig";
import { MERCADO_PAGO_TRAITS } from "@/lib/testing/providers/mercado-pago/traits";

const clock = rigClock();
let mock: MercadoPagoMock;
beforeAll(async () => {
  mock = await startMercadoPago({ now: clock.now });
});
afterAll(() => mock.close());

describeProvider(
  "MERCADO_PAGO",
  MERCADO_PAGO_CAPABILITIES,
  () => Promise.resolve(mercadoPagoRig(mock, clock)),
  MERCADO_PAGO_TRAITS,
);

test("nothing was asked or answered against the provider's reference", () => {
  expect([...new Set(mock.breaches)]).toEqual([]);
  expect(mock.events.length).toBeGreaterThan(50);
});
