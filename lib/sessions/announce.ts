import { eq } from "drizzle-orm";
import { sessions } from "@/db/schema/sessions";
import { type Context, now } from "@/lib/context";
import { emit } from "@/lib/events";
import { sessionBody } from "@/lib/sessions/schema";
import { serializeSession } from "@/lib/sessions/serializer";
import type { SessionRow } from "@/lib/sessions/state";

export type SessionEvent = "created" | "paid" | "canceled" | "voided" | "disabled";

/** In the transaction of the change, with the session right after it; its row is locked. */
export async function announceSession(ctx: Context, row: SessionRow, event: SessionEvent): Promise<SessionRow> {
  const { version, at } = await emit(ctx, {
    object: "session",
    event,
    entityId: row.id,
    data: sessionBody.parse(serializeSession(row, now(ctx))),
    previous: { version: row.eventVersion, at: row.lastEventAt },
  });
  const seen = { eventVersion: version, lastEventAt: at };
  await ctx.db.update(sessions).set(seen).where(eq(sessions.id, row.id));
  return { ...row, ...seen };
}
