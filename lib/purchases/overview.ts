import { and, asc, desc, eq, inArray } from "drizzle-orm";
import { auditLog } from "@/db/schema/accounts";
import { customers } from "@/db/schema/customers";
import { merchants } from "@/db/schema/merchants";
import { events } from "@/db/schema/outbox";
import { purchaseOperations, purchases } from "@/db/schema/purchases";
import { holdEnd } from "@/lib/charges/history";
import { type Act, actOf, type PaymentOverview, paymentOverview, type ToldEvent } from "@/lib/charges/overview";
import { type Context, inTransaction } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { type Buyer, shownBuyer } from "@/lib/operators/buyers";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { movesOf, type PurchaseMove } from "@/lib/purchases/moves";
import { getPurchase, type OperationRow, type PaymentRow, type Purchase } from "@/lib/purchases/queries";

export interface SlotLane {
  slot: PaymentRow;
  /** Absent while the card was never tried. */
  payment: PaymentOverview | undefined;
}

export interface PurchaseOverview extends Purchase {
  lanes: SlotLane[];
  operations: OperationRow[];
  buyer: Buyer | undefined;
  merchant: string | null;
}

/** The purchase with everything its page says at once; another client's does not exist. */
export async function purchaseOverview(ctx: Context, role: OperatorRole, id: string): Promise<PurchaseOverview> {
  demand(role, "payments.see", "purchase");
  const { purchase, more, operations } = await inTransaction(ctx, async (inside) => {
    const known = await inside.db
      .select({ customer: customers, merchant: merchants.name })
      .from(purchases)
      .leftJoin(customers, eq(customers.id, purchases.customerId))
      .leftJoin(merchants, eq(merchants.id, purchases.merchantId))
      .where(and(eq(purchases.clientId, inside.account.id), eq(purchases.id, id)));
    if (!known[0]) throw notFound("purchase");
    return {
      purchase: await getPurchase(inside, id),
      more: known[0],
      operations: await inside.db
        .select()
        .from(purchaseOperations)
        .where(eq(purchaseOperations.purchaseId, id))
        .orderBy(asc(purchaseOperations.createdAt), asc(purchaseOperations.id)),
    };
  });
  const lanes = await Promise.all(
    purchase.payments.map(async (slot) => ({
      slot,
      payment: slot.chargeId ? await paymentOverview(ctx, role, slot.chargeId) : undefined,
    })),
  );
  const buyer = shownBuyer(role, more.customer) ?? lanes.find(({ payment }) => payment?.buyer)?.payment?.buyer;
  return { ...purchase, lanes, operations, buyer, merchant: more.merchant };
}

/** Canceled because nobody captured it in time: nobody asked for that. */
export const hasHoldEnded = ({ row, lanes }: Pick<PurchaseOverview, "row" | "lanes">): boolean =>
  row.status === "cancelled" && lanes.some(({ payment }) => payment && holdEnd(payment));

export interface PurchaseStory {
  moves: PurchaseMove[];
  acts: Act[];
  told: ToldEvent[];
}

const MOST_ROWS = 200;

/** What happened, who asked for it, and what the client was told of it. */
export const storyOf = (ctx: Context, { row }: Pick<Purchase, "row">): Promise<PurchaseStory> =>
  inTransaction(ctx, async (inside) => {
    const { db, account } = inside;
    const [moves, acts, told] = await Promise.all([
      movesOf(inside, row.id),
      db
        .select()
        .from(auditLog)
        .where(
          and(eq(auditLog.clientId, account.id), inArray(auditLog.object, ["purchase"]), eq(auditLog.objectId, row.id)),
        )
        .orderBy(desc(auditLog.at), desc(auditLog.id))
        .limit(MOST_ROWS),
      db
        .select({ id: events.id, event: events.event, version: events.entityVersion, at: events.createdAt })
        .from(events)
        .where(and(eq(events.clientId, account.id), eq(events.entityId, row.id)))
        .orderBy(asc(events.entityVersion))
        .limit(MOST_ROWS),
    ]);
    return { moves, acts: acts.map(actOf).reverse(), told };
  });
