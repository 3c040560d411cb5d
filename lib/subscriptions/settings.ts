import { sql } from "drizzle-orm";
import { subscriptionSettings } from "@/db/schema/subscriptions";
import { audit } from "@/lib/audit";
import { type Context, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { findSettings, type SubscriptionSettingsRow } from "@/lib/subscriptions/queries";
import type { SettingsChanges } from "@/lib/subscriptions/schema";

/** Days after the attempt before: 1, 3, 5 and 7 days after the first refusal. */
export const DEFAULT_POLICY: readonly number[] = [1, 2, 2, 2];

export async function readSubscriptionSettings(ctx: Context): Promise<SubscriptionSettingsRow> {
  const settings = await findSettings(ctx);
  if (!settings) throw new DomainError("settings_not_found", "the subscription settings were never written");
  return settings;
}

/** Makes them, or changes the members that are sent. Cycles that were refused before keep the policy they had. */
export async function changeSubscriptionSettings(
  ctx: Context,
  changes: SettingsChanges,
): Promise<SubscriptionSettingsRow> {
  const { retryPolicy = changes.retryRules, statementDescriptor, cancelAfterAllRetries } = changes;
  const given = {
    ...(retryPolicy ? { retryPolicy: retryPolicy.map(({ daysAfterLastAttempt }) => daysAfterLastAttempt) } : {}),
    ...(statementDescriptor === undefined ? {} : { statementDescriptor }),
    ...(cancelAfterAllRetries === undefined ? {} : { cancelAfterAllRetries }),
  };
  if (Object.keys(given).length === 0) throw new DomainError("settings_no_effective_field", "nothing to change");
  const at = now(ctx);
  const [row] = await ctx.db
    .insert(subscriptionSettings)
    .values({
      clientId: ctx.account.id,
      retryPolicy: [...DEFAULT_POLICY],
      cancelAfterAllRetries: false,
      createdAt: at,
      updatedAt: at,
      ...given,
    })
    .onConflictDoUpdate({
      target: subscriptionSettings.clientId,
      set: { ...given, updatedAt: sql`${at.toISOString()}::timestamptz` },
    })
    .returning();
  if (!row) throw new Error("the settings were not written");
  await audit(ctx, { action: "subscription.settings", object: "account", objectId: ctx.account.id, after: given });
  return row;
}
