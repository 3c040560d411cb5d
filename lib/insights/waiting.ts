import { sql } from "drizzle-orm";
import { type Context, inSnapshot } from "@/lib/context";
import { proposedRefunds } from "@/lib/insights/proposed";
import { unansweredPayments } from "@/lib/insights/unanswered";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

/** Something that does not mend itself, or has not yet. */
export interface WaitingForPeople {
  kind: "charge" | "purchase" | "unanswered" | "proposed";
  /** Of the charge or of the purchase. */
  id: string;
  reason: string;
  amount: number;
  currency: string;
  /** On the account's clock. */
  since: Date;
}

const MOST_SHOWN = 100;

interface WaitingRow extends Record<string, unknown> {
  kind: WaitingForPeople["kind"];
  id: string;
  reason: string;
  amount: string;
  currency: string;
  since: string;
}

/** Oldest first, within its kind. */
export async function listWaiting(ctx: Context, role: OperatorRole, most = MOST_SHOWN): Promise<WaitingForPeople[]> {
  demand(role, "payments.see");
  const client = ctx.account.id;
  const rows = await inSnapshot(ctx, ({ db }) =>
    db.execute<WaitingRow>(sql`
      (select 'purchase' as kind, id, review_reason as reason, amount::text, currency, review_since as since
         from purchases where client_id = ${client} and review_reason is not null order by review_since limit ${most})
      union all
      (select 'charge', id, review_reason, original_amount::text, currency, review_since from charges
        where client_id = ${client} and review_reason is not null and purchase_id is null
        order by review_since limit ${most})
      union all
      (select 'proposed', p.id, 'second_person', p.amount::text, p.currency, p.at from (${proposedRefunds(ctx)}) p
        order by p.at limit ${most})
      union all
      (select 'unanswered', u.id, u.provider_type, u.amount::text, u.currency, u.sent_at from (${unansweredPayments(ctx)}) u
        where u.id is not null order by u.sent_at limit ${most})`),
  );
  return rows.map((row) => ({ ...row, amount: Number(row.amount), since: new Date(row.since) }));
}
