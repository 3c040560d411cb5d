import { holdEnd } from "@/lib/charges/history";
import type { ChargeRow } from "@/lib/charges/queries";
import type { Context } from "@/lib/context";
import { attemptsOf } from "@/lib/payments/attempts";

/** Which of these charges hold nothing any more because nobody captured them in time. */
export async function holdsEnded(
  ctx: Context,
  rows: readonly Pick<ChargeRow, "id" | "status" | "capturedAmount">[],
): Promise<ReadonlySet<string>> {
  const released = rows.filter(({ status, capturedAmount }) => status === "voided" && capturedAmount === 0);
  const attempts = await attemptsOf(
    ctx,
    released.map(({ id }) => id),
  );
  const ended = released.filter((row) =>
    holdEnd({ row, attempts: attempts.filter(({ chargeId }) => chargeId === row.id) }),
  );
  return new Set(ended.map(({ id }) => id));
}
