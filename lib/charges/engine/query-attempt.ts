import type { Decision } from "@/lib/charges/engine/decision";
import { onQuery } from "@/lib/charges/engine/on-query";
import { perform } from "@/lib/charges/engine/perform";
import { situationOf } from "@/lib/charges/engine/situation";
import { type Charge, slotOf } from "@/lib/charges/queries";
import type { Context } from "@/lib/context";
import type { AttemptRow } from "@/lib/payments/attempts";
import { callTimeoutMs, query } from "@/lib/payments/call";
import type { RoutedProvider } from "@/lib/payments/routing";
import { addSeconds } from "@/lib/time";

/** Creating one again under its own reference is the query: the provider answers with the one it has. */
const CREATED_AGAIN: readonly AttemptRow["kind"][] = ["pix", "boleto", "wallet"];

/** Asks the provider what became of an attempt and decides; writes nothing. */
export async function queryAttempt(
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  provider: RoutedProvider,
): Promise<Decision> {
  if (CREATED_AGAIN.includes(attempt.kind)) {
    const performed = await perform(ctx, charge, attempt, provider, {}, callTimeoutMs(attempt));
    return performed.decide(situationOf(ctx, charge, attempt, undefined));
  }
  const sentUntil = addSeconds(attempt.sentAt ?? attempt.createdAt, callTimeoutMs(attempt) / 1000);
  const subject = { chargeId: charge.row.id, scenario: charge.row.scenario, ...slotOf(charge) };
  const result = await query(ctx, provider, attempt, subject, sentUntil);
  return onQuery(situationOf(ctx, charge, attempt, undefined), result);
}
