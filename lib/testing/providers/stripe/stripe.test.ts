import { afterAll, beforeAll, expect, test } from "vitest";
import { STRIPE_CAPABILITIES } from "@/lib/providers/stripe/capabilities";
import { describeProvider } from "@/lib/testing/provider-conformance";
import { rigClock } from "@/lib/testing/providers/kit/rig";
import { type StripeMock, startStripe } from "@/lib/testing/providers/stripe/mock";
import { stripeRig } from "@/lib/testing/providers/stripe/rig";
import { STRIPE_TRAITS } from "@/lib/testing/providers/stripe/traits";

const clock = rigClock();
let mock: StripeMock;
beforeAll(async () => {
  mock = await startStripe({ now: clock.now });
});
afterAll(() => mock.close());

describeProvider("STRIPE", STRIPE_CAPABILITIES, () => Promise.resolve(stripeRig(mock, clock)), STRIPE_TRAITS);

test("nothing was asked or answered against the provider's document, its events included", () => {
  const asked = { method: "GET", path: "/v1/events/evt_1" };
  const wrong = mock.events.flatMap(({ body }) => mock.contract.answerBreaches(asked, 200, body));
  expect([...new Set([...mock.breaches, ...wrong])]).toEqual([]);
  expect(mock.events.length).toBeGreaterThan(50);
});
