import type { Answer } from "@/lib/idempotency";
import type { OperationRow, Purchase } from "@/lib/purchases/queries";
import { purchaseBody } from "@/lib/purchases/schema";
import { serializePurchase } from "@/lib/purchases/serializer";

/** A purchase with the operation that a request began. */
export interface AcceptedPurchase {
  purchase: Purchase;
  operation: OperationRow;
}

/** 202: the purchase as it is before anybody worked on the operation. */
export const purchaseReply = ({ purchase, operation }: AcceptedPurchase): Answer => ({
  status: 202,
  body: purchaseBody.parse(serializePurchase(purchase, operation)),
});
