import { holdEnd, refusalByAnalysis } from "@/lib/charges/history";
import type { ChargeRow } from "@/lib/charges/queries";
import type { Context } from "@/lib/context";
import { attemptsOf } from "@/lib/payments/attempts";

/** Why nothing is held any more that nobody asked to release: nobody captured it, or the fraud analysis refused it. */
export type HoldEnd = "not_captured" | "refused";

type EndedRow = Pick<ChargeRow, "id" | "status" | "capturedAmount">;

/** Of these charges, those that ended so. */
export async function holdsEnded(ctx: Context, rows: readonly EndedRow[]): Promise<ReadonlyMap<string, HoldEnd>> {
  const ended = rows.filter(({ status, capturedAmount }) => ENDED.has(status) && capturedAmount === 0);
  const attempts = await attemptsOf(
    ctx,
    ended.map(({ id }) => id),
  );
  return new Map(
    ended.flatMap((row): [string, HoldEnd][] => {
      const charge = { row, attempts: attempts.filter(({ chargeId }) => chargeId === row.id) };
      if (refusalByAnalysis(charge)) return [[row.id, "refused"]];
      return holdEnd(charge) ? [[row.id, "not_captured"]] : [];
    }),
  );
}

const ENDED: ReadonlySet<string> = new Set<ChargeRow["status"]>(["voided", "refund_pending", "failed"]);
