import { and, asc, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { charges } from "@/db/schema/charges";
import { merchants } from "@/db/schema/merchants";
import {
  LINE_TYPES,
  type LineType,
  payoutBatches,
  payoutHolds,
  payoutLines,
  payoutTransfers,
  sellerAdjustments,
} from "@/db/schema/payouts";
import { receivables } from "@/db/schema/receivables";
import { sellers } from "@/db/schema/sellers";
import { type Context, inSnapshot } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { sumOf } from "@/lib/money";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { type BatchRow, findBatch, type LineRow, paidWithOf } from "@/lib/payouts/queries";
import { shownHolder, shownSeller } from "@/lib/sellers/operator-queries";

const LINES_PER_PAGE = 50;

/** All lines of one type. */
export interface BatchPart {
  type: LineType;
  count: number;
  /** Signed: all parts add up to what is sent. */
  amount: number;
}

export interface ShownLine {
  row: LineRow;
  /** Of the payment that it comes from, with the merchant's own number of it. */
  payment: { id: string; orderId: string | null; installment: number | null; installments: number } | undefined;
  /** Of money that no sale moved: why, and the batch whose transfer a bank gave back. */
  adjustment:
    | { kind: (typeof sellerAdjustments.$inferSelect)["kind"]; reason: string; batchId: string | null }
    | undefined;
}

export type ShownTransferRow = typeof payoutTransfers.$inferSelect;

export interface BatchOverview {
  row: BatchRow;
  /** What its sales were paid with, where the batch itself says nothing of it. */
  paidWith: readonly string[];
  seller: string | null;
  merchant: string | null;
  parts: BatchPart[];
  /** Of all parts, as they are counted now. */
  sum: number;
  transfer: ShownTransferRow | undefined;
  /** Of the account that it goes to, as the role may know it. */
  holder: string;
  /** A transfer that ended badly, of a seller to whom nothing is transferred now. */
  isHeld: boolean;
  /** That took what this one left open. */
  carriedInto: string | undefined;
  lines: { items: ShownLine[]; type: LineType | undefined; previous: string | undefined; next: string | undefined };
}

interface Lines {
  type?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
}

/** With one page of its lines, however many it has; its sums are over all of them. */
export async function batchOverview(
  ctx: Context,
  role: OperatorRole,
  id: string,
  asked: Lines,
): Promise<BatchOverview> {
  demand(role, "payouts.see");
  if (!isUuid(id)) throw notFound("payment batch");
  return inSnapshot(ctx, async (inside) => {
    const row = await findBatch(inside, id);
    if (!row) throw notFound("payment batch");
    const [known] = await inside.db
      .select({ merchant: merchants.name, seller: sellers })
      .from(payoutBatches)
      .innerJoin(merchants, eq(merchants.id, payoutBatches.merchantId))
      .leftJoin(sellers, eq(sellers.id, payoutBatches.sellerId))
      .where(eq(payoutBatches.id, id));
    const [transfer] = await inside.db
      .select()
      .from(payoutTransfers)
      .where(and(eq(payoutTransfers.clientId, inside.account.id), eq(payoutTransfers.batchId, id)));
    const [taken] = await inside.db
      .select({ batchId: payoutLines.batchId })
      .from(payoutLines)
      .where(
        and(
          eq(payoutLines.clientId, inside.account.id),
          eq(payoutLines.sourceId, id),
          eq(payoutLines.type, "carried"),
          eq(payoutLines.isLive, true),
        ),
      );
    const hasEndedBadly = transfer?.status === "failed" || transfer?.status === "returned";
    const isHeld = row.sellerId !== null && hasEndedBadly && (await isOnHold(inside, row.sellerId));
    const parts = await partsOf(inside, id);
    const seller = known?.seller;
    return {
      row,
      paidWith: (await paidWithOf(inside, [row])).get(id) ?? [],
      seller: seller ? shownSeller(role, seller).name : null,
      merchant: known?.merchant ?? null,
      parts,
      sum: sumOf(parts.map(({ amount }) => amount)),
      transfer,
      holder: seller && transfer ? shownHolder(role, seller, transfer.destination.account) : "",
      isHeld,
      carriedInto: taken?.batchId,
      lines: await pageOfLines(inside, id, asked),
    };
  });
}

const isOnHold = async ({ db, account }: Context, sellerId: string): Promise<boolean> =>
  (await db.$count(
    payoutHolds,
    and(eq(payoutHolds.clientId, account.id), eq(payoutHolds.sellerId, sellerId), isNull(payoutHolds.liftedAt)),
  )) > 0;

/** In the order of the formula. */
async function partsOf({ db, account }: Context, batchId: string): Promise<BatchPart[]> {
  const rows = await db
    .select({
      type: payoutLines.type,
      count: sql`count(*)`.mapWith(Number),
      amount: sql`sum(${payoutLines.amount})`.mapWith(Number),
    })
    .from(payoutLines)
    .where(and(eq(payoutLines.clientId, account.id), eq(payoutLines.batchId, batchId)))
    .groupBy(payoutLines.type);
  return rows.sort((a, b) => LINE_TYPES.indexOf(a.type) - LINE_TYPES.indexOf(b.type));
}

async function pageOfLines({ db, account }: Context, batchId: string, asked: Lines): Promise<BatchOverview["lines"]> {
  const type = LINE_TYPES.find((each) => each === asked.type);
  const isBackward = isUuid(asked.before ?? "");
  const position = [asked.before, asked.after].find((text) => isUuid(text ?? ""));
  const rows = await db
    .select({
      row: payoutLines,
      chargeId: charges.id,
      purchaseId: charges.purchaseId,
      orderId: charges.orderId,
      installment: receivables.installment,
      installments: receivables.installments,
      adjusted: { kind: sellerAdjustments.kind, reason: sellerAdjustments.reason },
      returnedBatchId: payoutTransfers.batchId,
    })
    .from(payoutLines)
    .leftJoin(receivables, eq(receivables.id, payoutLines.sourceId))
    .leftJoin(charges, eq(charges.id, payoutLines.chargeId))
    .leftJoin(
      sellerAdjustments,
      and(eq(payoutLines.sourceType, "adjustment"), eq(sellerAdjustments.id, payoutLines.sourceId)),
    )
    .leftJoin(payoutTransfers, eq(payoutTransfers.id, sellerAdjustments.transferId))
    .where(
      and(
        eq(payoutLines.clientId, account.id),
        eq(payoutLines.batchId, batchId),
        type && eq(payoutLines.type, type),
        position === undefined ? undefined : (isBackward ? lt : gt)(payoutLines.id, position),
      ),
    )
    .orderBy((isBackward ? desc : asc)(payoutLines.id))
    .limit(LINES_PER_PAGE + 1);
  const isMore = rows.length > LINES_PER_PAGE;
  const shown = rows.slice(0, LINES_PER_PAGE);
  if (isBackward) shown.reverse();
  const [first, last] = [shown[0]?.row.id, shown.at(-1)?.row.id];
  return {
    items: shown.map(
      ({ row, chargeId, purchaseId, orderId, installment, installments, adjusted, returnedBatchId }) => ({
        row,
        adjustment: adjusted === null ? undefined : { ...adjusted, batchId: returnedBatchId },
        payment:
          chargeId === null
            ? undefined
            : { id: purchaseId ?? chargeId, orderId, installment, installments: installments ?? 1 },
      }),
    ),
    type,
    previous: (isBackward ? isMore : position !== undefined) ? first : undefined,
    next: isBackward || isMore ? last : undefined,
  };
}
