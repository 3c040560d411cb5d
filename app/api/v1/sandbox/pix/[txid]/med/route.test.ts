import { expect, test } from "vitest";
import { type ChargeReply, openShop } from "@/lib/providers/sandbox/api/testing";

test("200: the payer's bank takes a part back, then the rest; 400 when there is nothing", async () => {
  const shop = await openShop();
  const { id } = await shop.pix(5_000);
  const take = (body: Record<string, unknown> = {}) =>
    shop.call<ChargeReply>("POST", `/v1/sandbox/pix/${id}/med`, { body });
  expect((await take()).error?.businessCode).toBe("invalid_status_transition");
  await shop.make("POST", `/v1/sandbox/pix/${id}/pay`, { body: {} });
  expect((await take({ amount: 5_001 })).error?.businessCode).toBe("amount_exceeds_remaining");
  const part = await take({ amount: 2_000 });
  expect(part.body).toMatchObject({ status: "authorized", amount: 3_000, refundedAmount: 2_000 });
  expect(part.body.transactionRequests[0]).toMatchObject({
    requestType: "void",
    requestStatus: "success",
    requestStatusReason: "forced_by_payer_bank",
    amount: 2_000,
  });
  const rest = await take();
  expect(rest.body).toMatchObject({ status: "voided", refundedAmount: 5_000 });
  expect((await take()).error?.businessCode).toBe("invalid_status_transition");
});
