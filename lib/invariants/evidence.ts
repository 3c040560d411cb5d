import type { Invariant } from "@/lib/invariants/catalogue";
import { each } from "@/lib/invariants/each";

/** What a journal stands for, and that nothing joined it later. */
export const EVIDENCE_INVARIANTS: readonly Invariant[] = [
  {
    id: "P1",
    text: "every journal has one piece of evidence, which is there, and no other journal has it",
    root: "journals",
    sql: `select j.id, j.client_id from ${each("journals", "j")}
           where exists (select from journals o where o.event_id = j.event_id and o.event_type = j.event_type and o.id <> j.id)
              or case
                when j.event_id !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then false
                when j.event_type in ('payout', 'payout_paid', 'payout_failed')
                then not exists (select from payout_batches e where e.id = j.event_id::uuid)
                when j.event_type = 'payout_returned'
                then not exists (select from payout_transfers e where e.id = j.event_id::uuid)
                when j.event_type = 'adjustment'
                then not exists (select from seller_adjustments e where e.id = j.event_id::uuid)
                when j.event_type in ('hold', 'hold_release', 'capture', 'fee', 'fares', 'refund')
                then not exists (select from transaction_requests e where e.id = j.event_id::uuid)
                else false end`,
  },
  {
    id: "P2",
    text: "no transfer joined a journal that was committed, or one of another merchant, currency or side of the memo line",
    root: "journals",
    sql: `select distinct j.id, j.client_id from ${each("journals", "j")} join transfers t on t.journal_id = j.id
           where t.tx <> j.tx or t.merchant_id <> j.merchant_id or t.currency <> j.currency or t.memo <> j.memo`,
  },
  {
    id: "P2b",
    text: "a reversal takes its journal back: of each account the opposite, and of each party its receivables",
    root: "journals",
    sql: `select j.id, j.client_id from ${each("journals", "j")}
           where j.reverses is not null and reversal_differs(j.id)`,
  },
];
