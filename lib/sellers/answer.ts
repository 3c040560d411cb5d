import { and, eq, sql } from "drizzle-orm";
import { idempotencyKeys } from "@/db/schema/accounts";
import { type Context, now } from "@/lib/context";
import { type Answer, storeAnswer } from "@/lib/idempotency";
import { sellerBody } from "@/lib/sellers/answer-schema";
import { findSeller, type Seller } from "@/lib/sellers/queries";
import { serializeSeller } from "@/lib/sellers/serializer";
import { addSeconds } from "@/lib/time";

/** What the request that made a seller is answered. */
export const sellerReply = (seller: Seller): Answer => ({
  status: 201,
  body: sellerBody.parse(serializeSeller(seller)),
});

const LOOK_AGAIN_SECONDS = 15;

/**
 * A request whose process died never stored its answer: a repeat is given what is true now. Until its lease is over the
 * request may still answer by itself; then it is looked at again.
 */
export async function answerLeft(ctx: Context, sellerId: string): Promise<Date | undefined> {
  const open = await ctx.db
    .select({
      namespace: idempotencyKeys.namespace,
      key: idempotencyKeys.key,
      isOver: sql<boolean>`coalesce(${idempotencyKeys.leaseUntil} < now(), true)`,
    })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.clientId, ctx.account.id),
        eq(idempotencyKeys.resourceId, sellerId),
        eq(idempotencyKeys.state, "open"),
      ),
    );
  const seller = open.some(({ isOver }) => isOver) ? await findSeller(ctx, sellerId) : undefined;
  for (const { isOver, ...key } of open) {
    if (isOver && seller) await storeAnswer(ctx.db, ctx.account.id, key, sellerReply(seller), now(ctx));
  }
  return open.some(({ isOver }) => !isOver) ? addSeconds(now(ctx), LOOK_AGAIN_SECONDS) : undefined;
}
