import type postgres from "postgres";
import { systemSql } from "@/db/client";
import { isUuid } from "@/lib/ids";
import type { ProviderState } from "@/lib/providers/provider";
import { notificationsOf } from "@/lib/providers/sandbox/events";
import {
  addMovements,
  addNotifications,
  dropFutureMovements,
  type Movement,
  movementsOf,
  type Transaction,
  type TransactionChanges,
  transactionById,
  transactionByTxid,
  transactionOfCharge,
  updateTransaction,
} from "@/lib/providers/sandbox/store";
import { type View, viewOf } from "@/lib/providers/sandbox/view";

/** What a tool did. The product is told nothing more: it finds out by asking, as it would in production. */
export type ToolResult =
  | {
      ok: true;
      transactionId: string;
      chargeId: string;
      providerId: string;
      reference: string;
      state: ProviderState;
      /** When the next thing happens by itself. */
      nextEventAt: Date | null;
    }
  | { ok: false; reason: "not_found" | "invalid_state" | "amount_exceeded" };

/** A payment by its charge, or a Pix by its txid. */
export type Target = { chargeId: string } | { transactionId: string } | { txid: string };

export interface Subject {
  tx: Transaction;
  view: View;
  movements: readonly Movement[];
  /** Read while the payment is locked: whoever comes later sees a later time. */
  now: Date;
}

/** The account's clock. */
export type Clock = () => Date;

interface Edit {
  changes?: TransactionChanges;
  movements?: readonly Movement[];
  /** Rows of the ledger that were going to happen and are settled otherwise. */
  replaced?: readonly Movement[];
  drops?: readonly Movement["kind"][];
}

/** What a tool changes, or why it does not. */
export type Change = Edit | { unchanged: true } | { refused: "invalid_state" | "amount_exceeded" };

export const INVALID_STATE = { refused: "invalid_state" } as const;
/** It is as was asked already. */
export const UNCHANGED = { unchanged: true } as const;
export const AMOUNT_EXCEEDED = { refused: "amount_exceeded" } as const;

/** The frame of all tools: lock, look, decide, write, and leave a notification behind. */
export async function change(
  clientId: string,
  target: Target,
  clock: Clock,
  decide: (subject: Subject) => Change,
): Promise<ToolResult> {
  return systemSql().begin(async (sql): Promise<ToolResult> => {
    const tx = await find(sql, clientId, target);
    if (!tx) return { ok: false, reason: "not_found" };
    const movements = await movementsOf(sql, [tx.id]);
    const now = clock();
    const decided = decide({ tx, movements, now, view: viewOf(tx, movements, now) });
    if ("refused" in decided) return { ok: false, reason: decided.refused };
    const after = "unchanged" in decided ? tx : await write(sql, tx, decided, now);
    const view = viewOf(after, await movementsOf(sql, [tx.id]), now);
    return {
      ok: true,
      transactionId: tx.id,
      chargeId: tx.chargeId,
      providerId: tx.providerId,
      reference: tx.reference,
      state: view.state,
      nextEventAt: view.nextEventAt,
    };
  });
}

async function write(
  sql: postgres.TransactionSql,
  tx: Transaction,
  { changes, movements = [], replaced = [], drops }: Edit,
  now: Date,
): Promise<Transaction> {
  if (drops) await dropFutureMovements(sql, tx, drops, now);
  for (const { id } of replaced) await sql`delete from sandbox_movements where id = ${id}`;
  await addMovements(sql, movements);
  // What was touched by hand is no longer decided by the one-statement paths.
  await updateTransaction(sql, tx, { ...changes, plain: false });
  const changed = movements.length > 0 ? [] : [{ type: "payment.changed" as const, at: now }];
  await addNotifications(sql, await notificationsOf(sql, tx, movements, changed));
  return { ...tx, ...changes };
}

async function find(sql: postgres.TransactionSql, clientId: string, target: Target): Promise<Transaction | undefined> {
  if ("chargeId" in target) return transactionOfCharge(sql, clientId, target.chargeId);
  if ("txid" in target) {
    return isUuid(target.txid)
      ? transactionOfCharge(sql, clientId, target.txid)
      : transactionByTxid(sql, clientId, target.txid);
  }
  const [owner] = await sql<{ providerId: string }[]>`
    select provider_id as "providerId" from sandbox_transactions
     where id = ${target.transactionId} and client_id = ${clientId}`;
  return owner && transactionById(sql, { clientId, ...owner }, target.transactionId, true);
}
