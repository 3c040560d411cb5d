import type postgres from "postgres";
import { systemSql } from "@/db/client";
import { derivedBeside } from "@/lib/ids";
import { costOf } from "@/lib/providers/sandbox/events";
import { type Answer, answer, type CallDetails, callOf, OK } from "@/lib/providers/sandbox/reply";
import { isUniqueViolation } from "@/lib/providers/sandbox/store";
import type { Caller, Modification, ModificationReply } from "@/lib/providers/sandbox/wire";

/**
 * The common capture, void and refund of an ordinary card, each decided and written by one statement. It changes
 * nothing when anything is out of the ordinary (another state, a repeated key, an outcome with a rule of its own):
 * undefined then sends the call the long way, which knows why.
 */
export async function quickCapture(
  caller: Caller,
  id: string,
  input: Modification,
  details: CallDetails,
): Promise<Answer | undefined> {
  const sql = systemSql();
  const given = answer(reply(caller, id, { status: "captured", amount: input.amount }));
  return once(
    sql,
    caller,
    details,
    given,
    sql`
    update sandbox_transactions set state = 'captured', captured = ${input.amount}, captured_at = ${caller.now}
     where ${ordinary(sql, caller, id)} and state = 'held' and expires_at > ${caller.now}
       and authorized >= ${input.amount} and authorized > 0
     returning id`,
    moved(sql, caller, id, input, "capture", costOf("card", input.amount)),
  );
}

export async function quickVoid(
  caller: Caller,
  id: string,
  input: Modification,
  details: CallDetails,
): Promise<Answer | undefined> {
  const sql = systemSql();
  // The caller's amount is that of the hold; when it is not, the long way answers with the real one.
  const given = answer(reply(caller, id, { status: "voided", amount: input.amount }));
  return once(
    sql,
    caller,
    details,
    given,
    sql`
    update sandbox_transactions set state = 'voided', ended_at = ${caller.now}
     where ${ordinary(sql, caller, id)} and state = 'held' and expires_at > ${caller.now}
       and authorized = ${input.amount}
     returning id`,
  );
}

export async function quickRefund(
  caller: Caller,
  id: string,
  input: Modification,
  details: CallDetails,
): Promise<Answer | undefined> {
  const sql = systemSql();
  if (input.paymentId !== undefined) return undefined;
  const refundId = movementId(id, "refund", input);
  const given = answer(reply(caller, id, { status: "refunded", amount: input.amount, refundId }));
  return once(
    sql,
    caller,
    details,
    given,
    sql`
    update sandbox_transactions set refunded = refunded + ${input.amount}
     where ${ordinary(sql, caller, id)} and state = 'captured' and captured - refunded >= ${input.amount}
     returning id`,
    moved(sql, caller, id, input, "refund", 0),
  );
}

const reply = (caller: Caller, id: string, fields: Omit<ModificationReply, "id" | "at">): ModificationReply => ({
  id,
  at: caller.now.toISOString(),
  ...fields,
});

const movementId = (id: string, kind: string, { reference }: Modification): string =>
  derivedBeside(id, "sandbox-movement", id, kind, reference);

const ordinary = (sql: postgres.Sql, { clientId, providerId, idempotencyKey = "" }: Caller, id: string) => sql`
  id = ${id} and client_id = ${clientId} and provider_id = ${providerId} and plain
  and not exists (select from sandbox_calls where client_id = ${clientId} and provider_id = ${providerId}
                     and idempotency_key = ${idempotencyKey} and kept)`;

const moved = (
  sql: postgres.Sql,
  { clientId, now }: Caller,
  id: string,
  input: Modification,
  kind: "capture" | "refund",
  cost: number,
) => sql`, moved as (
  insert into sandbox_movements (id, client_id, transaction_id, kind, amount, cost, at, requested_at, reference)
  select ${movementId(id, kind, input)}::uuid, ${clientId}::uuid, changed.id, ${kind}, ${input.amount}::bigint,
    ${cost}::bigint, ${now}::timestamptz, ${now}::timestamptz, ${input.reference} from changed)`;

type Fragment = postgres.PendingQuery<postgres.Row[]>;

async function once(
  sql: postgres.Sql,
  caller: Caller,
  details: CallDetails,
  given: Answer,
  change: Fragment,
  movements: Fragment = sql``,
): Promise<Answer | undefined> {
  const call = callOf(caller, details, given);
  try {
    const rows = await sql`
      with changed as (${change}) ${movements}, noted as (
        insert into sandbox_calls (id, client_id, provider_id, charge_id, operation, reference, idempotency_key,
          fingerprint, kept, request, status, response, at)
        select ${call.id}::uuid, ${call.clientId}::uuid, ${call.providerId}::uuid, ${call.chargeId}::uuid,
          ${call.operation}, ${call.reference}, ${call.idempotencyKey}, ${call.fingerprint}::bytea, ${call.kept}::boolean,
          ${sql.json(call.request as postgres.JSONValue)}::jsonb, ${OK}::smallint, ${call.response}, ${call.at}::timestamptz
          from changed)
      select id from changed`;
    return rows.length > 0 ? given : undefined;
  } catch (error) {
    // Two equal calls at the same instant: one wrote, the other hears its answer the long way.
    if (isUniqueViolation(error)) return undefined;
    throw error;
  }
}
