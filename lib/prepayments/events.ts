import { type Context, now } from "@/lib/context";
import { emit } from "@/lib/events";
import type { Prepayment } from "@/lib/prepayments/queries";
import { prepaymentBody } from "@/lib/prepayments/schema";
import { serializePrepayment } from "@/lib/prepayments/serializer";

/** In the transaction that holds its row. */
export const announcePrepayment = (ctx: Context, prepayment: Prepayment): Promise<unknown> =>
  emit(ctx, {
    object: "prepayment",
    event: prepayment.row.status,
    entityId: prepayment.row.id,
    data: prepaymentBody.parse(serializePrepayment(prepayment, now(ctx))),
  });
