import { sql } from "drizzle-orm";
import { equalsLiteral } from "@/db/literals";
import { idempotencyKeys } from "@/db/schema/accounts";
import type { Write } from "@/db/writes";
import { finalStatusOf } from "@/lib/antifraud/feeding";
import { chargeReply, isChargeRequest } from "@/lib/charges/answer";
import type { Decision } from "@/lib/charges/engine/decision";
import { isAnalysis } from "@/lib/charges/history";
import type { Charge, ChargeRow } from "@/lib/charges/queries";
import { transactionEvent } from "@/lib/charges/serializer";
import { type Context, now } from "@/lib/context";
import type { JobKind } from "@/lib/due-jobs/kinds";
import { scheduling, unscheduling } from "@/lib/due-jobs/schedule";
import { emission } from "@/lib/events";
import { answering, type WrittenEvent } from "@/lib/idempotency";
import type { AttemptRow } from "@/lib/payments/attempts";

/** What happens later: each kind of job once, as it was last said. A job that cannot exist is not looked for. */
export function jobs(
  ctx: Context,
  before: Charge,
  { row, attempts }: Charge,
  { jobs: decided, queryAt, events }: Decision,
  answered: AttemptRow | undefined,
): Write[] {
  const mayExist = !answered || before.row.eventVersion > 0;
  const last = new Map<JobKind, { at: Date | null; mayExist: boolean }>();
  if (answered) last.set("attempt.query", { at: queryAt ?? null, mayExist: answered.queries > 0 });
  for (const { kind, at } of decided) last.set(kind, { at, mayExist });
  // Its cycle hears of it after the commit, by whoever comes first.
  if (events.length > 0 && row.subscriptionId) last.set("subscription.outcome", { at: now(ctx), mayExist });
  if (events.length > 0 && attempts.some(isAnalysis) && finalStatusOf(row.status)) {
    last.set("analysis.feed", { at: now(ctx), mayExist });
  }
  return [...last].flatMap(([kind, job]) => {
    if (job.at) return scheduling(ctx, kind, row.id, job.at);
    return job.mayExist && kind !== LOOK ? [unscheduling(kind, row.id)] : [];
  });
}

/**
 * Never taken back: a notification may have asked for one while the answer written here was on its way. The look that is
 * over goes with its job.
 */
const LOOK: JobKind = "charge.watch";

/** What clients are told, and the last of it. */
export function news(
  ctx: Context,
  before: ChargeRow,
  charge: Charge,
  events: readonly string[],
): { writes: Write[]; last: WrittenEvent | undefined } {
  let position: { version: number; at: Date | null } = { version: before.eventVersion, at: before.lastEventAt };
  let last: WrittenEvent | undefined;
  const writes = events.map((event) => {
    const data = transactionEvent(charge);
    const { write, ...made } = emission(ctx, { object: "transaction", event, entityId: charge.row.id, data }, position);
    position = made;
    last = made;
    return write;
  });
  return { writes, last };
}

const IS_OPEN = equalsLiteral(idempotencyKeys.state, "open");

/** What waits for this charge: the request that is carried out, and a look for others, which writes nothing. */
export function answers(ctx: Context, charge: Charge, told: WrittenEvent | undefined): { look: Write; kept: Write[] } {
  const { account, idempotency } = ctx;
  if (!idempotency || !isChargeRequest(idempotency.kind)) return { look: allAnswered(charge.row.id, "", ""), kept: [] };
  const { namespace, key, kind } = idempotency;
  return {
    look: allAnswered(charge.row.id, namespace, key),
    kept: [answering(account.id, idempotency, chargeReply(kind, charge), now(ctx), told)],
  };
}

export const ALL_ANSWERED = "all_answered";

/** A row when no request waits but this one. */
const allAnswered = (chargeId: string, namespace: string, key: string): Write => ({
  as: ALL_ANSWERED,
  shape: "all answered",
  values: [chargeId, namespace, key],
  text: (place, gate) => sql`select 1 where ${gate} and not exists (
    select from ${idempotencyKeys} where ${idempotencyKeys.resourceId} = ${place(0)}::uuid and ${IS_OPEN}
       and (${idempotencyKeys.namespace}::text, ${idempotencyKeys.key}) <> (${place(1)}::text, ${place(2)}::text))`,
});
