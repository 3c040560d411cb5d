import { expect, test } from "vitest";
import { inTransaction, systemContext } from "@/lib/context";
import { attemptsOf } from "@/lib/payments/attempts";
import { call } from "@/lib/payments/call";
import { providerById } from "@/lib/payments/routing";
import { openClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";

test("what is left of an in-band request is any number of milliseconds, not a whole one", async () => {
  const shop = await withMerchant(await openClient());
  const { body } = await payByCard(shop);
  const ctx = await shop.client.context();
  const { attempt, provider } = await inTransaction(ctx, async (inside) => {
    const [attempt] = await attemptsOf(inside, [body.id]);
    if (!attempt) throw new Error("a charge without an attempt");
    return { attempt, provider: await providerById(inside, shop.merchant.providerId) };
  });
  const { result } = await call(
    systemContext(ctx.account, "test"),
    provider,
    attempt,
    { chargeId: body.id },
    19_999.998,
    async () => ({
      kind: "not_sent" as const,
      cause: "deadline" as const,
    }),
  );
  expect(result.kind).toBe("not_sent");
});
