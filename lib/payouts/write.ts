import { sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import { insertMany } from "@/db/column-sets";
import { payoutBatches, payoutLines, payoutTransfers } from "@/db/schema/payouts";
import type { SellerBankAccount } from "@/db/schema/sellers";
import { type CivilDate, nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { scheduleNoLater } from "@/lib/due-jobs/schedule";
import { newId } from "@/lib/ids";
import type { Party } from "@/lib/ledger/accounts";
import { payoutCreated } from "@/lib/ledger/journals/payouts";
import { post } from "@/lib/ledger/post";
import type { Composed, Line } from "@/lib/payouts/compose";
import { announceBatch } from "@/lib/payouts/events";
import type { BatchRow } from "@/lib/payouts/queries";
import { pixLimitOf, railsOf } from "@/lib/payouts/rails";
import { pipelined } from "@/lib/pipeline";
import { momentOn } from "@/lib/receivables/merchant-day";

export interface Cut {
  party: Party;
  batch: Composed;
}

/** Batches with their lines, journals, transfers and events, all in the transaction that read what they are made of. */
export async function writeBatches(
  ctx: Context,
  merchantId: string,
  day: CivilDate,
  cuts: readonly Cut[],
  accounts: ReadonlyMap<string, { account: SellerBankAccount }>,
): Promise<void> {
  if (cuts.length === 0) return;
  const at = now(ctx);
  const clientId = ctx.account.id;
  const made: BatchRow[] = await ctx.db
    .insert(payoutBatches)
    .values(
      cuts.map(({ party, batch: { id, group, status, amounts } }) => ({
        id,
        clientId,
        merchantId,
        sellerId: party,
        status,
        ...amounts,
        paymentDate: day,
        feature: group.feature,
        paymentMethod: group.method,
        paymentArrangement: group.arrangement,
        createdAt: at,
        updatedAt: at,
      })),
    )
    .returning();
  await writeLines(ctx, cuts, at);
  const sent = made.filter(({ status, sellerId }) => status === "pending" && sellerId !== null);
  await post(
    ctx,
    sent.map((batch) =>
      payoutCreated(
        { merchantId, currency: batch.currency },
        {
          id: batch.id,
          sellerId: batch.sellerId ?? "",
          finalBalance: batch.finalBalance,
          withdrawalFee: batch.withdrawalFeeAmount,
        },
      ),
    ),
  );
  await writeTransfers(ctx, merchantId, sent, accounts);
  await pipelined(made.map((batch) => announceBatch(ctx, batch)));
}

async function writeLines(ctx: Context, cuts: readonly Cut[], at: Date): Promise<void> {
  const lines = cuts.flatMap(({ batch }) => batch.lines.map((line) => ({ ...line, batchId: batch.id })));
  const before = await failedBatchesOf(ctx, lines);
  const rows = lines.map((line) => ({
    ...line,
    id: newId(),
    clientId: ctx.account.id,
    previousBatchId: before.get(line.sourceId) ?? null,
    isLive: true,
    createdAt: at,
  }));
  await insertMany(ctx.db, payoutLines, rows);
  await assign(ctx, "receivables", "receivable", lines);
  await assign(ctx, "seller_adjustments", "adjustment", lines);
}

const uuids = (ids: readonly string[]): string => `{${ids.join(",")}}`;

type Placed = Line & { batchId: string };

/** The newest failed batch that each source stood in. */
async function failedBatchesOf({ db }: Context, lines: readonly Placed[]): Promise<Map<string, string>> {
  const ids = [...new Set(lines.filter(({ sourceType }) => sourceType !== "plan").map(({ sourceId }) => sourceId))];
  const rows = await db.execute<{ id: string; batch: string }>(sql`
    select distinct on (source_id) source_id as id, batch_id as batch from payout_lines
     where source_id = any(${textArray(ids)}::uuid[]) and not is_live order by source_id, created_at desc, id desc`);
  return new Map([...rows].map(({ id, batch }) => [id, batch]));
}

async function assign(
  { db }: Context,
  table: "receivables" | "seller_adjustments",
  source: Line["sourceType"],
  lines: readonly Placed[],
): Promise<void> {
  const places = lines.filter(({ sourceType }) => sourceType === source);
  if (places.length === 0) return;
  const ids = uuids(places.map(({ sourceId }) => sourceId));
  // Found by their keys, however little the planner knows of the table.
  await db.execute(sql`
    update ${sql.raw(table)} t set batch_id = p.batch_id
      from unnest(${ids}::uuid[], ${uuids(places.map(({ batchId }) => batchId))}::uuid[]) as p (id, batch_id)
     where t.id = any(${ids}::uuid[]) and t.id = p.id and t.batch_id is null`);
}

/** One order to the bank for each, not sent before its hour. */
async function writeTransfers(
  ctx: Context,
  merchantId: string,
  batches: readonly BatchRow[],
  accounts: ReadonlyMap<string, { account: SellerBankAccount }>,
): Promise<void> {
  if (batches.length === 0) return;
  const at = now(ctx);
  const sellerIds = batches.flatMap(({ sellerId }) => sellerId ?? []);
  const railOf = await railsOf(ctx, merchantId, sellerIds);
  await ctx.db.insert(payoutTransfers).values(
    batches.map(({ id: batchId, sellerId, finalBalance, currency }) => {
      const account = accounts.get(sellerId ?? "")?.account;
      if (!account || sellerId === null) throw new Error("a seller that is paid has an account");
      const rail = railOf(sellerId);
      const isPix = account.pixKey !== undefined && finalBalance <= pixLimitOf(rail);
      return {
        id: newId(),
        clientId: ctx.account.id,
        merchantId,
        sellerId,
        batchId,
        reference: referenceOf(batchId),
        rail,
        amount: finalBalance,
        currency,
        status: "created" as const,
        destination: { account, method: isPix ? ("pix" as const) : ("ted" as const) },
        createdAt: at,
        updatedAt: at,
      };
    }),
  );
  if (sellerIds.every((id) => railOf(id) === "none")) return;
  const today = saoPauloDay(at);
  const first = momentOn(today, "transfers");
  const isInTime = at < momentOn(today, "lastTransfers");
  const due = isInTime ? (first > at ? first : at) : momentOn(nextBankDay(today), "transfers");
  await scheduleNoLater(ctx, "transfer.query", merchantId, due);
}

/** The same for every send of one batch. */
const referenceOf = (batchId: string): string => `TR${batchId.replaceAll("-", "").toUpperCase()}`;
