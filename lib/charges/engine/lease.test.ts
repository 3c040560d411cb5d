import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { CHARGE_OWNER, sendAgain } from "@/lib/charges/engine/driver";
import { LeaseLost } from "@/lib/charges/engine/lease";
import { lockCharge, withParts } from "@/lib/charges/queries";
import { inTransaction } from "@/lib/context";
import { planAttempt, updateAttempt } from "@/lib/payments/attempts";
import { openClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";

test("a worker that was held up past its lease opens nothing again: whoever took over may have done it otherwise", async () => {
  const shop = await withMerchant(await openClient());
  const { id } = (await payByCard(shop)).body;
  const ctx = await shop.client.context();
  const { charge, unsent } = await inTransaction(ctx, async (inside) => {
    const held = await withParts(inside, await lockCharge(inside, id));
    const planned = await planAttempt(inside, {
      chargeId: id,
      kind: "void",
      amount: held.row.amount,
      provider: { id: held.row.providerId ?? "", kind: "SANDBOX" },
      transactionId: held.row.providerTxId,
    });
    return { charge: held, unsent: await updateAttempt(inside, planned.id, { state: "not_sent" }) };
  });
  const [taken] = await systemSql()<{ epoch: number }[]>`
    update charges set epoch = epoch + 1 where id = ${id} returning epoch::int`;
  await expect(sendAgain(ctx, CHARGE_OWNER, charge, unsent)).rejects.toThrow(LeaseLost);
  const [row] = await systemSql()`select state from transaction_requests where id = ${unsent.id}`;
  expect(row?.state).toBe("not_sent");
  const present = { ...charge, row: { ...charge.row, epoch: taken?.epoch ?? 0 } };
  expect(await sendAgain(ctx, CHARGE_OWNER, present, unsent)).toMatchObject({ id: unsent.id, state: "sent" });
});
