import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { events } from "@/db/schema/outbox";
import { type Context, inSnapshot } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

export const EVENTS_PER_PAGE = 50;

export interface InboxEvent {
  id: string;
  /** `transaction.authorized` */
  name: string;
  entityId: string;
  entityVersion: number;
  createdAt: Date;
}

export interface InboxPage {
  items: InboxEvent[];
  /** Where the next page begins; the rows stay for ninety days, so a position is never lost. */
  next: string | undefined;
}

const SHOWN = {
  id: events.id,
  name: sql<string>`${events.object} || '.' || ${events.event}`,
  entityId: events.entityId,
  entityVersion: events.entityVersion,
  createdAt: events.createdAt,
};

/** Everything that happened in the account, delivered or not, newest first. */
export async function readInbox(
  ctx: Context,
  role: OperatorRole,
  {
    after,
    objectId,
    limit = EVENTS_PER_PAGE,
  }: { after?: string | undefined; objectId?: string | undefined; limit?: number },
): Promise<InboxPage> {
  demand(role, "webhooks.see");
  const rows = await inSnapshot(ctx, ({ db, account }) =>
    db
      .select(SHOWN)
      .from(events)
      .where(
        and(
          eq(events.clientId, account.id),
          objectId && isUuid(objectId) ? eq(events.entityId, objectId) : undefined,
          beyond(after),
        ),
      )
      .orderBy(desc(events.createdAt), desc(events.id))
      .limit(limit + 1),
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    next: rows.length > items.length && last ? `${last.createdAt.toISOString()}_${last.id}` : undefined,
  };
}

/** One of them with its body, as it was and would be sent; the body is for those who may read bodies. */
export async function inboxEvent(ctx: Context, role: OperatorRole, id: string): Promise<InboxEvent & { body: string }> {
  demand(role, "webhooks.see");
  demand(role, "requests.see");
  const [row] = isUuid(id)
    ? await inSnapshot(ctx, ({ db, account }) =>
        db
          .select({ ...SHOWN, body: events.body })
          .from(events)
          .where(and(eq(events.clientId, account.id), eq(events.id, id))),
      )
    : [];
  if (!row) throw notFound("event");
  return { ...row, body: row.body.toString("utf8") };
}

function beyond(position: string | undefined): SQL | undefined {
  const [at = "", id = ""] = position?.split("_") ?? [];
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime()) || !isUuid(id)) return undefined;
  return sql`(${events.createdAt}, ${events.id}) < (${moment.toISOString()}::timestamptz, ${id}::uuid)`;
}
