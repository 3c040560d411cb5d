import { systemSql } from "@/db/client";
import { effectsOnLater } from "@/lib/providers/sandbox/effects";
import { type Answer, answer, before, callOf, closed, deliver, refuse } from "@/lib/providers/sandbox/reply";
import {
  movementsOf,
  recordCall,
  type Transaction,
  transactionById,
  transactionsByReference,
} from "@/lib/providers/sandbox/store";
import { replyOf, viewOf } from "@/lib/providers/sandbox/view";
import type { Caller, SimulatorReply } from "@/lib/providers/sandbox/wire";

export const lookUpById = async (caller: Caller, id: string): Promise<SimulatorReply> => {
  const found = await transactionById(systemSql(), caller, id);
  return found ? lookUp(caller, await withCopies(caller, found)) : notThere(caller, id);
};

export const lookUpByReference = async (caller: Caller, reference: string): Promise<SimulatorReply> => {
  const found = await transactionsByReference(systemSql(), caller, reference);
  return found.length > 0 ? lookUp(caller, found) : notThere(caller, reference);
};

/** The one that was asked for comes first. */
async function withCopies(caller: Caller, found: Transaction): Promise<Transaction[]> {
  const all = await transactionsByReference(systemSql(), caller, found.reference);
  return [found, ...all.filter(({ id }) => id !== found.id)];
}

async function notThere(caller: Caller, reference: string): Promise<SimulatorReply> {
  const given = refuse("not_found");
  await record(caller, reference, given);
  return deliver(given, {});
}

async function lookUp(caller: Caller, found: Transaction[]): Promise<SimulatorReply> {
  const sql = systemSql();
  const [first] = found;
  if (!first) return deliver(refuse("not_found"), {});
  const effects =
    first.scenario === null && caller.scenario === undefined ? {} : await effectsOnLater(sql, caller, first, "query");
  const instead = before(effects);
  if (instead === "closed") return closed;
  if (instead) return deliver(instead, effects);
  const movements = await movementsOf(
    sql,
    found.map(({ id }) => id),
  );
  const transactions = found.map((tx) =>
    replyOf(
      tx,
      viewOf(
        tx,
        movements.filter(({ transactionId }) => transactionId === tx.id),
        caller.now,
      ),
    ),
  );
  const given = answer({ transactions });
  await record(caller, first.reference, given);
  return deliver(given, effects);
}

const record = (caller: Caller, reference: string, given: Answer): Promise<unknown> =>
  recordCall(
    systemSql(),
    callOf(
      { ...caller, idempotencyKey: undefined },
      { operation: "query", reference, request: { reference }, kept: false },
      given,
    ),
  );
