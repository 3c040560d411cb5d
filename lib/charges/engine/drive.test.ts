import { expect, test, vi } from "vitest";
import { openClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";

/** Before the configuration is read: as long as production waits, which is as long as a request lasts in all. */
vi.hoisted(() => {
  process.env.PROVIDER_TIMEOUT_MS = "20000";
});

test("a call may last as long as the whole request: what is left of it is a whole number of milliseconds", async () => {
  const shop = await withMerchant(await openClient());
  expect((await payByCard(shop)).status).toBe(201);
});
