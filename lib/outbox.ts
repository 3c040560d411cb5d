import type postgres from "postgres";
import type { Database } from "@/db/client";
import { outbox } from "@/db/schema/outbox";
import { insertion, type Write, writeTogether } from "@/db/writes";
import { newId } from "@/lib/ids";
import { realNow } from "@/lib/time";

/** Records what the engine must hear, in the caller's transaction: it exists if, and only if, the change does. */
export async function enqueue(
  db: Database,
  clientId: string,
  name: string,
  data: Record<string, unknown>,
): Promise<void> {
  await writeTogether(db, [enqueueing(clientId, name, data)]);
}

/** The same as a write of the caller's statement. */
export const enqueueing = (clientId: string, name: string, data: Record<string, unknown>): Write =>
  insertion(outbox, { id: newId(), clientId, name, data, createdAt: realNow() });

export interface OutboxEvent {
  /** Travels as the engine's event id, so that a relay that runs twice sends what the receiver drops. */
  id: string;
  name: string;
  data: Record<string, unknown>;
}

const BATCH = 200;

/** Hands waiting rows to the engine, oldest first; answers how many. Rows are marked only after they were taken. */
export async function relayOutbox(sql: postgres.Sql, send: (events: OutboxEvent[]) => Promise<void>): Promise<number> {
  return sql.begin(async (tx) => {
    const rows = await tx<OutboxEvent[]>`
      select id, name, data from outbox where relayed_at is null order by id limit ${BATCH} for update skip locked`;
    if (rows.length === 0) return 0;
    await send(rows.map(({ id, name, data }) => ({ id, name, data })));
    await tx`update outbox set relayed_at = now() where id = any(${rows.map((row) => row.id)}::uuid[])`;
    return rows.length;
  });
}
