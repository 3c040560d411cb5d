import { afterAll, beforeAll, test } from "vitest";
import { secretOf } from "@/lib/providers/secret";
import { proofTimeout } from "@/lib/testing/proof";
import { payFaulted } from "@/lib/testing/providers/kit/faulted";
import { faultedMock } from "@/lib/testing/providers/kit/faulted-mock";
import { type MercadoPagoMock, startMercadoPago } from "@/lib/testing/providers/mercado-pago/mock";
import { signed } from "@/lib/testing/providers/mercado-pago/rig";
import { realNow } from "@/lib/time";

const IN_SUITE = 12;

let mock: MercadoPagoMock;
beforeAll(async () => {
  mock = await startMercadoPago();
  // Read once, at the first use in this file.
  process.env.PROVIDER_TEST_HOSTS = JSON.stringify({ MERCADO_PAGO: mock.url });
});
afterAll(() => mock.close());

test(
  "faulted payments over MERCADO_PAGO and SANDBOX: no second authorization in their books",
  {
    timeout: proofTimeout(120_000),
  },
  () =>
    payFaulted(
      faultedMock({
        mock,
        credentials: (name) => ({
          type: "MERCADO_PAGO",
          accessToken: `TEST-${name}`,
          webhookSecret: `secret_of_${name}`,
        }),
        notifications: (credentials) =>
          mock.events
            .filter(({ account }) => account === credentials.accessToken)
            .map(({ body }) => {
              const text = JSON.stringify(body);
              return { headers: signed(text, secretOf(credentials), realNow()), body: text };
            }),
      }),
      IN_SUITE,
    ),
);
