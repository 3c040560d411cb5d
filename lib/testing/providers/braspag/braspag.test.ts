import { afterAll, beforeAll, expect, test } from "vitest";
import { BRASPAG_CAPABILITIES, braspagProvider } from "@/lib/providers/braspag";
import { describeProvider } from "@/lib/testing/provider-conformance";
import { type CieloMock, startCielo } from "@/lib/testing/providers/cielo/mock";
import { familyRig } from "@/lib/testing/providers/cielo/rig";
import { FAMILY_TRAITS } from "@/lib/testing/providers/cielo/traits";
import { rigClock } from "@/lib/testing/providers/kit/rig";

const clock = rigClock();
let mock: CieloMock;
beforeAll(async () => {
  mock = await startCielo({ product: "BRASPAG", now: clock.now });
});
afterAll(() => mock.close());

describeProvider(
  "BRASPAG",
  BRASPAG_CAPABILITIES,
  () => Promise.resolve(familyRig(mock, clock, braspagProvider)),
  FAMILY_TRAITS,
);

test("nothing was asked or answered against the manual", () => {
  expect([...new Set(mock.breaches)]).toEqual([]);
  expect(mock.events.length).toBeGreaterThan(50);
});
