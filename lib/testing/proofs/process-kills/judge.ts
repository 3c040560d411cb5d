import { systemSql } from "@/db/client";
import { auditInvariants } from "@/lib/invariants/audit";
import { AGREEING_ANSWERS_SECONDS } from "@/lib/payments/query-schedule";
import { wrongsOf, wrongsOfCharges } from "@/lib/testing/kills/judge";
import { OPEN, read, type Shop, send } from "@/lib/testing/proofs/process-kills/shop";
import { pause } from "@/lib/wait";

const AGAIN_MS = 250;
const SETTLE_MS = 240_000;

/** Nothing is left open, what was answered is so, and asking again gives the same bytes. */
export async function settled(shop: Shop): Promise<string[]> {
  const wrongs: string[] = [];
  const deadline = performance.now() + SETTLE_MS;
  for (const { path, answer, body } of shop.written) {
    if (path === "/v1/tokens" || /\/(?:capture|void|pay)$/.test(path) || !("amount" in body)) continue;
    const at = `${path}/${answer.body.id}`;
    let now = await read(shop, at);
    while (OPEN.includes(now.body.status) && performance.now() < deadline) {
      await pause(AGAIN_MS);
      now = await read(shop, at);
    }
    if (OPEN.includes(now.body.status)) wrongs.push(`${at} is ${now.body.status}`);
    if (path === "/v1/purchases" && !["paid", "failed"].includes(now.body.status))
      wrongs.push(`${at} is neither paid nor undone: ${now.text}`);
    if (now.body.originalAmount !== undefined && now.body.originalAmount !== body.amount)
      wrongs.push(`${at} has another amount`);
  }
  for (const { path, key, body, answer } of shop.written) {
    const again = await send(shop, path, body, key);
    if (again?.status !== answer.status || again.text !== answer.text) {
      wrongs.push(`${path} again: ${again?.status} ${again?.text} instead of ${answer.status} ${answer.text}`);
    }
  }
  return wrongs;
}

const idsOf = ({ written }: Shop, path: string, paidBy = ""): string[] =>
  written
    .filter((one) => one.path === path && JSON.stringify(one.body).includes(paidBy))
    .map(({ answer }) => answer.body.id);

/** A capture or a refund whose answer was lost is asked about by schedule, and not waited for by whoever asked for it. */
async function ended(ids: readonly string[]): Promise<void> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const open = await systemSql()`
      select id from charges where id = any(${[...ids]}::uuid[]) and operation is not null
      union all
      select purchase_id from purchase_operations
       where purchase_id = any(${[...ids]}::uuid[]) and status in ('pending', 'processing')`;
    if (open.length === 0 || performance.now() > deadline) return;
    await pause(AGAIN_MS);
  }
}

/**
 * What our books and the simulator's own say against what was bought, once nothing is left to do; the database's address
 * is set.
 */
export async function wrongsIn(shop: Shop): Promise<string[]> {
  await ended([...idsOf(shop, "/v1/purchases"), ...idsOf(shop, "/v1/charges", "tokenId")]);
  await auditInvariants();
  const broken = await systemSql()<{ invariant: string; id: string }[]>`
    select invariant, row_id as id from invariant_violations where closed_at is null`;
  const purchases = idsOf(shop, "/v1/purchases");
  const charges = idsOf(shop, "/v1/charges", "tokenId");
  return [
    ...broken.map(({ invariant, id }) => `${invariant}: ${id}`),
    ...(await wrongsOf(purchases)),
    ...(await wrongsOfCharges(charges)),
    ...(await unfoundedFailures([...purchases, ...charges])),
  ];
}

/** How many purchases and charges of approving cards failed, all of them founded. */
export async function failedOf(shop: Shop): Promise<number> {
  const [row] = await systemSql()<{ failed: number }[]>`
    select (select count(*) from purchases
             where id = any(${idsOf(shop, "/v1/purchases")}::uuid[]) and status = 'failed')::int
         + (select count(*) from charges
             where id = any(${idsOf(shop, "/v1/charges", "tokenId")}::uuid[]) and status = 'failed')::int as failed`;
  return row?.failed ?? 0;
}

/**
 * The simulator dies with the process that it runs in, so it may never have had a card. Every card here is one that it
 * approves: a purchase or a charge may have failed for that reason alone, by the simulator's own books. They hold no transaction of the
 * card, no authorization that was answered, and two answers, the agreed time apart, that there is none.
 */
export async function unfoundedFailures(ids: readonly string[]): Promise<string[]> {
  const rows = await systemSql()<{ id: string; why: string }[]>`
    with failed as (
      select p.id, s.slot_index, s.charge_id
        from purchases p left join purchase_payments s on s.purchase_id = p.id and s.status = 'failed'
       where p.id = any(${[...ids]}::uuid[]) and p.status = 'failed'
      union all
      select id, 0, id from charges where id = any(${[...ids]}::uuid[]) and status = 'failed'
    ), card as (
      select failed.*, a.state, a.reference, a.client_id
        from failed left join lateral (
          select r.* from transaction_requests r
           where r.charge_id = failed.charge_id and r.kind = 'authorize' order by r.sequence desc limit 1) a on true
    ), known as (
      select card.*,
             exists (select from sandbox_transactions t where t.charge_id = card.charge_id) as was_there,
             exists (select from sandbox_calls c where c.client_id = card.client_id and c.reference = card.reference
                        and c.operation = 'authorize' and c.status = 200) as was_answered,
             (select count(*) from sandbox_calls c where c.client_id = card.client_id
                 and c.reference = card.reference and c.operation = 'query' and c.status = 404) as denials,
             (select extract(epoch from max(c.at) - min(c.at)) from sandbox_calls c where c.client_id = card.client_id
                 and c.reference = card.reference and c.operation = 'query' and c.status = 404) as apart
        from card
    )
    select id, why from known cross join lateral (values
      (charge_id is null, 'failed without a card that failed'),
      (state is distinct from 'absent', 'card ' || slot_index || ' failed by an attempt that is ' || coalesce(state, 'not there')),
      (was_there, 'card ' || slot_index || ' failed, and the simulator had it'),
      (was_answered, 'card ' || slot_index || ' failed, and the simulator had answered'),
      (denials < 2 or apart < ${AGREEING_ANSWERS_SECONDS},
       'card ' || slot_index || ' failed after ' || denials || ' denials ' || coalesce(round(apart)::text, '?') || ' s apart')
    ) checks (is_wrong, why) where is_wrong`;
  return rows.map(({ id, why }) => `${id}: ${why}`);
}
