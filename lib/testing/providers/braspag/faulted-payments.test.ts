import { afterAll, beforeAll, test } from "vitest";
import { proofTimeout } from "@/lib/testing/proof";
import { payFaultedFamily } from "@/lib/testing/providers/cielo/faulted";
import { type CieloMock, startCielo } from "@/lib/testing/providers/cielo/mock";

let mock: CieloMock;
beforeAll(async () => {
  mock = await startCielo({ product: "BRASPAG" });
  // Read once, at the first use in this file.
  process.env.PROVIDER_TEST_HOSTS = JSON.stringify({ BRASPAG: { api: mock.url, query: mock.url } });
});
afterAll(() => mock.close());

test(
  "faulted payments over BRASPAG and SANDBOX: no second authorization in their books",
  { timeout: proofTimeout(120_000) },
  () => payFaultedFamily("BRASPAG", mock),
);
