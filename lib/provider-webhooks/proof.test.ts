import { expect, test, vi } from "vitest";
import * as variables from "@/lib/env";
import { notificationProof } from "@/lib/provider-webhooks/proof";
import type { Capabilities, PaymentProvider } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";

const HEADER = "x-client-subject";
const sandbox = providerFor("SANDBOX");
const by = (auth: Capabilities["webhook"]["auth"]): PaymentProvider => ({
  ...sandbox,
  capabilities: { ...sandbox.capabilities, webhook: { auth, containsState: true } },
  notifiesAs: ["webhook.bank.example", "CN=old.bank.example,O=Bank"],
});
const withHeader = (name: string | undefined): void => {
  const env = variables.env();
  vi.spyOn(variables, "env").mockReturnValue({ ...env, MTLS_CLIENT_HEADER: name });
};
const from = (subject?: string): Headers => new Headers(subject === undefined ? {} : { [HEADER]: subject });

test("signatures and secrets were checked by the adapter; without any proof a notification proves nothing", () => {
  expect(notificationProof(by("hmac"), from())).toBe("proved");
  expect(notificationProof(by("shared_secret"), from())).toBe("proved");
  expect(notificationProof(by("none"), from("CN=webhook.bank.example"))).toBe("unproved");
});

test("where no header is configured a bank's notification is only a reason to ask", () => {
  withHeader(undefined);
  expect(notificationProof(by("mtls"), from("CN=webhook.bank.example"))).toBe("unproved");
});

test.each([
  ["webhook.bank.example", "proved"],
  ["CN=webhook.bank.example,O=Bank,C=BR", "proved"],
  ["/C=BR/O=Bank/CN=webhook.bank.example", "proved"],
  ["CN=old.bank.example,O=Bank", "proved"],
  ["CN=webhook.bank.example.evil.example", "forged"],
  ["O=CN=webhook.bank.example", "forged"],
  ["CN=evil.example,O=webhook.bank.example", "forged"],
  ["", "forged"],
  [undefined, "forged"],
])("the certificate %s is %s", (subject, proof) => {
  withHeader(HEADER);
  expect(notificationProof(by("mtls"), from(subject))).toBe(proof);
});
