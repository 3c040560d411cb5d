import { afterAll, beforeAll, expect, test } from "vitest";
import { PAGARME_V5_CAPABILITIES } from "@/lib/providers/pagarme-v5/capabilities";
import { describeProvider } from "@/lib/testing/provider-conformance";
import { rigClock } from "@/lib/testing/providers/kit/rig";
import { type PagarmeMock, startPagarme } from "@/lib/testing/providers/pagarme-v5/mock";
import { pagarmeRig } from "@/lib/testing/providers/pagarme-v5/rig";
import { PAGARME_V5_TRAITS } from "@/lib/testing/providers/pagarme-v5/traits";

const clock = rigClock();
let mock: PagarmeMock;
beforeAll(async () => {
  mock = await startPagarme({ now: clock.now });
});
afterAll(() => mock.close());

describeProvider(
  "PAGARME_V5",
  PAGARME_V5_CAPABILITIES,
  () => Promise.resolve(pagarmeRig(mock, clock)),
  PAGARME_V5_TRAITS,
);

test("nothing was asked or answered against the provider's reference", () => {
  expect([...new Set(mock.breaches)]).toEqual([]);
  expect(mock.events.length).toBeGreaterThan(50);
});
