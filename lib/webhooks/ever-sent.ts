import { sql } from "drizzle-orm";
import { webhookDeliveries, webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/context";
import { KEPT_DAYS } from "@/lib/retention";
import { addSeconds, DAY_SECONDS } from "@/lib/time";
import type { WebhookRow } from "@/lib/webhooks/queries";

/** Those of the webhooks that were told of anything, as far as deliveries are kept. */
export async function everSent(ctx: Context, webhookIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (webhookIds.length === 0) return new Set();
  const rows = await ctx.db.execute<{ id: string }>(sql`
    select w.id from ${webhooks} w
     cross join lateral (
       select from ${webhookDeliveries} d where d.webhook_id = w.id and d.attempts > 0
        order by d.created_at limit 1) sent
     where w.client_id = ${ctx.account.id} and w.id in ${[...webhookIds]}`);
  return new Set(rows.map(({ id }) => id));
}

/** Of an older one, what was sent at first may be deleted by now. */
export const isYoung = ({ createdAt }: Pick<WebhookRow, "createdAt">, at: Date): boolean =>
  createdAt > addSeconds(at, -KEPT_DAYS.webhookDeliveries * DAY_SECONDS);
