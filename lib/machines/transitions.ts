import type postgres from "postgres";
import { accountMachine } from "@/lib/accounts/machine";
import { chargeMachine } from "@/lib/charges/machine";
import { flowMachine } from "@/lib/flows/machine";
import { batchMachine, transferMachine } from "@/lib/payouts/machine";
import { prepaymentMachine } from "@/lib/prepayments/machine";
import { operationMachine, purchaseMachine, slotMachine } from "@/lib/purchases/machine";
import { receivableMachine } from "@/lib/receivables/machine";
import { reportMachine } from "@/lib/reports/machine";
import { reviewMachine } from "@/lib/sellers/machine";
import { sessionMachine } from "@/lib/sessions/machine";
import { cycleMachine, mandateMachine, subscriptionMachine } from "@/lib/subscriptions/machine";

/** Every machine whose moves the database guards too. */
export const MACHINES = [
  chargeMachine,
  purchaseMachine,
  slotMachine,
  operationMachine,
  sessionMachine,
  accountMachine,
  receivableMachine,
  reviewMachine,
  flowMachine,
  subscriptionMachine,
  cycleMachine,
  mandateMachine,
  batchMachine,
  transferMachine,
  prepaymentMachine,
  reportMachine,
] as const;

/** Writes the rows into their table and into the trigger that holds to them; run after every migration. */
export async function syncTransitions(sql: postgres.Sql): Promise<void> {
  const rows = MACHINES.flatMap((machine) =>
    machine.rows.map(([id, from, , to]) => ({ machine: machine.name, row_id: id, from_status: from, to_status: to })),
  );
  await sql.begin(async (tx) => {
    await tx`delete from legal_transitions`;
    await tx`insert into legal_transitions ${tx(rows)}`;
    await tx`call hold_transitions()`;
  });
}
