import { z } from "zod";
import { systemSql } from "@/db/client";
import { isCivilDate } from "@/lib/brazil/bank-calendar";
import { answer, deliver, refuse } from "@/lib/providers/sandbox/reply";
import { statementOf } from "@/lib/providers/sandbox/settlement";
import type { Caller, SimulatorReply } from "@/lib/providers/sandbox/wire";

/** The statement of the simulated acquirer, in pages. */

const PAGE = 1_000;

export const statementReply = z.object({
  lines: z.array(
    z.object({
      id: z.string(),
      providerTxId: z.string(),
      kind: z.enum(["settlement", "refund", "chargeback", "reversal", "adjustment"]),
      instalment: z.int().min(1),
      amount: z.int(),
      cost: z.int().min(0),
      settledOn: z.iso.date(),
    }),
  ),
  next: z.string().optional(),
});

export async function tellStatement(caller: Caller, query: URLSearchParams): Promise<SimulatorReply> {
  const [from, to, after] = [query.get("from") ?? "", query.get("to") ?? "", query.get("after") ?? ""];
  if (!isCivilDate(from) || !isCivilDate(to)) return deliver(refuse("invalid_request", "two days are needed"), {});
  const lines = (await statementOf({ ...caller, from, to }, caller.now))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .filter(({ id }) => id > after);
  const page = lines.slice(0, PAGE);
  const next = lines.length > PAGE ? page.at(-1)?.id : undefined;
  return deliver(answer({ lines: page, ...(next === undefined ? {} : { next }) }), {});
}

export const earlyRequest = z.object({
  payments: z.array(
    z.object({
      providerTxId: z.uuid(),
      instalment: z.int().min(1),
      amount: z.int().min(1),
      cost: z.int().min(0),
      paidOn: z.iso.date(),
    }),
  ),
});
export const earlyReply = z.object({ taken: z.int() });

/** Asked for again, it is what it was. */
export async function payEarly(caller: Caller, { payments }: z.output<typeof earlyRequest>): Promise<SimulatorReply> {
  await systemSql()`
    insert into sandbox_anticipations (client_id, transaction_id, installment, amount, paid_on, cost)
    select t.client_id, t.id, p.instalment, p.amount, p."paidOn", p.cost
      from json_to_recordset(${systemSql().json(payments)}::json)
        as p ("providerTxId" uuid, instalment smallint, amount bigint, "paidOn" date, cost bigint)
      join sandbox_transactions t on t.id = p."providerTxId"
     where t.client_id = ${caller.clientId} and t.provider_id = ${caller.providerId} on conflict do nothing`;
  return deliver(answer({ taken: payments.length }), {});
}
