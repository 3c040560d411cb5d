import { and, eq, isNull } from "drizzle-orm";
import { sellers } from "@/db/schema/sellers";
import type { Context } from "@/lib/context";
import { notFound } from "@/lib/errors";

/** Unknown, deleted or another client's: 404. */
export async function paidSeller(
  { account, db }: Context,
  sellerId: string,
  lock?: "update",
): Promise<{ id: string; merchantId: string }> {
  const asked = db
    .select({ id: sellers.id, merchantId: sellers.merchantId })
    .from(sellers)
    .where(and(eq(sellers.clientId, account.id), eq(sellers.id, sellerId), isNull(sellers.deletedAt)));
  const [found] = await (lock ? asked.for(lock) : asked);
  if (!found) throw notFound("seller");
  return found;
}
