import { afterAll, beforeAll, test } from "vitest";
import { proofTimeout } from "@/lib/testing/proof";
import { payFaulted } from "@/lib/testing/providers/kit/faulted";
import { faultedMock, type MockedKind } from "@/lib/testing/providers/kit/faulted-mock";
import { type CardKind, startMocked } from "@/lib/testing/providers/mocked";

const IN_SUITE = 12;
const MOST_MS = 180_000;

/** Payments over these kinds and the simulator, all of which fail in every way. */
export function testFaulted(kinds: readonly CardKind[], inSuite = IN_SUITE): void {
  let started: Record<string, MockedKind>;
  beforeAll(async () => {
    started = await startMocked(kinds);
  });
  afterAll(() => Promise.all(Object.values(started).map(({ mock }) => mock.close())));
  test(
    `faulted payments over ${kinds.join(", ")} and SANDBOX: no second authorization in their books`,
    {
      timeout: proofTimeout(MOST_MS),
    },
    () => payFaulted(Object.values(started).map(faultedMock), inSuite),
  );
}
