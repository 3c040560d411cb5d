import { afterAll, beforeAll, expect, test } from "vitest";
import { ADYEN_CAPABILITIES } from "@/lib/providers/adyen/capabilities";
import { describeProvider } from "@/lib/testing/provider-conformance";
import { type AdyenMock, startAdyen } from "@/lib/testing/providers/adyen/mock";
import { adyenRig } from "@/lib/testing/providers/adyen/rig";
import { ADYEN_TRAITS } from "@/lib/testing/providers/adyen/traits";
import { rigClock } from "@/lib/testing/providers/kit/rig";

const clock = rigClock();
let mock: AdyenMock;
beforeAll(async () => {
  mock = await startAdyen({ now: clock.now });
});
afterAll(() => mock.close());

describeProvider("ADYEN", ADYEN_CAPABILITIES, () => Promise.resolve(adyenRig(mock, clock)), ADYEN_TRAITS);

test("nothing was asked or answered against Adyen's documents, its notifications included", () => {
  const wrong = mock.news.flatMap(({ body }) => mock.newsBreaches(body));
  expect([...new Set([...mock.breaches, ...wrong])]).toEqual([]);
  expect(mock.news.length).toBeGreaterThan(50);
});
