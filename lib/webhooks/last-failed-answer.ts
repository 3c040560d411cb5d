import { and, desc, eq, gt, inArray } from "drizzle-orm";
import { type AttemptError, webhookAttempts, webhookDeliveries } from "@/db/schema/webhooks";
import type { Context } from "@/lib/context";

export interface WebhookAnswer {
  deliveryId: string;
  at: Date;
  statusCode: number | null;
  error: AttemptError | null;
}

/** What the endpoint last said to anything that it has not taken yet. */
export async function lastFailedAnswer(ctx: Context, webhookId: string): Promise<WebhookAnswer | undefined> {
  const [answer] = await ctx.db
    .select({
      deliveryId: webhookDeliveries.id,
      at: webhookAttempts.at,
      statusCode: webhookAttempts.statusCode,
      error: webhookAttempts.error,
    })
    .from(webhookDeliveries)
    .innerJoin(
      webhookAttempts,
      and(eq(webhookAttempts.deliveryId, webhookDeliveries.id), eq(webhookAttempts.number, webhookDeliveries.attempts)),
    )
    .where(
      and(
        eq(webhookDeliveries.clientId, ctx.account.id),
        eq(webhookDeliveries.webhookId, webhookId),
        inArray(webhookDeliveries.status, ["scheduled", "sending", "held"]),
        gt(webhookDeliveries.attempts, 0),
      ),
    )
    .orderBy(desc(webhookAttempts.at), desc(webhookAttempts.id))
    .limit(1);
  return answer;
}
