import { expect, test } from "vitest";
import { payersOf } from "@/lib/charges/payer";
import { rememberBuyer } from "@/lib/checkout/remember-buyer";
import { inTransaction } from "@/lib/context";
import { openClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { chargeByCard, openSession } from "@/lib/testing/sessions";

test("who paid a link is told with the list of its payments, masked for those who see buyers masked", async () => {
  const shop = await withMerchant(await openClient());
  const session = await openSession(shop);
  const { body } = await chargeByCard(shop, session.id);
  const ctx = await shop.client.context();
  await inTransaction(ctx, (inside) =>
    rememberBuyer(
      inside,
      { chargeId: body.id },
      { sessionId: session.id, merchantId: shop.merchant.id, email: "ana@example.com", locale: "pt-BR" },
    ),
  );
  const seen = (role: "owner" | "viewer") => inTransaction(ctx, (inside) => payersOf(inside, role, [body.id]));
  expect((await seen("owner")).get(body.id)).toMatchObject({ email: "ana@example.com", isMasked: false });
  expect((await seen("viewer")).get(body.id)).toMatchObject({ email: "a•••@example.com", isMasked: true });
});
