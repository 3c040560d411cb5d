import { afterAll, beforeAll, test } from "vitest";
import { secretOf } from "@/lib/providers/secret";
import { proofTimeout } from "@/lib/testing/proof";
import { type CieloMock, startCielo } from "@/lib/testing/providers/cielo/mock";
import { withSecret } from "@/lib/testing/providers/cielo/rig";
import { payFaulted } from "@/lib/testing/providers/kit/faulted";
import { faultedMock } from "@/lib/testing/providers/kit/faulted-mock";

const IN_SUITE = 8;

let mock: CieloMock;
beforeAll(async () => {
  mock = await startCielo();
  // Read once, at the first use in this file.
  process.env.PROVIDER_TEST_HOSTS = JSON.stringify({ CIELO: { api: mock.url, query: mock.url } });
});
afterAll(() => mock.close());

test(
  "faulted payments over CIELO and SANDBOX: no second authorization in their books",
  { timeout: proofTimeout(120_000) },
  () =>
    payFaulted(
      faultedMock({
        mock,
        credentials: (name) => ({
          type: "CIELO",
          merchantId: name,
          merchantKey: `key_of_${name}`,
          webhookSecret: `secret_of_${name}`,
        }),
        notifications: (credentials) =>
          mock.events
            .filter(({ account }) => account === `${credentials.merchantId} ${credentials.merchantKey}`)
            .map(({ body }) => ({ headers: withSecret(secretOf(credentials)), body: JSON.stringify(body) })),
      }),
      IN_SUITE,
    ),
);
