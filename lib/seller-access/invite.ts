import { and, asc, eq, isNull } from "drizzle-orm";
import { sellerAccesses, sellerLinks, sellerSessions } from "@/db/schema/seller-access";
import { audit } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { notFound } from "@/lib/errors";
import type { Locale } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { writeLink } from "@/lib/seller-access/links";
import { sellerAt } from "@/lib/sellers/service";
import { DAY_SECONDS, realNow } from "@/lib/time";

export type SellerAccess = typeof sellerAccesses.$inferSelect;

const INVITATION_SECONDS = 7 * DAY_SECONDS;

/** Somebody may open the seller's own page: they are written a first link. Once more, another link goes to them. */
export const inviteToSeller = (
  ctx: Context,
  sellerId: string,
  { email, locale }: { email: string; locale: Locale },
): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const { principal } = inside;
    if (principal.kind !== "operator") throw new Error("people are invited by people");
    const { row } = await sellerAt(inside, sellerId, "update");
    const address = email.toLowerCase();
    const [known] = await openAccesses(inside, sellerId, address);
    const access = known ?? {
      id: newId(),
      clientId: inside.account.id,
      sellerId,
      email: address,
      locale,
      invitedBy: principal.operatorId,
      createdAt: realNow(),
    };
    if (!known) await inside.db.insert(sellerAccesses).values(access);
    await writeLink(inside, row, access, "seller-invitation", INVITATION_SECONDS);
    await audit(inside, {
      action: "seller.access.invite",
      object: "seller",
      objectId: sellerId,
      after: { access: access.id },
    });
  });

/** The page is closed to them at once, wherever they have it open. */
export const revokeAccess = (ctx: Context, sellerId: string, accessId: string): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const at = realNow();
    const { db, account } = inside;
    const [revoked] = await db
      .update(sellerAccesses)
      .set({ revokedAt: at })
      .where(
        and(
          eq(sellerAccesses.clientId, account.id),
          eq(sellerAccesses.sellerId, sellerId),
          eq(sellerAccesses.id, accessId),
          isNull(sellerAccesses.revokedAt),
        ),
      )
      .returning({ id: sellerAccesses.id });
    if (!revoked) throw notFound("access");
    const ofAccess = <T extends typeof sellerLinks | typeof sellerSessions>(table: T) =>
      and(eq(table.clientId, account.id), eq(table.accessId, accessId));
    await db
      .update(sellerLinks)
      .set({ usedAt: at })
      .where(and(ofAccess(sellerLinks), isNull(sellerLinks.usedAt)));
    await db
      .update(sellerSessions)
      .set({ endedAt: at })
      .where(and(ofAccess(sellerSessions), isNull(sellerSessions.endedAt)));
    await audit(inside, {
      action: "seller.access.revoke",
      object: "seller",
      objectId: sellerId,
      before: { access: accessId },
    });
  });

/** Of a seller, those that stand; oldest first. */
export const openAccesses = ({ db, account }: Context, sellerId: string, email?: string): Promise<SellerAccess[]> =>
  db
    .select()
    .from(sellerAccesses)
    .where(
      and(
        eq(sellerAccesses.clientId, account.id),
        eq(sellerAccesses.sellerId, sellerId),
        isNull(sellerAccesses.revokedAt),
        email === undefined ? undefined : eq(sellerAccesses.email, email),
      ),
    )
    .orderBy(asc(sellerAccesses.createdAt), asc(sellerAccesses.id));
