import { sql } from "drizzle-orm";
import { type Context, inSnapshot } from "@/lib/context";
import { proposedRefunds } from "@/lib/insights/proposed";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { addSeconds, realNow } from "@/lib/time";

/** Something that does not mend itself, or has not yet. */
export interface Waiting {
  kind: "charge" | "purchase" | "unanswered" | "proposed";
  /** Of the charge or of the purchase. */
  id: string;
  reason: string;
  amount: number;
  currency: string;
  since: Date;
}

const PATIENCE_SECONDS = 120;
const MOST_SHOWN = 100;

interface WaitingRow extends Record<string, unknown> {
  kind: Waiting["kind"];
  id: string;
  reason: string;
  amount: string;
  currency: string;
  since: string;
}

/** Oldest first, within its kind. */
export async function listWaiting(ctx: Context, role: OperatorRole): Promise<Waiting[]> {
  demand(role, "payments.see");
  const client = ctx.account.id;
  const silentSince = addSeconds(realNow(), -PATIENCE_SECONDS).toISOString();
  const rows = await inSnapshot(ctx, ({ db }) =>
    db.execute<WaitingRow>(sql`
      (select 'purchase' as kind, id, review_reason as reason, amount::text, currency, review_since as since
         from purchases where client_id = ${client} and review_reason is not null order by review_since limit ${MOST_SHOWN})
      union all
      (select 'charge', id, review_reason, original_amount::text, currency, review_since from charges
        where client_id = ${client} and review_reason is not null and purchase_id is null
        order by review_since limit ${MOST_SHOWN})
      union all
      (select 'proposed', p.id, 'second_person', p.amount::text, p.currency, p.at from (${proposedRefunds(ctx)}) p
        order by p.at limit ${MOST_SHOWN})
      union all
      (select 'unanswered', a.charge_id, a.provider_type, a.amount::text, c.currency, a.sent_at
         from transaction_requests a join charges c on c.id = a.charge_id
        where a.client_id = ${client} and a.state in ('sent', 'undetermined') and a.kind <> 'notice'
          and a.sent_at < ${silentSince}::timestamptz order by a.sent_at limit ${MOST_SHOWN})`),
  );
  return rows.map((row) => ({ ...row, amount: Number(row.amount), since: new Date(row.since) }));
}
