import { afterAll, beforeAll, expect, test } from "vitest";
import { cieloProvider } from "@/lib/providers/cielo";
import { CIELO_CAPABILITIES } from "@/lib/providers/cielo/capabilities";
import { describeProvider } from "@/lib/testing/provider-conformance";
import { type CieloMock, startCielo } from "@/lib/testing/providers/cielo/mock";
import { familyRig } from "@/lib/testing/providers/cielo/rig";
import { CIELO_TRAITS } from "@/lib/testing/providers/cielo/traits";
import { rigClock } from "@/lib/testing/providers/kit/rig";

const clock = rigClock();
let mock: CieloMock;
beforeAll(async () => {
  mock = await startCielo({ now: clock.now });
});
afterAll(() => mock.close());

describeProvider(
  "CIELO",
  CIELO_CAPABILITIES,
  () => Promise.resolve(familyRig(mock, clock, cieloProvider)),
  CIELO_TRAITS,
);

test("nothing was asked or answered against the manual", () => {
  expect([...new Set(mock.breaches)]).toEqual([]);
  expect(mock.events.length).toBeGreaterThan(50);
});
