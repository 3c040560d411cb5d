import { sql } from "drizzle-orm";
import { type Context, inSnapshot, now, onAccountClock } from "@/lib/context";
import { failingLinks } from "@/lib/insights/failing-links";
import { keptApart } from "@/lib/insights/kept-apart";
import { moneyLeftBehind } from "@/lib/insights/left-behind";
import { notReturned } from "@/lib/insights/not-returned";
import { proposedRefunds } from "@/lib/insights/proposed";
import { unansweredPayments } from "@/lib/insights/unanswered";
import { isUnhandled } from "@/lib/insights/unhandled-disputes";
import { demand, may, type Right } from "@/lib/operators/permissions";
import { PROPOSAL_SECONDS } from "@/lib/operators/second-person";
import type { OperatorRole } from "@/lib/operators/sessions";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** What waits for a person, by what it is. */
export const ATTENTION_KINDS = [
  "invariants_broken",
  "charges_in_review",
  "purchases_in_review",
  "unanswered",
  "not_returned",
  "kept_apart",
  "second_person",
  "credentials_proposed",
  "seller_accounts",
  "payouts_waiting",
  "prepayments_waiting",
  "adjustments_waiting",
  "payouts_failed",
  "payouts_overdue",
  "sellers_held",
  "discrepancies_open",
  "chargebacks_new",
  "subscriptions_unpaid",
  "seller_reviews",
  "holds_ending",
  "card_testing",
  "links_failing",
  "webhooks_stopped",
  "webhooks_failing",
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** What a person must be allowed, besides seeing payments, to be told. */
const NEEDED: Partial<Record<AttentionKind, Right>> = {
  invariants_broken: "proof.see",
  second_person: "payments.refund",
  credentials_proposed: "merchants.edit",
  seller_accounts: "sellers.bank",
  seller_reviews: "sellers.edit",
  payouts_waiting: "payouts.mark",
  prepayments_waiting: "prepayment.commit",
  adjustments_waiting: "finance.adjust",
  payouts_failed: "payouts.see",
  payouts_overdue: "payouts.see",
  sellers_held: "payouts.see",
  subscriptions_unpaid: "subscriptions.see",
  discrepancies_open: "finance.see",
  chargebacks_new: "disputes.see",
  card_testing: "protection.edit",
  webhooks_stopped: "webhooks.see",
  webhooks_failing: "webhooks.see",
};

export interface Attention {
  kind: AttentionKind;
  count: number;
  /** Cents at stake; none for what is not money. */
  amount: number;
  /** On the account's clock. */
  since: Date | null;
}

/** Written with the time of the machines, whatever a sandbox account's clock says. */
const ON_REAL_CLOCK = new Set<AttentionKind>([
  "invariants_broken",
  "credentials_proposed",
  "seller_accounts",
  "payouts_waiting",
  "prepayments_waiting",
  "adjustments_waiting",
]);

const MOST_COUNTED = 1_000;

interface AttentionRow extends Record<string, unknown> {
  kind: AttentionKind;
  count: number;
  amount: string;
  since: string | null;
}

/** Everything that does not mend itself, most urgent first; nothing else is on it. */
export async function attentionOf(ctx: Context, role: OperatorRole): Promise<Attention[]> {
  demand(role, "payments.see");
  const client = ctx.account.id;
  const at = now(ctx).toISOString();
  const endingBefore = addSeconds(now(ctx), DAY_SECONDS).toISOString();
  const rows = await inSnapshot(ctx, ({ db }) =>
    db.execute<AttentionRow>(sql`
      select 'charges_in_review' as kind, count(*)::int as count, coalesce(sum(amount), 0)::text as amount,
             min(review_since) as since
        from (select original_amount as amount, review_since from charges
               where client_id = ${client} and review_reason is not null and purchase_id is null limit ${MOST_COUNTED}) c
      union all
      select 'purchases_in_review', count(*)::int, coalesce(sum(amount), 0)::text, min(review_since)
        from (select amount, review_since from purchases
               where client_id = ${client} and review_reason is not null limit ${MOST_COUNTED}) p
      union all
      select 'unanswered', count(*)::int, coalesce(sum(amount), 0)::text, min(sent_at)
        from (${unansweredPayments(ctx)} limit ${MOST_COUNTED}) a
      union all
      select 'not_returned', count(*)::int, coalesce(sum(amount), 0)::text, min(since)
        from (${notReturned(ctx)} limit ${MOST_COUNTED}) n
      union all
      select 'kept_apart', count(*)::int, coalesce(sum(amount), 0)::text, min(since)
        from (${keptApart(ctx)} limit ${MOST_COUNTED}) k
      union all
      select 'second_person', count(*)::int, coalesce(sum(p.amount), 0)::text, min(p.at) from (${proposedRefunds(ctx)}) p
      union all
      select 'credentials_proposed', count(*)::int, '0', min(created_at)
        from provider_rotations where client_id = ${client} and ended_at is null and expires_at > now()
      union all
      select 'seller_accounts', count(*)::int, '0', min(created_at)
        from seller_account_changes where client_id = ${client} and ended_at is null and expires_at > now()
      union all
      select case kind when 'adjustment' then 'adjustments_waiting' else 'payouts_waiting' end, count(*)::int, '0',
             min(created_at)
        from money_proposals
       where client_id = ${client} and ended_at is null and expires_at > now() and kind <> 'break_closed' group by 1
      union all
      select 'prepayments_waiting', count(*)::int, coalesce(sum(p.gross_amount), 0)::text, min(l.at)
        from (select object_id, min(at) as at from audit_log
               where client_id = ${client} and action = 'prepayment.propose'
                 and at >= now() - make_interval(secs => ${PROPOSAL_SECONDS}) group by object_id) l
        join prepayments p on p.id = l.object_id::uuid and p.client_id = ${client} and p.status = 'pending'
      union all
      select 'discrepancies_open', count(*)::int, coalesce(sum(amount), 0)::text, min(opened_at)
        from (select abs(expected - found) as amount, opened_at from settlement_breaks
               where client_id = ${client} and closed_at is null limit ${MOST_COUNTED}) s
      union all
      ${moneyLeftBehind(ctx, MOST_COUNTED)}
      union all
      select 'seller_reviews', count(*)::int, '0', min(created_at)
        from (select created_at from seller_reviews where client_id = ${client} and status = 'opened' limit ${MOST_COUNTED}) r
      union all
      select 'invariants_broken', count(*)::int, '0', min(found_at)
        from (select found_at from invariant_violations where client_id = ${client} and closed_at is null limit ${MOST_COUNTED}) b
      union all
      select 'holds_ending', count(*)::int, coalesce(sum(c.amount), 0)::text, min(c.created_at)
        from (select ref_id from due_jobs where client_id = ${client} and kind = 'charge.hold_ends'
                 and due_at < ${endingBefore}::timestamptz limit ${MOST_COUNTED}) j
        join charges c on c.id = j.ref_id and c.status = 'pre_authorized'
      union all
      select 'chargebacks_new', count(*)::int, coalesce(sum(amount), 0)::text, min(created_at)
        from (select n.amount, n.created_at from transaction_requests n join charges c on c.id = n.charge_id
               where n.client_id = ${client}
                 and (n.request_type = 'charge_back' or n.request_status_reason = 'forced_by_payer_bank')
                 and (n.request_type = 'charge_back' or c.payment_type = 'pix')
                 and ${isUnhandled(ctx)}
               limit ${MOST_COUNTED}) d
      union all
      select 'card_testing', count(*)::int, '0', min(raised_at)
        from card_alarms where client_id = ${client} and lifted_at is null and cause <> 'person'
         and "until" > ${at}::timestamptz
         and (${ctx.account.mode === "live"} or exists (select from card_protection p where p.client_id = ${client} and p.is_on))
      union all
      select 'links_failing', count(*)::int, '0', min(since) from (${failingLinks(ctx)}) l
      union all
      select 'webhooks_stopped', count(*)::int, '0', min(disabled_at)
        from webhooks where client_id = ${client} and deleted_at is null
         and (health = 'paused' or (not status and disabled_reason <> 'client'))
      union all
      select 'webhooks_failing', count(*)::int, '0', min(first_failure_at)
        from webhooks where client_id = ${client} and deleted_at is null and status and health = 'failing'`),
  );
  return ATTENTION_KINDS.flatMap((kind) => {
    const row = rows.find((each) => each.kind === kind);
    const needed = NEEDED[kind];
    if (!row || row.count === 0 || (needed && !may(role, needed))) return [];
    const since = row.since ? new Date(row.since) : null;
    const shown = since && ON_REAL_CLOCK.has(kind) ? onAccountClock(ctx, since) : since;
    return [{ kind, count: row.count, amount: Number(row.amount), since: shown }];
  });
}
