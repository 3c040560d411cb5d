import { afterAll, beforeAll, test } from "vitest";
import { proofTimeout } from "@/lib/testing/proof";
import { payFaultedFamily } from "@/lib/testing/providers/cielo/faulted";
import { type CieloMock, startCielo } from "@/lib/testing/providers/cielo/mock";

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
  () => payFaultedFamily("CIELO", mock),
);
