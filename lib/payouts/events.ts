import type { TransferReason } from "@/db/schema/payouts";
import type { Context } from "@/lib/context";
import { emit } from "@/lib/events";
import type { BatchRow } from "@/lib/payouts/queries";
import { batchBody, returnedBody } from "@/lib/payouts/schema";
import { serializeBatch } from "@/lib/payouts/serializer";

/** In the transaction that made the batch what it is. */
export const announceBatch = (ctx: Context, batch: BatchRow): Promise<unknown> =>
  emit(ctx, {
    object: "payout",
    event: batch.status,
    entityId: batch.id,
    data: batchBody.parse(serializeBatch(batch)),
    ...(batch.status === "pending" || batch.status === "offset" ? { previous: { version: 0, at: null } } : {}),
  });

/** A batch that was paid stays so: that its money came back is a fact of its own. */
export const announceReturn = (ctx: Context, batch: BatchRow, reason: TransferReason): Promise<unknown> =>
  emit(ctx, {
    object: "payout",
    event: "returned",
    entityId: batch.id,
    data: returnedBody.parse({ batch: serializeBatch(batch), error: { reason } }),
  });
