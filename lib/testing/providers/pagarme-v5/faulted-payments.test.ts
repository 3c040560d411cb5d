import { afterAll, beforeAll, test } from "vitest";
import { secretOf } from "@/lib/providers/secret";
import { proofTimeout } from "@/lib/testing/proof";
import { payFaulted } from "@/lib/testing/providers/kit/faulted";
import { faultedMock } from "@/lib/testing/providers/kit/faulted-mock";
import { type PagarmeMock, startPagarme } from "@/lib/testing/providers/pagarme-v5/mock";
import { signedIn } from "@/lib/testing/providers/pagarme-v5/rig";

const IN_SUITE = 12;

let mock: PagarmeMock;
beforeAll(async () => {
  mock = await startPagarme();
  // Read once, at the first use in this file.
  process.env.PROVIDER_TEST_HOSTS = JSON.stringify({ PAGARME_V5: mock.url });
});
afterAll(() => mock.close());

test(
  "faulted payments over PAGARME_V5 and SANDBOX: no second authorization in their books",
  {
    timeout: proofTimeout(120_000),
  },
  () =>
    payFaulted(
      faultedMock({
        mock,
        credentials: (name) => ({
          type: "PAGARME_V5",
          secretKey: `sk_test_${name}`,
          webhookSecret: `trilho:password_of_${name}`,
        }),
        notifications: (credentials) =>
          mock.events
            .filter(({ account }) => account === credentials.secretKey)
            .map(({ body }) => ({ headers: signedIn(secretOf(credentials)), body: JSON.stringify(body) })),
      }),
      IN_SUITE,
    ),
);
