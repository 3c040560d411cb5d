import type postgres from "postgres";
import { copy } from "@/bench/lists/rows";
import type { Club } from "@/bench/subscriptions/shop";

const CHUNK = 100_000;
/** Of a hundred in a row: 80 active, 8 paused, 4 unpaid, 8 canceled. */
const STATUS = `case when n % 100 < 80 then 'active' when n % 100 < 88 then 'paused' when n % 100 < 92 then 'unpaid' else 'canceled' end`;

/** Copies of a subscription, a second apart, with a cycle each: paid, or what left them unpaid. Triggers are passed by. */
export async function fillLists(sql: postgres.Sql, club: Club, model: string, rows: number): Promise<void> {
  for (let from = 0; from < rows; from += CHUNK) {
    const until = Math.min(from + CHUNK, rows);
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx.unsafe(
        `create temporary table made on commit drop as
          select gen_random_uuid() as id, n, timestamptz '2026-01-01' + make_interval(secs => n) as at, ${STATUS} as status
            from generate_series(${from}, ${until - 1}) n`,
      );
      await copy(
        tx,
        "subscriptions",
        model,
        {
          id: "made.id",
          status: "made.status",
          reference_key: "'ref-' || made.n",
          next_due_on: "case when made.status = 'canceled' then null else current_date + 1 + made.n % 30 end",
          created_at: "made.at",
          updated_at: "made.at",
        },
        { key: "id" },
      );
      await tx.unsafe(
        `insert into subscription_cycles (id, client_id, subscription_id, customer_id, merchant_id, cycle, status, due_on,
             amount, split_rules, attempts, waits_for_card, impossible, created_at, updated_at)
           select gen_random_uuid(), $1, made.id, $2, $3, 1,
                  case when made.status = 'unpaid' then 'failed' when made.n % 100 < 3 then 'retrying' else 'authorized' end,
                  made.at::date, 4990, '[]'::jsonb, 1, false, 0, made.at, made.at
             from made`,
        [club.clientId, club.customerId, club.merchantId],
      );
    });
  }
  await sql`vacuum analyze subscriptions`;
  await sql`vacuum analyze subscription_cycles`;
}

/** Copies that fell due yesterday, each with its anchor and its job. */
export async function fillDue(sql: postgres.Sql, club: Club, model: string, rows: number): Promise<void> {
  for (let from = 0; from < rows; from += CHUNK) {
    const until = Math.min(from + CHUNK, rows);
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`create temporary table made on commit drop as
        select gen_random_uuid() as id, n, (${club.cardIds}::uuid[])[1 + n % ${club.cardIds.length}::int] as card_id
          from generate_series(${from}::int, ${until - 1}::int) n`;
      await copy(
        tx,
        "subscriptions",
        model,
        {
          id: "made.id",
          card_id: "made.card_id",
          start_at: "current_date - 1",
          next_due_on: "current_date - 1",
          created_at: "now() - interval '2 days'",
        },
        { key: "id" },
      );
      await copy(
        tx,
        "subscription_anchors",
        model,
        { subscription_id: "made.id", start_on: "current_date - 1" },
        { key: "subscription_id" },
      );
      await tx.unsafe(
        `insert into due_jobs (id, client_id, kind, ref_id, due_at, wake_at, lane, created_at)
         select gen_random_uuid(), $1, 'subscription.due', made.id, now(), now(), 'provider', now() from made`,
        [club.clientId],
      );
    });
  }
  if (rows > 1)
    for (const name of ["subscriptions", "subscription_anchors", "due_jobs"])
      await sql.unsafe(`vacuum analyze ${name}`);
}
