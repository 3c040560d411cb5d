import { and, eq, isNull } from "drizzle-orm";
import { merchants, platformFeeRules } from "@/db/schema/merchants";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { findMerchant, type MerchantRow } from "@/lib/merchants/queries";
import { bandOf } from "@/lib/platform-fees/bands";
import { type FeeRuleRow, feeRulesOf } from "@/lib/platform-fees/queries";
import type { NewFeeRule } from "@/lib/platform-fees/schema";

export interface PlatformFeeView {
  platformFeeEnabled: boolean;
  rules: FeeRuleRow[];
}

export async function getPlatformFee(ctx: Context, merchantId: string): Promise<PlatformFeeView> {
  return inTransaction(ctx, async (inside) => {
    const { platformFeeEnabled } = await requireMerchant(inside, merchantId);
    return { platformFeeEnabled, rules: await feeRulesOf(inside, [merchantId]) };
  });
}

export async function setPlatformFeeEnabled(
  ctx: Context,
  merchantId: string,
  platformFeeEnabled: boolean,
): Promise<{ platformFeeEnabled: boolean }> {
  return inTransaction(ctx, async (inside) => {
    const before = await requireMerchant(inside, merchantId, "update");
    await inside.db
      .update(merchants)
      .set({ platformFeeEnabled, updatedAt: now(inside) })
      .where(eq(merchants.id, merchantId));
    await audit(inside, {
      action: "platform_fee.switch",
      object: "merchant",
      objectId: merchantId,
      before: { platformFeeEnabled: before.platformFeeEnabled },
      after: { platformFeeEnabled },
    });
    return { platformFeeEnabled };
  });
}

/** Adds rules; one that exists for a method and band refuses all of them. */
export async function addFeeRules(
  ctx: Context,
  merchantId: string,
  rules: readonly NewFeeRule[],
): Promise<FeeRuleRow[]> {
  return inTransaction(ctx, async (inside) => {
    await requireMerchant(inside, merchantId, "update");
    const added = await insertRules(inside, merchantId, rules);
    await audit(inside, {
      action: "platform_fee.add",
      object: "merchant",
      objectId: merchantId,
      after: { rules: added.map(shown) },
    });
    return added;
  });
}

export async function replaceFeeRules(
  ctx: Context,
  merchantId: string,
  rules: readonly NewFeeRule[],
): Promise<FeeRuleRow[]> {
  return inTransaction(ctx, async (inside) => {
    await requireMerchant(inside, merchantId, "update");
    const before = await feeRulesOf(inside, [merchantId]);
    await inside.db
      .update(platformFeeRules)
      .set({ deletedAt: now(inside), updatedAt: now(inside) })
      .where(liveRuleOf(inside, merchantId));
    const after = await insertRules(inside, merchantId, rules);
    await audit(inside, {
      action: "platform_fee.replace",
      object: "merchant",
      objectId: merchantId,
      before: { rules: before.map(shown) },
      after: { rules: after.map(shown) },
    });
    return after;
  });
}

export async function deleteFeeRule(ctx: Context, merchantId: string, ruleId: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    await requireMerchant(inside, merchantId, "update");
    const at = now(inside);
    const [deleted] = await inside.db
      .update(platformFeeRules)
      .set({ deletedAt: at, updatedAt: at })
      .where(and(liveRuleOf(inside, merchantId), eq(platformFeeRules.id, ruleId)))
      .returning();
    if (!deleted) throw notFound("platform fee rule");
    await audit(inside, {
      action: "platform_fee.delete",
      object: "merchant",
      objectId: merchantId,
      before: shown(deleted),
    });
  });
}

const liveRuleOf = (ctx: Context, merchantId: string) =>
  and(
    eq(platformFeeRules.clientId, ctx.account.id),
    eq(platformFeeRules.merchantId, merchantId),
    isNull(platformFeeRules.deletedAt),
  );

async function insertRules(ctx: Context, merchantId: string, rules: readonly NewFeeRule[]): Promise<FeeRuleRow[]> {
  if (rules.length === 0) return [];
  const at = now(ctx);
  const inserted = await ctx.db
    .insert(platformFeeRules)
    .values(
      rules.map(({ percentage, ...rule }) => ({
        id: newId(),
        clientId: ctx.account.id,
        merchantId,
        ...rule,
        percentageBps: percentage,
        band: bandOf(rule.paymentMethod, rule.installment),
        createdAt: at,
        updatedAt: at,
      })),
    )
    .onConflictDoNothing()
    .returning();
  if (inserted.length < rules.length) {
    throw new DomainError("platform_fee_rule_exists", "a rule for this payment method and band exists");
  }
  return inserted;
}

async function requireMerchant(ctx: Context, id: string, lock?: "update"): Promise<MerchantRow> {
  const merchant = await findMerchant(ctx, id, lock);
  if (!merchant) throw notFound("merchant");
  return merchant;
}

const shown = ({ id, paymentMethod, percentageBps, fixedAmount, installment }: FeeRuleRow) => ({
  id,
  paymentMethod,
  percentageBps,
  fixedAmount,
  installment,
});
