import { eq } from "drizzle-orm";
import { clients } from "@/db/schema/accounts";
import { audit } from "@/lib/audit";
import type { Context } from "@/lib/context";

export interface SandboxSettings {
  autoSettleSeconds: number | null;
}

export const readSettings = ({ account }: Context): SandboxSettings => ({
  autoSettleSeconds: account.autoSettleSeconds,
});

/** A member that was not sent stays as it is; null switches the rule off. */
export async function changeSettings(
  ctx: Context,
  { autoSettleSeconds }: { autoSettleSeconds?: number | null | undefined },
): Promise<SandboxSettings> {
  const before = readSettings(ctx);
  if (autoSettleSeconds === undefined) return before;
  await ctx.db.update(clients).set({ autoSettleSeconds }).where(eq(clients.id, ctx.account.id));
  await audit(ctx, {
    action: "sandbox.settings",
    object: "account",
    objectId: ctx.account.id,
    before: { ...before },
    after: { autoSettleSeconds },
  });
  return { autoSettleSeconds };
}
