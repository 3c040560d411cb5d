import { eq } from "drizzle-orm";
import { cardProtection } from "@/db/schema/captcha";
import { audit } from "@/lib/audit";
import type { Context } from "@/lib/context";
import { realNow } from "@/lib/time";

/** Whether the limits act. On sandbox accounts they only count until switched on: test cards lock nobody out. */
export async function isProtected(ctx: Context): Promise<boolean> {
  const [row] = await ctx.db
    .select({ isOn: cardProtection.isOn })
    .from(cardProtection)
    .where(eq(cardProtection.clientId, ctx.account.id));
  return ctx.account.mode === "live" || (row?.isOn ?? false);
}

/** Sandbox accounts only: a live account's protection is never off. */
export async function setProtection(ctx: Context, isOn: boolean): Promise<void> {
  if (ctx.account.mode === "live") throw new Error("the limits of a live account always act");
  const values = { isOn, updatedAt: realNow() };
  await ctx.db
    .insert(cardProtection)
    .values({ clientId: ctx.account.id, ...values })
    .onConflictDoUpdate({ target: cardProtection.clientId, set: values });
  await audit(ctx, {
    action: "card_testing.protection",
    object: "account",
    objectId: ctx.account.id,
    after: { isOn },
  });
}
