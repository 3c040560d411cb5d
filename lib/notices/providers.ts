import { sql } from "drizzle-orm";
import { type Database, systemDb } from "@/db/client";
import { FEWEST_ATTEMPTS, isFailing, NEWEST, recentAttempts, recentCharges } from "@/lib/insights/providers-now";
import { distinctionsOf } from "@/lib/provider-distinctions";
import { tell } from "@/lib/tell";

/** Two rounds at once would tell the same outage twice. */
const ROUND_LOCK = 4_782_006;

interface Judged extends Record<string, unknown> {
  clientId: string;
  merchantId: string;
  id: string;
  kind: string;
  isOneOfSeveral: boolean;
  newest: number;
  newestTroubled: number;
  /** How the account's people were told it is. */
  told: "provider_down" | "provider_up" | null;
  at: string;
}

/** Tells of each connection that began or ceased to fail since the last round, as the home page judges it. */
export async function lookAtProviders(): Promise<number> {
  const judged = await systemDb().execute<Judged>(sql`
    with account as (
      select id, coalesce(clock_frozen_at, now() + clock_offset_seconds * interval '1 second') as at from clients),
    recent as (
      select account.id as client_id, account.at, c.id
        from account cross join lateral (${recentCharges(sql`account.id`, sql`account.at`)}) c),
    seen as (${recentAttempts(sql`recent r`)}),
    summed as (
      select s.id, count(*)::int as newest, count(*) filter (where s.is_troubled)::int as "newestTroubled"
        from seen s where s.n <= ${NEWEST} group by s.id)
    select p.client_id as "clientId", p.merchant_id as "merchantId", p.kind, account.at, s.*,
           count(*) over (partition by p.client_id, p.kind) > 1
             or exists (select from providers o
                         where o.client_id = p.client_id and o.kind = p.kind and o.id <> p.id and o.deleted_at is null)
             as "isOneOfSeveral",
           ${lastTold(sql`p.client_id`, sql`p.id`)} as told
      from summed s join providers p on p.id = s.id join account on account.id = p.client_id`);
  const changed = judged.filter(
    (row) => row.newest >= FEWEST_ATTEMPTS && isFailing(row) !== (row.told === "provider_down"),
  );
  for (const row of changed) await systemDb().transaction((db) => tellOf(db, row));
  return changed.length;
}

const lastTold = (clientId: unknown, id: unknown) => sql`(
  select n.kind from notices n where n.client_id = ${clientId} and n.provider_id = ${id}
     and n.kind in ('provider_down', 'provider_up') order by n.created_at desc limit 1)`;

async function tellOf(db: Database, row: Judged): Promise<void> {
  const { clientId, merchantId, id, isOneOfSeveral } = row;
  await db.execute(sql`select pg_advisory_xact_lock(${ROUND_LOCK})`);
  const kind = isFailing(row) ? ("provider_down" as const) : ("provider_up" as const);
  const [last] = await db.execute<{ kind: string | null }>(sql`select ${lastTold(clientId, id)} as kind`);
  if ((last?.kind ?? "provider_up") === kind) return;
  const [name, value] = isOneOfSeveral ? ["connection", id] : ["provider", row.kind];
  await tell(db, {
    clientId,
    merchantId,
    providerId: id,
    kind,
    path: `/dashboard/payments?${new URLSearchParams([
      [name, value],
      ["period", "today"],
    ])}`,
    at: new Date(row.at),
    name: isOneOfSeveral ? await nameOf(db, row) : row.kind,
  });
}

interface Named extends Record<string, unknown> {
  id: string;
  name: string;
  merchantId: string;
  merchant: string;
}

/** As lists name it, in no language: where others have its name too, with its merchant and its place there. */
async function nameOf(db: Database, { clientId, id, kind }: Judged): Promise<string> {
  const all = await db.execute<Named>(sql`
    select p.id, p.name, p.merchant_id as "merchantId", coalesce(m.name, m.id::text) as merchant
      from providers p join merchants m on m.id = p.merchant_id
     where p.client_id = ${clientId} and (p.deleted_at is null or p.id = ${id})
     order by p.priority, p.created_at, p.id`);
  const own = all.find((one) => one.id === id);
  if (!own) return kind;
  const { place, isOfMerchants } = distinctionsOf(all).get(id) ?? {};
  const said = [...(isOfMerchants ? [own.merchant] : []), ...(place === undefined ? [] : [String(place)])];
  return said.length === 0 ? own.name : `${own.name} (${said.join(", ")})`;
}
