import { and, asc, eq, sql } from "drizzle-orm";
import { payoutTransfers } from "@/db/schema/payouts";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { RETURN_DAYS, type TransferRow } from "@/lib/payouts/results";
import type { TransferAnswer } from "@/lib/providers/transfers";
import { keepBreaks, type StatementDifference } from "@/lib/settlement/breaks";

/** Of what two people said the end of, after a bank had been told: what the bank may still say otherwise. */
const marked = (ctx: Context, merchantId: string) => sql`
  ${payoutTransfers.merchantId} = ${merchantId} and ${payoutTransfers.rail} = 'sandbox'
    and ${payoutTransfers.markedAt} is not null and ${payoutTransfers.attemptedAt} is not null
    and ${payoutTransfers.status} in ('failed', 'settled')
    and ${payoutTransfers.sentOn} >= ${addDays(saoPauloDay(now(ctx)), -RETURN_DAYS)}`;

/**
 * Goes on asking about them: a transfer that people gave up and the bank paid all the same is paid to the seller twice
 * with its next batch. Nothing is changed by it: what differs is somebody's to settle.
 */
export async function checkMarked(
  ctx: Context,
  merchantId: string,
  ask: (references: readonly string[]) => Promise<TransferAnswer>,
): Promise<void> {
  const rows = await inTransaction(ctx, (inside) => markedOf(inside, merchantId));
  if (rows.length === 0) return;
  const asked = await ask(rows.map(({ reference }) => reference));
  if (asked.kind !== "found") return;
  const told = rows.filter(({ reference }) => asked.states.has(reference));
  const differences = told.flatMap((row) => differenceOf(row, asked.states.get(row.reference)?.status));
  await inTransaction(ctx, (inside) =>
    keepBreaks(
      inside,
      merchantId,
      "transfer_contradicted",
      differences,
      told.map(({ id }) => id),
    ),
  );
}

export const anyMarked = async (ctx: Context, merchantId: string): Promise<boolean> =>
  (await markedOf(ctx, merchantId, 1)).length > 0;

const MOST = 500;
const markedOf = (ctx: Context, merchantId: string, most = MOST): Promise<TransferRow[]> =>
  ctx.db
    .select()
    .from(payoutTransfers)
    .where(and(eq(payoutTransfers.clientId, ctx.account.id), marked(ctx, merchantId)))
    .orderBy(asc(payoutTransfers.id))
    .limit(most);

function differenceOf({ id, amount, status, sentOn }: TransferRow, bank: string | undefined): StatementDifference[] {
  const [expected, found] = [status === "settled", bank === "settled" || bank === "returned"];
  const isSure = found || bank === "failed";
  if (!isSure || expected === found || sentOn === null) return [];
  return [{ subject: id, chargeId: null, day: sentOn, expected: expected ? amount : 0, found: found ? amount : 0 }];
}
