import { asc, eq } from "drizzle-orm";
import { purchaseMoves } from "@/db/schema/purchases";
import { insertion, type Write } from "@/db/writes";
import { type Context, now } from "@/lib/context";
import type { TransitionRow } from "@/lib/machine";

export type PurchaseMove = typeof purchaseMoves.$inferSelect;

interface Moved {
  slotIndex?: number;
  operationId?: string | null;
}

/** In the transaction of the move: what the page of a purchase tells, row by row of its tables. */
export const recordedMove = (
  ctx: Context,
  purchaseId: string,
  machine: PurchaseMove["machine"],
  [row, from, fact, to]: TransitionRow<string>,
  { slotIndex, operationId }: Moved,
): Write =>
  insertion(purchaseMoves, {
    clientId: ctx.account.id,
    purchaseId,
    machine,
    slotIndex: slotIndex ?? null,
    operationId: operationId ?? null,
    row,
    fact,
    from,
    to,
    createdAt: now(ctx),
  });

const MOST_MOVES = 500;

/** Oldest first. */
export const movesOf = (ctx: Context, purchaseId: string): Promise<PurchaseMove[]> =>
  ctx.db
    .select()
    .from(purchaseMoves)
    .where(eq(purchaseMoves.purchaseId, purchaseId))
    .orderBy(asc(purchaseMoves.seq))
    .limit(MOST_MOVES);
