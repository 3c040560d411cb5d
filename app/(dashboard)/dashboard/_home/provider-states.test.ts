import { expect, test } from "vitest";
import { shownProviders } from "@/app/(dashboard)/dashboard/_home/provider-states";
import type { ProviderNow } from "@/lib/insights/providers-now";

const seen = (id: string, attempts: number, troubled = 0): ProviderNow => ({
  id,
  name: id,
  provider: "SANDBOX",
  isOneOfSeveral: true,
  attempts,
  approved: attempts - troubled,
  declined: 0,
  troubled,
  newest: Math.min(attempts, 20),
  newestTroubled: Math.min(troubled, 20),
  p50: undefined,
  p95: undefined,
  lastSuccess: undefined,
});

test("what fails comes first and is never left out; of what works, the busiest are shown", () => {
  const busy = Array.from({ length: 12 }, (_, index) => seen(`works ${index}`, 100 - index));
  const { shown, left } = shownProviders([...busy, seen("unstable", 10, 1), seen("fails", 3, 3)]);
  expect(shown.map(({ id }) => id)).toEqual(["fails", "unstable", ...busy.slice(0, 6).map(({ id }) => id)]);
  expect(left).toBe(6);
  const failing = Array.from({ length: 10 }, (_, index) => seen(`fails ${index}`, 5, 5));
  expect(shownProviders([...busy, ...failing])).toEqual({ shown: failing, left: 12 });
});
