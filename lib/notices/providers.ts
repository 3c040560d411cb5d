import { sql } from "drizzle-orm";
import { systemDb, systemSql } from "@/db/client";
import { FAILING_SHARE, FEWEST_ATTEMPTS, NEWEST } from "@/lib/insights/providers-now";
import { tell } from "@/lib/notices/tell";

/** Of each account's newest payments. */
const MOST_CHARGES = 60;
/** Two rounds at once would tell the same outage twice. */
const ROUND_LOCK = 4_782_006;

interface Judged {
  client_id: string;
  provider: string;
  /** How the account's people were told it is. */
  told: "provider_down" | "provider_up" | null;
  is_failing: boolean;
  at: Date;
}

/** Tells of each provider that began or ceased to fail since the last round, as the home page judges it. */
export async function lookAtProviders(): Promise<number> {
  const judged = await systemSql()<Judged[]>`
    with account as (
      select id, coalesce(clock_frozen_at, now() + clock_offset_seconds * interval '1 second') as at from clients),
    tried as (
      select a.id as client_id, a.at, t.provider_type as provider,
             t.state in ('undetermined', 'not_sent', 'absent', 'mismatch')
               or (t.state = 'sent' and t.kind = 'authorize' and t.sent_at < now() - interval '10 seconds') as is_troubled,
             row_number() over (partition by a.id, t.provider_type order by t.created_at desc, t.id desc) as n
        from account a
        cross join lateral (select c.id from charges c where c.client_id = a.id and c.created_at > a.at - interval '1 hour'
                             order by c.created_at desc limit ${MOST_CHARGES}) c
        join transaction_requests t on t.charge_id = c.id and t.kind in ('authorize', 'pix', 'boleto', 'wallet')),
    summed as (
      select client_id, provider, min(at) as at, count(*) as tries, count(*) filter (where is_troubled) as troubled
        from tried where n <= ${NEWEST} group by 1, 2 having count(*) >= ${FEWEST_ATTEMPTS})
    select s.client_id, s.provider, s.at, s.troubled >= s.tries * ${FAILING_SHARE}::float as is_failing,
           (select n.kind from notices n where n.client_id = s.client_id and n.name = s.provider
               and n.kind in ('provider_down', 'provider_up') order by n.created_at desc limit 1) as told
      from summed s`;
  const changed = judged.filter(({ is_failing, told }) => is_failing !== (told === "provider_down"));
  for (const { client_id: clientId, provider, is_failing, at } of changed) {
    await systemDb().transaction(async (db) => {
      await db.execute(sql`select pg_advisory_xact_lock(${ROUND_LOCK})`);
      const kind = is_failing ? ("provider_down" as const) : ("provider_up" as const);
      const [last] = await db.execute<{ kind: string }>(sql`
        select kind from notices where client_id = ${clientId} and name = ${provider}
           and kind in ('provider_down', 'provider_up') order by created_at desc limit 1`);
      if ((last?.kind ?? "provider_up") === kind) return;
      const path = `/dashboard/payments?${new URLSearchParams({ provider, period: "today" })}`;
      await tell(db, { clientId, kind, path, at, name: provider });
    });
  }
  return changed.length;
}
