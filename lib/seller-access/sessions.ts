import { and, eq, gt, isNull, lt, ne, or } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import { sellerAccesses, sellerLinks, sellerSessions } from "@/db/schema/seller-access";
import { sellers } from "@/db/schema/sellers";
import { loadAccount } from "@/lib/accounts/service";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { openSellerLink } from "@/lib/seller-access/links";
import { digestOfOneTimeToken, newOneTimeToken } from "@/lib/sign-in/one-time";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const IDLE_SECONDS = 30 * 60;
export const SELLER_SESSION_SECONDS = 12 * 60 * 60;
const TOUCH_EVERY_SECONDS = 30;

/** What a browser that was let in may see: one seller, as one address. */
export interface EnteredSeller {
  sellerId: string;
  email: string;
  /** Of the seller's account; who acts is the invited address. */
  ctx: Context;
}

/** Once for each link: answers the secret of the browser's cookie. */
export async function enter(token: string, ip: string | null): Promise<string | undefined> {
  const link = await openSellerLink(token);
  if (!link) return undefined;
  const ctx = sellerContext(systemContext(await loadAccount(link.clientId), newId()), link.accessId, ip);
  return inTransaction(ctx, async (inside) => {
    const at = realNow();
    const [taken] = await inside.db
      .update(sellerLinks)
      .set({ usedAt: at })
      .where(and(eq(sellerLinks.id, link.id), isNull(sellerLinks.usedAt)))
      .returning({ id: sellerLinks.id });
    if (!taken) return undefined;
    const [access] = await inside.db
      .update(sellerAccesses)
      .set({ enteredAt: at })
      .where(and(eq(sellerAccesses.id, link.accessId), isNull(sellerAccesses.revokedAt)))
      .returning();
    if (!access) return undefined;
    const { token: secret, digest } = newOneTimeToken();
    await inside.db.insert(sellerSessions).values({
      id: newId(),
      clientId: link.clientId,
      accessId: link.accessId,
      digest,
      createdAt: at,
      lastSeenAt: at,
      expiresAt: addSeconds(at, SELLER_SESSION_SECONDS),
    });
    await audit(inside, { action: "seller.access.enter", object: "seller", objectId: access.sellerId });
    return secret;
  });
}

const sellerContext = (ctx: Context, accessId: string, ip: string | null): Context => ({
  ...ctx,
  principal: { kind: "seller", accessId },
  ...(ip === null ? {} : { ip }),
});

const alive = (secret: string) =>
  and(
    eq(sellerSessions.digest, digestOfOneTimeToken(secret)),
    isNull(sellerSessions.endedAt),
    gt(sellerSessions.expiresAt, realNow()),
    gt(sellerSessions.lastSeenAt, addSeconds(realNow(), -IDLE_SECONDS)),
  );

/** Only for a session that neither ended nor is idle, of an access that stands; counts as activity. */
export async function findSellerSession(secret: string, ip: string | null): Promise<EnteredSeller | undefined> {
  const db = systemDb();
  const [found] = await db
    .select({ session: sellerSessions, access: sellerAccesses })
    .from(sellerSessions)
    .innerJoin(sellerAccesses, eq(sellerAccesses.id, sellerSessions.accessId))
    .innerJoin(sellers, eq(sellers.id, sellerAccesses.sellerId))
    .innerJoin(clients, eq(clients.id, sellerSessions.clientId))
    .where(
      and(alive(secret), isNull(sellerAccesses.revokedAt), isNull(sellers.deletedAt), ne(clients.status, "closed")),
    );
  if (!found) return undefined;
  const { session, access } = found;
  const at = realNow();
  if (session.lastSeenAt < addSeconds(at, -TOUCH_EVERY_SECONDS))
    await db.update(sellerSessions).set({ lastSeenAt: at }).where(eq(sellerSessions.id, session.id));
  const ctx = sellerContext(systemContext(await loadAccount(access.clientId), newId()), access.id, ip);
  return { sellerId: access.sellerId, email: access.email, ctx };
}

export async function endSellerSession(secret: string): Promise<void> {
  await systemDb().update(sellerSessions).set({ endedAt: realNow() }).where(alive(secret));
}

/** Links and sessions that let nobody in any more, a day later. */
export async function forgetSellerSessions(): Promise<void> {
  const before = addSeconds(realNow(), -DAY_SECONDS);
  await systemDb().delete(sellerLinks).where(lt(sellerLinks.expiresAt, before));
  await systemDb()
    .delete(sellerSessions)
    .where(or(lt(sellerSessions.expiresAt, before), lt(sellerSessions.endedAt, before)));
}
