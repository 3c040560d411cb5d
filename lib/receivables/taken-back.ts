import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { splitRules } from "@/db/schema/charges";
import { journals, ledgerAccounts, transfers } from "@/db/schema/ledger";
import { receivables } from "@/db/schema/receivables";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { Context } from "@/lib/context";
import { type AccountName, availableOf, type Party } from "@/lib/ledger/accounts";
import { type Draft, type NewReceivable, type Transfer, transfer } from "@/lib/ledger/post";
import type { Cents } from "@/lib/money";
import type { Movement } from "@/lib/receivables/movements";
import { holdPositions } from "@/lib/receivables/split-state";

/**
 * A refund that failed after it was booked: its journal is taken back line by line. What it took of an instalment that
 * still waits goes back to that instalment; what would be released by now is available at once (spec/settlement.md 2).
 */
export async function takenBack(ctx: Context, of: Movement, { at }: { at: Date }): Promise<Draft[]> {
  const { row, splits } = of.charge;
  await holdPositions(
    ctx,
    row.merchantId,
    splits.map(({ sellerId }) => sellerId),
  );
  const [refund] = await ctx.db
    .select({ id: journals.id })
    .from(journals)
    .where(
      and(
        eq(journals.clientId, ctx.account.id),
        eq(journals.chargeId, row.id),
        eq(journals.eventType, "refund"),
        eq(journals.eventId, of.eventId),
      ),
    );
  if (!refund) throw new Error("a refund that was never booked is not taken back");
  const rows = await rowsOf(ctx, refund.id);
  const waiting = await lockWaiting(ctx, rows);
  await keepReturned(ctx, row.id, of.eventId);
  return [
    {
      merchantId: row.merchantId,
      currency: row.currency,
      chargeId: row.id,
      type: "reversal",
      eventId: refund.id,
      reverses: refund.id,
      transfers: opposite(await transfersOf(ctx, refund.id), waitingSums(rows, waiting)),
      receivables: rows.map((one) => returned(one, waiting, at)),
    },
  ];
}

type Row = typeof receivables.$inferSelect;

const rowsOf = ({ db, account }: Context, journalId: string): Promise<Row[]> =>
  db
    .select()
    .from(receivables)
    .where(and(eq(receivables.clientId, account.id), eq(receivables.journalId, journalId)))
    .orderBy(asc(receivables.id));

/** Which of the reduced instalments still wait: none is released meanwhile. */
async function lockWaiting({ db, account }: Context, rows: readonly Row[]): Promise<ReadonlySet<string>> {
  const ids = rows.flatMap(({ reduces }) => reduces ?? []);
  if (ids.length === 0) return new Set();
  const reduced = await db
    .select({ id: receivables.id, status: receivables.status })
    .from(receivables)
    .where(and(eq(receivables.clientId, account.id), inArray(receivables.id, ids)))
    .orderBy(asc(receivables.installment), asc(receivables.id))
    .for("update");
  return new Set(reduced.filter(({ status }) => status === "waiting_funds").map(({ id }) => id));
}

const waits = ({ reduces }: Row, waiting: ReadonlySet<string>): boolean => reduces !== null && waiting.has(reduces);

function waitingSums(rows: readonly Row[], waiting: ReadonlySet<string>): Map<Party, Cents> {
  const sums = new Map<Party, Cents>();
  for (const one of rows.filter((row) => waits(row, waiting)))
    sums.set(one.sellerId, (sums.get(one.sellerId) ?? 0) + one.fee - one.gross);
  return sums;
}

interface Line {
  debit: AccountName;
  credit: AccountName;
  amount: Cents;
}

async function transfersOf({ db, account }: Context, journalId: string): Promise<Line[]> {
  const lines = await db
    .select({
      line: transfers.line,
      debit: transfers.debitAccount,
      credit: transfers.creditAccount,
      amount: transfers.amount,
    })
    .from(transfers)
    .where(and(eq(transfers.clientId, account.id), eq(transfers.journalId, journalId)))
    .orderBy(asc(transfers.line));
  const ids = lines.flatMap(({ debit, credit }) => [debit, credit]);
  const named = await db
    .select()
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.clientId, account.id), inArray(ledgerAccounts.id, ids)));
  const nameOf = (id: string): AccountName => {
    const found = named.find((one) => one.id === id);
    if (!found) throw new Error("a transfer of an account that is not there");
    const { kind, sellerId, arrangement } = found;
    // Guarantee: the row was made from a name of this form.
    return {
      kind,
      ...(sellerId === null ? {} : { sellerId }),
      ...(isOwed(kind) ? { arrangement } : {}),
    } as AccountName;
  };
  return lines.map(({ debit, credit, amount }) => ({ debit: nameOf(debit), credit: nameOf(credit), amount }));
}

const isOwed = (kind: AccountName["kind"]): boolean => kind === "provider_receivable";
const isPending = (name: AccountName): boolean => name.kind === "merchant_pending" || name.kind === "seller_pending";
const partyOf = (name: AccountName): Party => ("sellerId" in name ? name.sellerId : null);

function opposite(lines: readonly Line[], waiting: Map<Party, Cents>): Transfer[] {
  return lines.flatMap(({ debit, credit, amount }) => {
    if (!isPending(debit)) return transfer(credit, debit, amount);
    const party = partyOf(debit);
    const back = Math.min(amount, waiting.get(party) ?? 0);
    return [...transfer(credit, debit, back), ...transfer(credit, availableOf(party), amount - back)];
  });
}

function returned(row: Row, waiting: ReadonlySet<string>, at: Date): NewReceivable {
  const { sellerId, installments, paymentMethod, paymentArrangement } = row;
  const day = saoPauloDay(at);
  const isBack = waits(row, waiting);
  return {
    sellerId,
    type: row.type === "chargeback" ? "chargeback_refund" : "refund_reversal",
    status: "paid",
    installment: isBack ? row.installment : null,
    installments,
    gross: -row.gross,
    fee: -row.fee,
    anticipationFee: 0,
    paymentMethod,
    paymentArrangement,
    paymentDate: isBack ? row.paymentDate : day,
    originalPaymentDate: isBack ? row.originalPaymentDate : day,
    reduces: isBack ? row.reduces : null,
    availableAt: at,
  };
}

/** The next refund counts on from what was given back in truth. */
async function keepReturned({ db, account }: Context, chargeId: string, eventId: string): Promise<void> {
  await db
    .update(splitRules)
    .set({
      refundedShare: sql`${splitRules.refundedShare} - coalesce((${splitRules.refundedParts} ->> ${eventId})::bigint, 0)`,
      refundedParts: sql`${splitRules.refundedParts} - ${eventId}::text`,
    })
    .where(and(eq(splitRules.clientId, account.id), eq(splitRules.chargeId, chargeId)));
}
