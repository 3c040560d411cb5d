import { asc, eq, sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { charges } from "@/db/schema/charges";
import { payoutBatches, payoutLines } from "@/db/schema/payouts";
import { receivables } from "@/db/schema/receivables";
import { loadAccount } from "@/lib/accounts/service";
import { type CivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inSnapshot, now, systemContext } from "@/lib/context";
import { csvCell } from "@/lib/csv";
import { newId } from "@/lib/ids";
import { isTokenOfBatch } from "@/lib/payouts/links";

const COLUMNS = [
  "type",
  "amount",
  "chargeId",
  "orderId",
  "installment",
  "paymentArrangement",
  "previousBatchId",
  "sourceType",
  "sourceId",
  "merchantOrderId",
];

/** Ids, numbers and words of ours need no quotes, and a sum may begin with its sign; what a merchant wrote is a cell already. */
const csvLine = (cells: readonly string[]): string => `${cells.join(",")}\r\n`;

/** Amounts in reais with a point; the last line is the sum of the others, the batch's finalBalance. */
export const batchCsv = (ctx: Context, batchId: string): Promise<string> =>
  inSnapshot(ctx, async ({ db, account }) => {
    const rows = await db
      .select({
        line: payoutLines,
        installment: receivables.installment,
        arrangement: receivables.paymentArrangement,
        order: charges.orderId,
      })
      .from(payoutLines)
      .leftJoin(charges, eq(charges.id, payoutLines.chargeId))
      .leftJoin(
        receivables,
        sql`${payoutLines.sourceType} = 'receivable' and ${receivables.id} = ${payoutLines.sourceId}`,
      )
      .where(sql`${payoutLines.clientId} = ${account.id} and ${payoutLines.batchId} = ${batchId}`)
      .orderBy(asc(payoutLines.id));
    const lines = rows.map(({ line, installment, arrangement, order }) =>
      csvLine([
        line.type,
        reais(line.amount),
        line.chargeId ?? "",
        line.sourceType === "receivable" ? line.sourceId : "",
        installment === null ? "" : String(installment),
        arrangement ?? "",
        line.previousBatchId ?? "",
        line.sourceType,
        line.sourceId,
        csvCell(order ?? ""),
      ]),
    );
    const total = rows.reduce((sum, { line }) => sum + line.amount, 0);
    return csvLine(COLUMNS) + lines.join("") + csvLine(["total", reais(total)]);
  });

function reais(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** By the link of a batch; undefined for a link of nothing, and for one whose days are over. */
export async function openLinkedBatch(id: string, until: CivilDate, token: string): Promise<string | undefined> {
  const [batch] = await systemDb()
    .select({ id: payoutBatches.id, clientId: payoutBatches.clientId })
    .from(payoutBatches)
    .where(eq(payoutBatches.id, id));
  if (!batch || !isTokenOfBatch(batch, until, token)) return undefined;
  const ctx = systemContext(await loadAccount(batch.clientId), newId());
  return saoPauloDay(now(ctx)) > until ? undefined : batchCsv(ctx, id);
}
