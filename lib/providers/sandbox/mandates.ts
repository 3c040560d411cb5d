import { systemSql } from "@/db/client";
import { derivedId, isUuid } from "@/lib/ids";
import { SANDBOX_CAPABILITIES } from "@/lib/providers/sandbox/capabilities";
import { mandateCode } from "@/lib/providers/sandbox/codes";
import { effectsBeside } from "@/lib/providers/sandbox/effects";
import type { MandateReply, MandateRequest } from "@/lib/providers/sandbox/mandates-wire";
import {
  type Answer,
  answer,
  before,
  type CallDetails,
  callOf,
  closed,
  deliver,
  fingerprintOf,
  refuse,
} from "@/lib/providers/sandbox/reply";
import { type Connection, movementsOf, recordCall, transactionsByReference } from "@/lib/providers/sandbox/store";
import { viewOf } from "@/lib/providers/sandbox/view";
import type { Caller, SimulatorReply } from "@/lib/providers/sandbox/wire";
import { addSeconds } from "@/lib/time";

/** Mandates at the simulated bank: what the buyer does the amount's last two digits decide (spec/subscriptions.md). */
const CENTS = 100;
const REJECTED = 94;
const NEVER_ANSWERED = 95;

export const createMandate = (caller: Caller, input: MandateRequest): Promise<SimulatorReply> =>
  disturbed(
    caller,
    { operation: "mandate", reference: input.reference, request: shown(input), kept: false },
    async () => {
      const sql = systemSql();
      const fingerprint = fingerprintOf(input);
      const id = derivedId("sandbox-mandate", caller.clientId, caller.providerId, input.reference);
      const ending = input.amount % CENTS;
      const isAnswered = input.firstPayment === undefined && ending !== NEVER_ANSWERED;
      await sql`
      insert into sandbox_mandates (id, client_id, provider_id, reference, fingerprint, amount, first_payment,
        resolves_to, resolves_at, expires_at, created_at)
      values (${id}, ${caller.clientId}, ${caller.providerId}, ${input.reference}, ${fingerprint}, ${input.amount},
        ${input.firstPayment ?? null}, ${isAnswered ? (ending === REJECTED ? "rejected" : "approved") : null},
        ${isAnswered ? addSeconds(caller.now, caller.delaySeconds) : null}, ${input.expiresAt}, ${caller.now})
      on conflict do nothing`;
      const known = await mandateById(sql, caller, id);
      if (!known?.fingerprint.equals(fingerprint)) return refuse("reference_conflict");
      return answer(await viewed(sql, caller, known));
    },
  );

const shown = ({ payerDocument, ...request }: MandateRequest): Record<string, unknown> => ({
  ...request,
  expiresAt: request.expiresAt.toISOString(),
  payerDocumentEnd: payerDocument.slice(-2),
});

export const lookUpMandate = (caller: Caller, query: URLSearchParams): Promise<SimulatorReply> =>
  disturbed(caller, undefined, async () => {
    const sql = systemSql();
    const reference = query.get("reference") ?? "";
    const id = query.get("id") ?? derivedId("sandbox-mandate", caller.clientId, caller.providerId, reference);
    const known = await mandateById(sql, caller, id);
    return known ? answer(await viewed(sql, caller, known)) : refuse("not_found");
  });

/** By the receiver. */
export const endMandate = (caller: Caller, id: string): Promise<SimulatorReply> =>
  disturbed(caller, { operation: "mandate_end", reference: id, request: {}, kept: false }, async () => {
    const sql = systemSql();
    const known = await mandateById(sql, caller, id);
    if (!known) return refuse("not_found");
    const { status } = await viewed(sql, caller, known);
    if (status === "created" || status === "approved") {
      await endAt(sql, known, caller.now, "receiver");
      await dropInstructions(sql, caller, id);
    }
    return answer(await viewed(sql, caller, (await mandateById(sql, caller, id)) ?? known));
  });

export const endAt = (sql: Connection, { id }: Pick<Mandate, "id">, at: Date, by: "payer" | "receiver") => sql`
  update sandbox_mandates set ends_at = ${at}, ended_by = ${by}
   where id = ${id} and (ends_at is null or ends_at > ${at})`;

