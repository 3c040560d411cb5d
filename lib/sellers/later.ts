import { and, asc, eq, isNull, notExists, sql } from "drizzle-orm";
import { sellerRegistrations, sellers } from "@/db/schema/sellers";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { providersOf } from "@/lib/payments/routing/provider";
import { takingSellers } from "@/lib/sellers/create";
import { registerSeller } from "@/lib/sellers/register";

/** Sellers of one turn. */
const SOME = 50;

/** A provider that came later gets the sellers who are there: a job of the provider, a few at a time. */
export async function registerAt(ctx: Context, providerId: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const [merchant] = await inside.db.execute<{ merchantId: string }>(
      sql`select merchant_id as "merchantId" from providers where id = ${providerId} and deleted_at is null`,
    );
    const place =
      merchant && takingSellers(await providersOf(inside, merchant.merchantId)).find(({ id }) => id === providerId);
    if (!merchant || !place) return;
    const waiting = await inside.db
      .select({ id: sellers.id })
      .from(sellers)
      .where(
        and(
          eq(sellers.clientId, inside.account.id),
          eq(sellers.merchantId, merchant.merchantId),
          isNull(sellers.deletedAt),
          notExists(
            inside.db
              .select({ one: sql`1` })
              .from(sellerRegistrations)
              .where(and(eq(sellerRegistrations.sellerId, sellers.id), eq(sellerRegistrations.providerId, providerId))),
          ),
        ),
      )
      .orderBy(asc(sellers.createdAt), asc(sellers.id))
      .limit(SOME);
    for (const seller of waiting) {
      const made = await registerSeller(inside, seller, [place], { adopted: [], documents: [] });
      for (const { id } of made) await schedule(inside, "registration.query", id, now(inside));
    }
    if (waiting.length === SOME) await schedule(inside, "merchant.sellers", providerId, now(inside));
  });
}
