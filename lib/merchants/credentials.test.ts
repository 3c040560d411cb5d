import { expect, it } from "vitest";
import type { Account } from "@/lib/context";
import { acceptCredentials } from "@/lib/merchants/credentials";
import { openAuthority } from "@/lib/testing/providers/kit/certificates";
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
  const given = { type: "STRIPE", secretKey: "sk_test_x", environment: "test" };
  expect(acceptCredentials(account, given)).toEqual({
    kind: "STRIPE",
    members: { secretKey: "sk_test_x", environment: "test" },
  });
});

it("a certificate that has ended is refused, one that has not is taken", () => {
  const authority = openAuthority();
  const given = (validDays: number) => {
    const { cert, key } = authority.issue("merchant", { validDays });
    const mtlsPemBase64 = Buffer.from(cert + key).toString("base64");
    const members = { authBasic: "a", devAppKey: "b", pixKey: "c", version: "2", mtlsPemBase64, mtlsPassPhrase: "d" };
    return { type: "BB", ...members, environment: "test" };
  };
  expect(acceptCredentials(account, given(1)).kind).toBe("BB");
  expect(() => acceptCredentials(account, given(-1))).toThrow(
    expect.objectContaining({
      businessCode: "provider_credentials_invalid",
      details: [expect.stringContaining("credentials: the certificate ended on")],
    }),
  );
});
