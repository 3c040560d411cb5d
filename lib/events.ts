import { eq, max, sql } from "drizzle-orm";
import { events } from "@/db/schema/outbox";
import { webhooks } from "@/db/schema/webhooks";
import { insertion, type Write, writeTogether } from "@/db/writes";
import { type Context, now } from "@/lib/context";
import { isEventName, nameOf } from "@/lib/event-names";
import { newId } from "@/lib/ids";

const API_VERSION = "1.1";

/** The dispatcher listens here; it is told of nothing that no webhook waits for. */
export const EVENTS_CHANNEL = "events";

export interface NewEvent {
  /** `transaction`, `card`, `seller.registration_review` … */
  object: string;
  /** `authorized` … */
  event: string;
  entityId: string;
  /** The snapshot right after the change, from the serialiser that REST uses. */
  data: unknown;
  /** When the caller's own row carries them: saves the look-up. The caller then stores what is answered. */
  previous?: { version: number; at: Date | null };
}

/** Of an entity's last event. */
interface Position {
  version: number;
  at: Date | null;
}

/**
 * Writes the event with its change, in the caller's transaction, body bytes frozen (spec/contract.md 20.2).
 * entityVersion grows by one and createdAt strictly, per entity; the caller holds the entity's row lock.
 */
export async function emit(ctx: Context, event: NewEvent): Promise<{ version: number; at: Date }> {
  const { write, version, at } = emission(ctx, event, event.previous ?? (await lastEventOf(ctx, event.entityId)));
  await writeTogether(ctx.db, [write]);
  return { version, at };
}

/** The same as a write of the caller's statement, after the event that was the entity's last. */
export function emission(
  ctx: Context,
  { object, event, entityId, data }: Omit<NewEvent, "previous">,
  last: Position,
  needs?: string,
): { write: Write; id: string; body: Buffer; version: number; at: Date } {
  if (!isEventName(nameOf({ object, event }))) throw new Error(`${nameOf({ object, event })} is not an event`);
  const version = last.version + 1;
  const moment = now(ctx);
  const at = last.at && last.at >= moment ? new Date(last.at.getTime() + 1) : moment;
  const id = newId();
  const body = {
    id,
    object,
    event,
    apiVersion: API_VERSION,
    entityVersion: version,
    createdAt: at.toISOString(),
    data,
  };
  const row = {
    id,
    clientId: ctx.account.id,
    object,
    event,
    entityId,
    entityVersion: version,
    body: Buffer.from(JSON.stringify(body)),
    createdAt: at,
  };
  const options = { evaluating: TELL_DISPATCHER, ...(needs ? { needs } : {}) };
  return { write: insertion(events, row, options), id, body: row.body, version, at };
}

/** `events` is the row just written; the query builder would leave the table's name out, and mean the webhook's own. */
const TELL_DISPATCHER = sql`case when exists (
  select from ${webhooks} where ${webhooks.clientId} = events.client_id and ${webhooks.status})
  then pg_notify(${sql.raw(`'${EVENTS_CHANNEL}'`)}, '') end`;

export async function lastEventOf(ctx: Context, entityId: string): Promise<Position> {
  const [last] = await ctx.db
    .select({ version: max(events.entityVersion), at: max(events.createdAt) })
    .from(events)
    .where(eq(events.entityId, entityId));
  return { version: last?.version ?? 0, at: last?.at ?? null };
}
