import { eq, type SQL, sql } from "drizzle-orm";
import { merchantDays } from "@/db/schema/settlement";
import { insertion, type Write, writeTogether } from "@/db/writes";
import type { Context } from "@/lib/context";

type Days = typeof merchantDays.$inferSelect;
export type KeptDay = Pick<Days, "statementsThrough" | "cutOn" | "anticipatedOn" | "checkedOn">;

/** How far a merchant's bank days have come. */
export async function daysOf({ db }: Context, merchantId: string): Promise<KeptDay> {
  const [row] = await db.select().from(merchantDays).where(eq(merchantDays.merchantId, merchantId));
  return row ?? { statementsThrough: null, cutOn: null, anticipatedOn: null, checkedOn: null };
}

/** A day that was lived is not taken back: whoever comes late with an earlier one changes nothing. */
const LATEST: Record<keyof KeptDay, SQL> = {
  statementsThrough: sql`on conflict (merchant_id) do update
    set statements_through = greatest(${merchantDays.statementsThrough}, excluded.statements_through)`,
  cutOn: sql`on conflict (merchant_id) do update set cut_on = greatest(${merchantDays.cutOn}, excluded.cut_on)`,
  anticipatedOn: sql`on conflict (merchant_id) do update
    set anticipated_on = greatest(${merchantDays.anticipatedOn}, excluded.anticipated_on)`,
  checkedOn: sql`on conflict (merchant_id) do update
    set checked_on = greatest(${merchantDays.checkedOn}, excluded.checked_on)`,
};

/** As a write of the caller's statement. */
export const keepingDay = ({ account }: Context, merchantId: string, kept: keyof KeptDay, day: string): Write =>
  insertion(merchantDays, { merchantId, clientId: account.id, [kept]: day }, { upsert: LATEST[kept] });

export async function keepDay(ctx: Context, merchantId: string, kept: keyof KeptDay, day: string): Promise<void> {
  await writeTogether(ctx.db, [keepingDay(ctx, merchantId, kept, day)]);
}