/** What the payer's bank was still to pay it does not pay any more, where it hears of that in time. */
async function dropInstructions(sql: Connection, { clientId, now }: Caller, mandateId: string): Promise<void> {
  const dropped = await sql<{ id: string }[]>`
    update sandbox_transactions set state = 'canceled', ended_at = ${now}, resolves_at = null, resolves_to = null
     where client_id = ${clientId} and details ->> 'mandateId' = ${mandateId} and state = 'pending'
       and (resolves_at is null or resolves_at > ${now})
       and ((details ->> 'settleOn')::date - 1 + ${SANDBOX_CAPABILITIES.mandates.takenBackUntil}::time)
             at time zone 'America/Sao_Paulo' > ${now}
       and not exists (select from sandbox_movements m
                        where m.transaction_id = sandbox_transactions.id and m.kind = 'payment' and m.at <= ${now})
    returning id`;
  const ids = dropped.map(({ id }) => id);
  if (ids.length > 0)
    await sql`delete from sandbox_movements where transaction_id = any(${ids}::uuid[]) and at > ${now}`;
}

export interface Mandate {
  id: string;
  reference: string;
  fingerprint: Buffer;
  firstPayment: string | null;
  resolvesTo: "approved" | "rejected" | null;
  resolvesAt: Date | null;
  expiresAt: Date;
  endsAt: Date | null;
  endedBy: "payer" | "receiver" | null;
}

export async function mandateById(
  sql: Connection,
  { clientId, providerId }: Pick<Caller, "clientId" | "providerId">,
  id: string,
): Promise<Mandate | undefined> {
  if (!isUuid(id)) return undefined;
  const [found] = await sql<Mandate[]>`
    select id, reference, fingerprint, first_payment as "firstPayment", resolves_to as "resolvesTo",
      resolves_at as "resolvesAt", expires_at as "expiresAt", ends_at as "endsAt", ended_by as "endedBy"
      from sandbox_mandates where id = ${id} and client_id = ${clientId} and provider_id = ${providerId}`;
  return found;
}

/** Where it stands: time alone makes later facts true, and the payment that authorizes it. */
export async function viewed(sql: Connection, caller: Caller, mandate: Mandate): Promise<MandateReply> {
  const { now } = caller;
  const answered =
    mandate.firstPayment === null ? answerOf(mandate) : await paidFirst(sql, caller, mandate.firstPayment);
  const told = answered && answered.at <= now ? answered : undefined;
  const isApproved = told?.as === "approved";
  const ended = endOf(mandate, told, now);
  const coming = [mandate.endsAt, ...(told || ended ? [] : [answered?.at, mandate.expiresAt])]
    .filter((at): at is Date => at instanceof Date && at > now)
    .sort((a, b) => a.getTime() - b.getTime())[0];
  return {
    id: mandate.id,
    reference: mandate.reference,
    status: ended?.status ?? (isApproved ? "approved" : "created"),
    qrCode: mandateCode(caller.publicUrl, mandate.id),
    ...(isApproved ? { approvedAt: told.at.toISOString() } : {}),
    ...(ended ? { endedAt: ended.at.toISOString() } : {}),
    ...(ended?.by ? { endedBy: ended.by } : {}),
    ...(coming ? { nextEventAt: coming.toISOString() } : {}),
    at: now.toISOString(),
  };
}

interface Told {
  as: "approved" | "rejected";
  at: Date;
}

const answerOf = ({ resolvesTo, resolvesAt }: Mandate): Told | undefined =>
  resolvesTo && resolvesAt ? { as: resolvesTo, at: resolvesAt } : undefined;

function endOf(
  { endsAt, endedBy, expiresAt }: Mandate,
  told: Told | undefined,
  now: Date,
): { status: "rejected" | "expired" | "canceled"; at: Date; by?: "payer" | "receiver" } | undefined {
  if (told?.as === "rejected") return { status: "rejected", at: told.at, by: "payer" };
  if (endsAt && endsAt <= now) return { status: "canceled", at: endsAt, ...(endedBy ? { by: endedBy } : {}) };
  if (!told && expiresAt <= now) return { status: "expired", at: expiresAt };
  return undefined;
}

async function paidFirst(sql: Connection, caller: Caller, reference: string): Promise<Told | undefined> {
  const [payment] = await transactionsByReference(sql, caller, reference);
  if (!payment) return undefined;
  const { capturedAt } = viewOf(payment, await movementsOf(sql, [payment.id]), caller.now);
  return capturedAt ? { as: "approved", at: capturedAt } : undefined;
}

async function disturbed(
  caller: Caller,
  details: CallDetails | undefined,
  run: () => Promise<Answer>,
): Promise<SimulatorReply> {
  const sql = systemSql();
  const effects = await effectsBeside(sql, caller, "mandate");
  const instead = before(effects);
  if (instead === "closed") return closed;
  const given = instead ?? (await run());
  if (details) await recordCall(sql, callOf(caller, details, given, effects));
  return deliver(given, effects);
}
