import { expect, test } from "vitest";
import { type Account, inTransaction, systemContext } from "@/lib/context";
import { attemptsOf } from "@/lib/payments/attempts";
import { type CallSubject, call } from "@/lib/payments/call";
import { providerById } from "@/lib/payments/routing/provider";
import type { CallContext } from "@/lib/providers/provider";
import { openClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";

/** Sends nothing: answers with what an adapter would have been given, and how it went. */
async function called(mode: Account["mode"], about: Omit<CallSubject, "chargeId"> = {}, timeoutMs = 1_000) {
  const shop = await withMerchant(await openClient());
  const { body } = await payByCard(shop);
  const ctx = await shop.client.context();
  const { attempt, provider } = await inTransaction(ctx, async (inside) => {
    const [attempt] = await attemptsOf(inside, [body.id]);
    if (!attempt) throw new Error("a charge without an attempt");
    return { attempt, provider: await providerById(inside, shop.merchant.providerId) };
  });
  const given: CallContext[] = [];
  const { result } = await call(
    systemContext({ ...ctx.account, mode }, "test"),
    provider,
    attempt,
    { chargeId: body.id, ...about },
    timeoutMs,
    async (_, context) => {
      given.push(context);
      return { kind: "not_sent" as const, cause: "deadline" as const };
    },
  );
  return { result, context: given[0], priority: provider.priority };
}

test("what is left of an in-band request is any number of milliseconds, not a whole one", async () => {
  const { result } = await called("sandbox", {}, 19_999.998);
  expect(result.kind).toBe("not_sent");
});

test("hints travel in one member, on accounts of the sandbox", async () => {
  const about = { scenario: "outcome=105", slotIndex: 1, clientCall: true, analysisFollows: true };
  const { context, priority } = await called("sandbox", about);
  expect(context?.simulation).toEqual({ ...about, priority });
});

test("a live account's calls carry no hints, whatever its charges say", async () => {
  const { context } = await called("live", { scenario: "outcome=105", slotIndex: 1, analysisFollows: true });
  expect(context).toBeDefined();
  expect(context).not.toHaveProperty("simulation");
  expect(JSON.stringify(context)).not.toContain("outcome=105");
});
