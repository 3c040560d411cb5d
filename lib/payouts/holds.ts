import { and, desc, eq, isNull } from "drizzle-orm";
import { payoutHolds } from "@/db/schema/payouts";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { paidSeller } from "@/lib/payouts/paid-seller";

export type HoldRow = typeof payoutHolds.$inferSelect;

/** The newest first, with those that are over. */
export const holdsOf = (ctx: Context, sellerId: string): Promise<HoldRow[]> =>
  inTransaction(ctx, ({ db, account }) =>
    db
      .select()
      .from(payoutHolds)
      .where(and(eq(payoutHolds.clientId, account.id), eq(payoutHolds.sellerId, sellerId)))
      .orderBy(desc(payoutHolds.createdAt), desc(payoutHolds.id)),
  );

/** Nothing more is sent to the seller: neither a new batch nor a transfer that has not left yet. */
export const holdPayouts = (ctx: Context, sellerId: string, reason: string): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const { merchantId } = await paidSeller(inside, sellerId, "update");
    const clientId = inside.account.id;
    const row = {
      id: newId(),
      clientId,
      merchantId,
      sellerId,
      cause: "operator",
      reason,
      createdAt: now(inside),
    } as const;
    const made = await inside.db
      .insert(payoutHolds)
      .values(row)
      .onConflictDoNothing()
      .returning({ id: payoutHolds.id });
    if (made.length === 0) throw new DomainError("invalid_status_transition", "the payouts of the seller are on hold");
    await audit(inside, { action: "payout.hold", object: "seller", objectId: sellerId, reason });
  });

/** What was held goes with the next cut. A hold because of the bank account ends when that changes. */
export const resumePayouts = (ctx: Context, sellerId: string): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    await paidSeller(inside, sellerId, "update");
    const lifted = await inside.db
      .update(payoutHolds)
      .set({ liftedAt: now(inside) })
      .where(and(eq(payoutHolds.sellerId, sellerId), eq(payoutHolds.cause, "operator"), isNull(payoutHolds.liftedAt)))
      .returning({ id: payoutHolds.id });
    if (lifted.length === 0)
      throw new DomainError("invalid_status_transition", "no operator holds the seller's payouts");
    await audit(inside, { action: "payout.resume", object: "seller", objectId: sellerId });
  });
