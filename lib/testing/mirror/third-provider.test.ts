import { expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { providers } from "@/db/schema/merchants";
import { newId } from "@/lib/ids";
import { sealCredentials } from "@/lib/payments/credentials";
import type { Outcome, PaymentProvider } from "@/lib/providers/provider";
import { addProvider } from "@/lib/providers/registry";
import { openShop } from "@/lib/providers/sandbox/api/testing";
import { secretOf } from "@/lib/providers/secret";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { MIRROR_CAPABILITIES } from "@/lib/testing/mirror/capabilities";
import { lowerOthers } from "@/lib/testing/mirror/shop";
import { capture } from "@/lib/testing/payments";
import { realNow } from "@/lib/time";

const raw = { headers: {}, body: null };
const unsupported = (): Promise<Outcome<never>> =>
  Promise.resolve({ kind: "rejected", problem: "unsupported", detail: "cards only" });

/** An acquirer that says yes: everything that a provider must bring stands here. */
const yes = (capturedBy: (providerTxId: string) => void): PaymentProvider => {
  const approved = { kind: "approved", at: "2026-11-24T15:00:00.000Z", raw } as const;
  return {
    kind: "YES",
    capabilities: { ...MIRROR_CAPABILITIES, modifications: "sync", lookup: "strong_by_reference" },
    validateCredentials: () => ({ ok: true, value: secretOf({}) }),
    attemptReference: (attemptId) => attemptId,
    idempotencyKey: ({ attemptId, operation }) => `${attemptId}-${operation}`,
    authorize: async ({ ref }, { amount }) => ({
      ...approved,
      amount,
      providerTxId: `yes-${ref.attemptId}`,
      data: { captured: false, installments: 1, cvvChecked: false },
    }),
    async capture(_, { providerTxId, amount }) {
      capturedBy(providerTxId);
      return { ...approved, amount, providerTxId, data: { captured: amount, released: 0 } };
    },
    void: unsupported,
    refund: unsupported,
    query: () => Promise.resolve({ kind: "unavailable" }),
    createPix: unsupported,
    createBoleto: unsupported,
    createWallet: unsupported,
    cancelOpen: unsupported,
    parseWebhook: () => ({ kind: "forged" }),
  };
};

test("a third provider is one adapter and one line that registers it", async () => {
  const captured: string[] = [];
  addProvider(yes((id) => captured.push(id)));
  const shop = await openShop();
  const [id, at] = [newId(), realNow()];
  await systemDb()
    .insert(providers)
    .values({
      id,
      clientId: shop.clientId,
      merchantId: shop.merchantId,
      name: "Yes",
      kind: "YES",
      priority: 1,
      credentials: sealCredentials(id, {}),
      credentialMembers: [],
      routable: true,
      createdAt: at,
      updatedAt: at,
    });
  await lowerOthers(shop, "YES");
  const paid = (await shop.pay(sandboxPan("approve"), { capture: false })).body;
  expect(paid).toMatchObject({ status: "pre_authorized", responsibleProviderType: "YES" });
  expect((await capture(shop, paid.id)).body).toMatchObject({ status: "authorized", capturedAmount: 10_000 });
  expect(captured).toEqual([paid.transactionRequests.at(-1)?.id].map((attempt) => `yes-${attempt}`));
});

test("no request can name it", async () => {
  const shop = await openShop();
  const { status, error } = await shop.call("POST", `/v1/merchants/${shop.merchantId}/providers`, {
    body: { name: "Yes", priority: 1, credentials: { type: "YES" } },
  });
  expect(status).toBe(400);
  expect(error?.businessCode).toBe("provider_credentials_invalid");
});

test("none is taken in that has neither a look-up nor keys: a lost call of it would stay unknown for ever", () => {
  const { capabilities, ...lost } = { ...yes(() => undefined), kind: "LOST" };
  const keyless = { ...capabilities, idempotency: { kind: "none" } } as const;
  expect(() => addProvider({ ...lost, capabilities: { ...keyless, lookup: "none" } })).toThrow("lost call");
  expect(() => addProvider({ ...lost, capabilities: { ...capabilities, lookup: "none" } })).not.toThrow();
  expect(() => addProvider({ ...lost, capabilities: keyless })).not.toThrow();
});
