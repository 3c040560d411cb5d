import { type Decision, decision as nothing } from "@/lib/charges/engine/decision";
import type { Reconciliation } from "@/lib/charges/engine/reconciliation";
import { placeOfCharge } from "@/lib/charges/place";
import type { Charge, ChargeRow } from "@/lib/charges/queries";
import {
  type AnsweredAttempt,
  outcomeWrites,
  type WrittenOutcome,
  writeOutcome,
  writeOutcomeAlone,
} from "@/lib/charges/writers/outcome";
import { type Context, inTransaction } from "@/lib/context";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import { settlePlace } from "@/lib/sessions/places";

export type Applied = WrittenOutcome;

/** Writes one decision whole, in one transaction. */
export async function apply(
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  provider: RoutedProvider,
  decision: Decision,
  responseMs: number | undefined,
): Promise<Applied> {
  const answered = { attempt, provider, responseMs };
  const mayBeAlone = !ctx.isInTransaction && ctx.merchants === undefined;
  const alone = mayBeAlone ? await writeOutcomeAlone(ctx, charge, decision, answered) : undefined;
  return alone ?? write(ctx, charge, decision, answered);
}

/** The same for what a provider did by itself: no attempt of ours, the news become rows of the history. */
export async function applyReconciliation(ctx: Context, charge: Charge, found: Reconciliation): Promise<Charge> {
  const { sendBack: _later, ...decided } = found;
  return (await write(ctx, charge, nothing(decided), undefined)).charge;
}

/** The same as writes of the caller's statement, for what happens to a card of a purchase and needs nothing read. */
export const reconciling = (ctx: Context, charge: Charge, { sendBack: _later, ...decided }: Reconciliation) =>
  outcomeWrites(ctx, charge, nothing(decided));

const write = (
  ctx: Context,
  charge: Charge,
  decision: Decision,
  answered: AnsweredAttempt | undefined,
): Promise<WrittenOutcome> =>
  inTransaction(ctx, async (inside) => {
    const written = await writeOutcome(inside, charge, decision, answered);
    await settleOnSession(inside, charge.row, written.charge.row);
    return written;
  });

/** Its place on a link becomes a payment, or is free again. A card of a purchase holds none by itself. */
async function settleOnSession(ctx: Context, from: ChargeRow, to: ChargeRow): Promise<void> {
  if (!to.sessionId || to.purchaseId !== null) return;
  const loss = to.status === "canceled" ? "paymentExpired" : "paymentFailed";
  await settlePlace(ctx, to.sessionId, placeOfCharge(from), placeOfCharge(to), loss);
}
