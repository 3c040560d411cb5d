import { afterAll, beforeAll, test } from "vitest";
import { secretOf } from "@/lib/providers/secret";
import { proofTimeout } from "@/lib/testing/proof";
import { payFaulted } from "@/lib/testing/providers/kit/faulted";
import { faultedMock } from "@/lib/testing/providers/kit/faulted-mock";
import { type StripeMock, startStripe } from "@/lib/testing/providers/stripe/mock";
import { signed } from "@/lib/testing/providers/stripe/rig";
import { realNow } from "@/lib/time";

const IN_SUITE = 12;

let mock: StripeMock;
beforeAll(async () => {
  mock = await startStripe();
  // Read once, at the first use in this file.
  process.env.PROVIDER_TEST_HOSTS = JSON.stringify({ STRIPE: mock.url });
});
afterAll(() => mock.close());

test(
  "faulted payments over STRIPE and SANDBOX: no second authorization in their books",
  {
    timeout: proofTimeout(120_000),
  },
  () =>
    payFaulted(
      faultedMock({
        mock,
        credentials: (name) => ({ type: "STRIPE", secretKey: `sk_test_${name}`, webhookSecret: `whsec_${name}` }),
        notifications: (credentials) =>
          mock.events
            .filter(({ account }) => account === credentials.secretKey)
            .map(({ body }) => {
              const text = JSON.stringify(body);
              return { headers: signed(text, secretOf(credentials), realNow()), body: text };
            }),
      }),
      IN_SUITE,
    ),
);
