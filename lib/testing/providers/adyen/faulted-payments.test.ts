import { afterAll, beforeAll, test } from "vitest";
import { secretOf } from "@/lib/providers/secret";
import { proofTimeout } from "@/lib/testing/proof";
import { type AdyenMock, startAdyen } from "@/lib/testing/providers/adyen/mock";
import { adyenFields, delivered } from "@/lib/testing/providers/adyen/rig";
import { payFaulted } from "@/lib/testing/providers/kit/faulted";
import { faultedMock } from "@/lib/testing/providers/kit/faulted-mock";

const IN_SUITE = 12;

let mock: AdyenMock;
beforeAll(async () => {
  mock = await startAdyen();
  // Read once, at the first use in this file.
  process.env.PROVIDER_TEST_HOSTS = JSON.stringify({ ADYEN: mock.url });
});
afterAll(() => mock.close());

test(
  "faulted payments over ADYEN and SANDBOX: no second authorization in their books",
  {
    timeout: proofTimeout(120_000),
  },
  () =>
    payFaulted(
      faultedMock({
        mock,
        credentials: (name) => ({ type: "ADYEN", ...adyenFields(name) }),
        notifications: (credentials) =>
          mock.news
            .filter(({ account }) => account === credentials.merchantAccount)
            .map((one) => ({ headers: new Headers(), body: delivered(one, secretOf(credentials)) })),
      }),
      IN_SUITE,
    ),
);
