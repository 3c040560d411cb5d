import { eq } from "drizzle-orm";
import { merchantDays } from "@/db/schema/settlement";
import type { Context } from "@/lib/context";

type Days = typeof merchantDays.$inferSelect;
export type KeptDay = Pick<Days, "statementsThrough" | "cutOn" | "anticipatedOn" | "checkedOn">;

/** How far a merchant's bank days have come. */
export async function daysOf({ db }: Context, merchantId: string): Promise<KeptDay> {
  const [row] = await db.select().from(merchantDays).where(eq(merchantDays.merchantId, merchantId));
  return row ?? { statementsThrough: null, cutOn: null, anticipatedOn: null, checkedOn: null };
}

export async function keepDay(ctx: Context, merchantId: string, kept: Partial<KeptDay>): Promise<void> {
  await ctx.db
    .insert(merchantDays)
    .values({ merchantId, clientId: ctx.account.id, ...kept })
    .onConflictDoUpdate({ target: merchantDays.merchantId, set: kept });
}
