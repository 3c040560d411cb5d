import type { TransferReason } from "@/db/schema/payouts";
import { type Context, now } from "@/lib/context";
import { emit } from "@/lib/events";
import { writeToSeller } from "@/lib/payouts/letters";
import type { BatchRow } from "@/lib/payouts/queries";
import { batchBody, returnedBody } from "@/lib/payouts/schema";
import { serializeBatch } from "@/lib/payouts/serializer";

/** In the transaction that made the batch what it is. */
export async function announceBatch(ctx: Context, batch: BatchRow): Promise<void> {
  await emit(ctx, {
    object: "payout",
    event: batch.status,
    entityId: batch.id,
    data: batchBody.parse(serializeBatch(batch, now(ctx))),
    ...(batch.status === "pending" || batch.status === "offset" ? { previous: { version: 0, at: null } } : {}),
  });
  if (batch.status !== "pending") await writeToSeller(ctx, batch, batch.status, batch.errorReason);
}

/** A batch that was paid stays so: that its money came back is a fact of its own. */
export async function announceReturn(ctx: Context, batch: BatchRow, reason: TransferReason): Promise<void> {
  await emit(ctx, {
    object: "payout",
    event: "returned",
    entityId: batch.id,
    data: returnedBody.parse({ batch: serializeBatch(batch, now(ctx)), error: { reason } }),
  });
  await writeToSeller(ctx, batch, "returned", reason);
}
