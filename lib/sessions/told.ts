import { and, asc, eq, gt } from "drizzle-orm";
import { events } from "@/db/schema/outbox";
import type { Context } from "@/lib/context";
import { type SessionPlace, settlePlace } from "@/lib/sessions/places";
import { getSession } from "@/lib/sessions/queries";

/** What a session tells when the place of a payment changes so, by the very change: for a plan, which takes it back. */
export async function toldOfSession(
  ctx: Context,
  sessionId: string | null,
  before: SessionPlace,
  after: SessionPlace,
): Promise<string[]> {
  if (sessionId === null) return [];
  const { eventVersion } = await getSession(ctx, sessionId);
  await settlePlace(ctx, sessionId, before, after, "paymentFailed");
  const told = await ctx.db
    .select({ event: events.event })
    .from(events)
    .where(
      and(eq(events.clientId, ctx.account.id), eq(events.entityId, sessionId), gt(events.entityVersion, eventVersion)),
    )
    .orderBy(asc(events.entityVersion));
  return told.map(({ event }) => `session.${event}`);
}
