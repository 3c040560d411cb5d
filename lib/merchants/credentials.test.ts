import { expect, it } from "vitest";
import type { Account } from "@/lib/context";
import { acceptCredentials } from "@/lib/merchants/credentials";
import { REAL_CLOCK } from "@/lib/time";

// Read once, at the first use in this file.
process.env.SANDBOX_ENABLED = "false";

const account: Account = { id: "a", mode: "sandbox", clock: REAL_CLOCK, autoSettleSeconds: null };

it.each(["SANDBOX", "SANDBOX_ANTIFRAUD"])("%s is no kind where the installation has no simulator", (type) => {
  expect(() => acceptCredentials(account, { type })).toThrow(
    expect.objectContaining({
      businessCode: "provider_credentials_invalid",
      details: ["credentials.type: is not a provider kind"],
    }),
  );
});

it("other kinds are taken as before", () => {
  const given = { type: "STRIPE", secretKey: "x", environment: "test" };
  expect(acceptCredentials(account, given)).toEqual({
    kind: "STRIPE",
    members: { secretKey: "x", environment: "test" },
  });
});
