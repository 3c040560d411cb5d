import { createFormatter, createTranslator } from "next-intl";
import { expect, test, vi } from "vitest";
import { shownPlan } from "@/app/(dashboard)/plan-words";
import { paymentPlan } from "@/lib/dry-runs/operator";
import { messages } from "@/lib/i18n/messages";
import { newId } from "@/lib/ids";
import type { RoleName } from "@/lib/operators/permissions";
import { NOTHING } from "@/lib/plans/schema";
import { openClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";
import { openSellers } from "@/lib/testing/sellers";
import { realNow } from "@/lib/time";

vi.mock("next-intl/server", () => {
  const locale = "en" as const;
  return {
    getLocale: async () => locale,
    getFormatter: async () => createFormatter({ locale, timeZone: "UTC" }),
    // Guarantee: the pages' own types hold their namespaces against the messages.
    getTranslations: async (namespace: never) => createTranslator({ locale, messages: messages[locale], namespace }),
  };
});

test("whoever may not see the books reads in a plan who is asked, and nothing of shares, fees or entries", async () => {
  const shop = await withMerchant(await openClient());
  const [sellerId = ""] = await openSellers(shop.client, shop.merchant.id, 1);
  const changes = { splitRules: [{ sellerId, percentage: 40, processingFee: true, liable: true }] };
  const { id } = (await payByCard(shop, { amount: 10_000, capture: true, changes })).body;
  const ctx = {
    ...(await shop.client.context()),
    principal: { kind: "operator" as const, operatorId: newId() },
  };
  const shownTo = async (role: RoleName) => {
    const dry = await paymentPlan(ctx, role, id, "refund");
    if (!dry) throw new Error(`${role} may refund`);
    return shownPlan(ctx, role, dry);
  };
  const [finance, support] = [await shownTo("finance"), await shownTo("support")];
  expect(finance.rows.map(({ name }) => name)).toHaveLength(4);
  expect(finance.machine.join()).toContain("refund");
  expect(support).toEqual({ hash: finance.hash, rows: finance.rows.slice(0, 1), machine: [] });

  const early = {
    plan: {
      ...NOTHING,
      shares: [{ sellerId: null, installment: null, amount: 95_000, date: "2030-01-02" }],
      fees: [{ sellerId: null, amount: 5_000, rateId: null }],
    },
    planHash: finance.hash,
    asOf: realNow(),
  };
  const [own] = (await shownPlan(ctx, "finance", early, { isNet: true })).rows;
  expect(own?.value).toBe("R$950.00, after R$50.00 in fees");
});
