import { systemSql } from "@/db/client";
import { addDays, type CivilDate, nextBankDay, saoPauloDay, startOfSaoPauloDay } from "@/lib/brazil/bank-calendar";
import { derivedId } from "@/lib/ids";
import { forAccount } from "@/lib/providers/sandbox/for-account";
import { answer, deliver, fingerprintOf, refuse } from "@/lib/providers/sandbox/reply";
import type { TransferLookUp, TransferRequest } from "@/lib/providers/sandbox/transfers-wire";
import type { Caller, SimulatorReply } from "@/lib/providers/sandbox/wire";

/**
 * The simulated bank pays sellers: its result comes on the next bank day. An account of zeros does not exist; 9999999
 * sends the money back two bank days later (spec/settlement.md section 7).
 */
const NO_ACCOUNT = /^0+$/;
const GIVES_BACK = "9999999";
/** The transfer is taken, and its answer never comes. */
const LOSES_ANSWER = "8888888";

interface Row {
  reference: string;
  fingerprint: Buffer;
  resolvesAt: Date;
  resolvesTo: "settled" | "failed";
  reason: string | null;
  returnsAt: Date | null;
}

const COLUMNS = `reference, fingerprint, resolves_at as "resolvesAt", resolves_to as "resolvesTo", reason,
  returns_at as "returnsAt"`;

export async function takeTransfer(caller: Caller, input: TransferRequest): Promise<SimulatorReply> {
  const sql = systemSql();
  const fingerprint = fingerprintOf(input);
  const next = nextBankDay(saoPauloDay(caller.now));
  const isUnknown = NO_ACCOUNT.test(input.account);
  const returnsOn = input.account === GIVES_BACK ? nextBankDay(addDays(next, 1)) : null;
  await sql`
    insert into sandbox_transfers (id, client_id, reference, fingerprint, amount, resolves_at, resolves_to, reason,
      returns_at, created_at)
    values (${derivedId("sandbox-transfer", caller.clientId, input.reference)}, ${caller.clientId}, ${input.reference},
      ${fingerprint}, ${input.amount}, ${startOfSaoPauloDay(next)}, ${isUnknown ? "failed" : "settled"},
      ${isUnknown ? "invalid_account" : null}, ${returnsOn === null ? null : startOfSaoPauloDay(returnsOn)}, ${caller.now})
    on conflict do nothing`;
  const [row] = await sql<Row[]>`
    select ${sql.unsafe(COLUMNS)} from sandbox_transfers
     where client_id = ${caller.clientId} and reference = ${input.reference}`;
  if (!row?.fingerprint.equals(fingerprint)) return deliver(refuse("reference_conflict"), {});
  const given = answer(shown(row, caller.now));
  return deliver(given, input.account === LOSES_ANSWER ? { fault: "drop_response" } : {});
}

/** By their references, or all that came back since; what is left out was never here. */
export async function lookUpTransfers(
  caller: Caller,
  { references, returnedSince }: TransferLookUp,
): Promise<SimulatorReply> {
  const sql = systemSql();
  const rows = await sql<Row[]>`
    select ${sql.unsafe(COLUMNS)} from sandbox_transfers where client_id = ${caller.clientId} and ${
      returnedSince === undefined
        ? sql`reference = any(${references ?? []})`
        : sql`returns_at > ${new Date(returnedSince)} and returns_at <= ${caller.now}`
    }`;
  return deliver(answer({ transfers: rows.map((row) => shown(row, caller.now)) }), {});
}

function shown({ reference, resolvesAt, resolvesTo, reason, returnsAt }: Row, now: Date) {
  const isOver = resolvesAt <= now;
  const status = returnsAt !== null && returnsAt <= now ? "returned" : isOver ? resolvesTo : "accepted";
  const words = status === "returned" ? "account_closed" : status === "failed" ? reason : null;
  return { reference, status, ...(words === null ? {} : { reason: words }) };
}

/** Settled ones, on the day they were sent; what came back is not subtracted. */
export async function transferredOn(clientId: string, day: CivilDate, now: Date): Promise<number> {
  const [from, until] = [startOfSaoPauloDay(day), startOfSaoPauloDay(addDays(day, 1))];
  const [row] = await forAccount(
    clientId,
    (sql) => sql<{ sum: string }[]>`
    select coalesce(sum(amount), 0) as sum from sandbox_transfers
     where client_id = ${clientId} and created_at >= ${from} and created_at < ${until}
       and resolves_to = 'settled' and resolves_at <= ${now}`,
  );
  return Number(row?.sum ?? 0);
}
