import { expect, test } from "vitest";
import { connectionsOf } from "@/lib/providers/connections";
import { HOSTS, hostAddress } from "@/lib/providers/hosts";
import { secretOf } from "@/lib/providers/secret";

// Read once, at the first use in this file.
process.env.PROVIDER_TEST_HOSTS = JSON.stringify({
  STRIPE: "http://127.0.0.1:4000",
  BB: { api: "https://127.0.0.1:4001" },
});

test("stand-ins are reached with test credentials alone, and only where one is named", () => {
  expect(hostAddress("STRIPE", "test")).toEqual({ baseUrl: "http://127.0.0.1:4000", isStandIn: true });
  expect(hostAddress("STRIPE", "live")).toEqual({ baseUrl: "https://api.stripe.com", isStandIn: false });
  expect(hostAddress("BB", "test").isStandIn).toBe(true);
  expect(hostAddress("BB", "test", "token")).toEqual({ baseUrl: HOSTS.BB.token.test, isStandIn: false });
  expect(hostAddress("BB", "live")).toEqual({ baseUrl: HOSTS.BB.api.live, isStandIn: false });
  expect(() => hostAddress("STRIPE", "test", "query")).toThrow("no host for query");
});

test("every constant host is one of the internet's, over TLS", () => {
  for (const roles of Object.values(HOSTS)) {
    for (const { live, test: forTests } of Object.values(roles)) {
      for (const address of [live, forTests]) expect(address).toMatch(/^https:\/\/(?:\{\w+\}-)?[a-z0-9.-]+$/);
    }
  }
});

test("a credential fills its part of a host, and nothing more", () => {
  const liveOf = (liveUrlPrefix: string) => hostAddress("ADYEN", "live", "api", { liveUrlPrefix }).baseUrl;
  expect(liveOf("1797a841-shop")).toBe("https://1797a841-shop-checkout-live.adyenpayments.com");
  for (const prefix of ["", "evil.example/", "a@b", "a.b"]) expect(() => liveOf(prefix)).toThrow("no part of a host");
});

test("two sets of credentials never share a connection, nor do the two sides of one", () => {
  const connections = connectionsOf("STRIPE");
  const [first, second] = ["sk_test_a", "sk_test_b"].map((secretKey) => secretOf({ secretKey }));
  if (!first || !second) throw new Error("two were made");
  const of = (credentials: typeof first, host: "live" | "test" = "test") => connections.to({ host, credentials });
  expect(of(first)).toBe(of(secretOf({ secretKey: "sk_test_a" })));
  expect(of(first)).not.toBe(of(second));
  expect(of(first)).not.toBe(of(first, "live"));
});
