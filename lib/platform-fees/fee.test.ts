import { describe, expect, it } from "vitest";
import { inTransaction, now } from "@/lib/context";
import { bandOf } from "@/lib/platform-fees/bands";
import { applyRule, type FeeSubject, ruleFor } from "@/lib/platform-fees/fee";
import { feeRulesOf } from "@/lib/platform-fees/queries";
import { openClient, openMerchant } from "@/lib/testing/api";

const RULES = [
  { paymentMethod: "credit", installment: 1, percentage: 3.99, fixedAmount: 30 },
  { paymentMethod: "credit", installment: 6, percentage: 4.5 },
  { paymentMethod: "pix", fixedAmount: 50 },
  { paymentMethod: "default", percentage: 1 },
];

async function openFees({ enabled = true, rules = RULES }: { enabled?: boolean; rules?: unknown[] } = {}) {
  const client = await openClient();
  const { id } = await openMerchant(client);
  const path = `/v1/merchants/${id}/platform-fee`;
  await client.make("PUT", path, { body: rules });
  const { platformFeeEnabled } = await client.make<{ platformFeeEnabled: boolean }>("PATCH", `${path}/enabled`, {
    body: { enabled },
  });
  const context = await client.context();
  return (subject: FeeSubject) =>
    inTransaction(context, async (inside) => {
      const rule = platformFeeEnabled ? ruleFor(await feeRulesOf(inside, [id]), subject) : undefined;
      return rule && applyRule(rule, subject.amount, now(inside));
    });
}

const credit = (installments: number, amount = 10_000): FeeSubject => ({ paymentType: "credit", installments, amount });

describe("the platform fee of a split charge", () => {
  it("is the percentage, half up, plus the fixed amount, and says which rule it came from", async () => {
    const feeFor = await openFees();
    expect(await feeFor(credit(1))).toEqual({
      ruleId: expect.any(String),
      percentage: 3.99,
      fixedAmount: 30,
      paymentMethod: "credit",
      installment: 1,
      amount: 429,
      appliedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    // 3.99 % of 1250 is 49.875 and of 1253 is 49.9947: both 50.
    expect((await feeFor(credit(1, 1250)))?.amount).toBe(80);
    expect((await feeFor(credit(1, 1253)))?.amount).toBe(80);
  });

  it("is that of the band, and the fallback where no rule stands", async () => {
    const feeFor = await openFees();
    expect((await feeFor(credit(2)))?.amount).toBe(450);
    expect((await feeFor(credit(6)))?.amount).toBe(450);
    expect((await feeFor(credit(7)))?.amount).toBe(100);
    expect((await feeFor({ paymentType: "pix", installments: 1, amount: 10_000 }))?.amount).toBe(50);
    for (const paymentType of ["boleto", "debit", "voucher", "default"]) {
      expect((await feeFor({ paymentType, installments: 1, amount: 10_000 }))?.paymentMethod).toBe("default");
    }
  });

  it("is none while it is off, or where nothing fits", async () => {
    expect(await (await openFees({ enabled: false }))(credit(1))).toBeUndefined();
    const pixOnly = await openFees({ rules: [{ paymentMethod: "pix", fixedAmount: 50 }] });
    expect(await pixOnly(credit(1))).toBeUndefined();
  });

  it.each([
    [1, 1],
    [2, 2],
    [6, 2],
    [7, 7],
    [12, 7],
    [13, 13],
    [24, 13],
  ])("%i instalments fall into the band that begins at %i", (installment, band) => {
    expect(bandOf("credit", installment)).toBe(band);
  });
});
