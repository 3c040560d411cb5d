import { systemSql } from "@/db/client";
import { deleteInBatches, inBatches } from "@/db/delete-in-batches";
import { KEPT_DAYS } from "@/lib/retention";
import { LISTENER_SCHEME } from "@/lib/webhooks/endpoint-rules";
import { HELD_SECONDS } from "@/lib/webhooks/health";

/**
 * A webhook that changed while its events were fanned out: what is open follows its present state, so that nothing is
 * held by a webhook that works, and nothing waits for one that does not.
 */
export async function reconcileOpenDeliveries(): Promise<number> {
  const sql = systemSql();
  const released = await sql`
    update webhook_deliveries d set status = 'scheduled', ready_at = now(), next_attempt_at = clock.at
      from webhooks w join clients c on c.id = w.client_id
     cross join lateral (
       select coalesce(c.clock_frozen_at, now() + make_interval(secs => c.clock_offset_seconds)) as at) clock
     where w.id = d.webhook_id and d.status = 'held' and d.ready_at is null and w.status
    returning 1`;
  const held = await sql`
    update webhook_deliveries d set status = 'held', ready_at = null, next_attempt_at = null
      from webhooks w
     where w.id = d.webhook_id and d.status = 'scheduled' and w.health = 'paused' and w.deleted_at is null
    returning 1`;
  const dropped = await sql`
    update webhook_deliveries d
       set status = 'dropped', reason = 'webhook stopped', ready_at = null, next_attempt_at = null
      from webhooks w
     where w.id = d.webhook_id and d.status in ('scheduled', 'held', 'sending')
       and (d.status <> 'sending' or d.ready_at < now())
       and not w.status and (w.health <> 'paused' or w.deleted_at is not null)
    returning 1`;
  return released.length + held.length + dropped.length;
}

/** Thirty days are kept for an endpoint or a reader that is away; then only a replay brings them. */
export async function giveUpHeld(): Promise<number> {
  const rows = await systemSql()`
    update webhook_deliveries d
       set status = 'exhausted', reason = 'held for 30 days', ready_at = null, next_attempt_at = null, exhausted_at = clock.at
      from clients c, webhooks w
     cross join lateral (
       select coalesce(c.clock_frozen_at, now() + make_interval(secs => c.clock_offset_seconds)) as at) clock
     where c.id = d.client_id and w.id = d.webhook_id
       and ((d.status = 'held' and d.ready_at is null) or (d.status = 'scheduled' and w.address like ${`${LISTENER_SCHEME}%`}))
       and d.created_at < clock.at - make_interval(secs => ${HELD_SECONDS})
    returning 1`;
  return rows.length;
}

/** Deliveries are kept as long as their events, and their attempts less long. */
export async function deleteExpiredDeliveries(): Promise<void> {
  const sql = systemSql();
  await deleteInBatches(
    sql,
    "webhook_attempts",
    sql`recorded_at < now() - make_interval(days => ${KEPT_DAYS.webhookAttempts})`,
  );
  await inBatches(async (rows) => {
    const [deleted] = await sql<{ deliveries: number }[]>`
      with gone as (
        delete from webhook_deliveries where ctid = any(array(
          select ctid from webhook_deliveries
           where created_at < now() - make_interval(days => ${KEPT_DAYS.webhookDeliveries})
             and status in ('delivered', 'exhausted', 'dropped')
           limit ${rows} for update skip locked))
        returning id),
      attempts as (delete from webhook_attempts a using gone where a.delivery_id = gone.id)
      select count(*)::int as deliveries from gone`;
    return deleted?.deliveries ?? 0;
  });
}
