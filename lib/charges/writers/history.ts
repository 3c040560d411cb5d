import { transactionRequests } from "@/db/schema/charges";
import type { HistoryEntry } from "@/lib/charges/engine/decision";
import type { Charge } from "@/lib/charges/queries";
import { type Context, now } from "@/lib/context";
import { derivedId } from "@/lib/ids";
import type { AttemptRow } from "@/lib/payments/attempts";

export const historyEntryId = (
  chargeId: string,
  { requestType, evidence }: Pick<HistoryEntry, "requestType" | "evidence">,
): string => derivedId("notice", chargeId, requestType, evidence);

/** Newest first is the order of the history: a clock that stands still tells its rows apart by a millisecond. */
export const afterNewest = (attempts: readonly AttemptRow[], at: Date): Date =>
  attempts.reduce((latest, { createdAt }) => (createdAt >= latest ? new Date(createdAt.getTime() + 1) : latest), at);

/** Answers the entries that are new. */
export async function writeHistory(
  ctx: Context,
  { row, attempts }: Pick<Charge, "row" | "attempts">,
  history: readonly HistoryEntry[],
): Promise<AttemptRow[]> {
  const at = afterNewest(attempts, now(ctx));
  return ctx.db
    .insert(transactionRequests)
    .values(
      history.map((entry, index) => ({
        id: historyEntryId(row.id, entry),
        clientId: ctx.account.id,
        chargeId: row.id,
        kind: "notice" as const,
        state: "approved" as const,
        sequence: index + 1,
        providerId: row.providerId,
        providerType: row.providerType ?? "",
        reference: historyEntryId(row.id, entry),
        requestType: entry.requestType,
        requestStatus: entry.requestStatus ?? "success",
        requestStatusReason: entry.reason ?? null,
        amount: entry.amount,
        transactionId: entry.evidence,
        details: entry.details ?? null,
        createdAt: at,
        updatedAt: at,
      })),
    )
    .onConflictDoNothing()
    .returning();
}
