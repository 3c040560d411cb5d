import { type Context, now } from "@/lib/context";
import { getSession, listSessions } from "@/lib/sessions/queries";
import type { SessionBody, SessionFilters } from "@/lib/sessions/schema";
import { serializeSession } from "@/lib/sessions/serializer";

/** A session as it stands at this instant of the account's clock. */
export const readSession = async (ctx: Context, id: string): Promise<SessionBody> =>
  serializeSession(await getSession(ctx, id), now(ctx));

export async function readSessions(ctx: Context, filters: SessionFilters) {
  const { items, totalItems } = await listSessions(ctx, filters);
  return { items: items.map((row) => serializeSession(row, now(ctx))), totalItems };
}
