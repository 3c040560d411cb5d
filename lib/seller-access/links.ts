import { and, count, desc, eq, gt, isNull, ne } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { clients } from "@/db/schema/accounts";
import { sellerAccesses, sellerLinks } from "@/db/schema/seller-access";
import { sellers } from "@/db/schema/sellers";
import { loadAccount } from "@/lib/accounts/service";
import { type Context, inTransaction, systemContext } from "@/lib/context";
import { env } from "@/lib/env";
import type { Locale } from "@/lib/i18n/locales";
import { newId } from "@/lib/ids";
import { queueMail } from "@/lib/mail/queue";
import type { SellerRow } from "@/lib/sellers/queries";
import { lookOfShop } from "@/lib/settings/brand";
import { digestOfOneTimeToken, newOneTimeToken } from "@/lib/sign-in/one-time";
import { addSeconds, realNow } from "@/lib/time";

/** How long a link lets in that somebody asked for. */
const LINK_SECONDS = 15 * 60;
const HOUR_SECONDS = 60 * 60;
const LINKS_AN_HOUR = 3;
/** Of one address: who sells at more shops asks each for another invitation. */
const MOST_ACCESSES = 5;

export const SELLER_PATH = "/seller";

interface Invited {
  id: string;
  email: string;
  locale: Locale;
}

/** In the caller's transaction. The life of links runs on real time. */
export async function writeLink(
  ctx: Context,
  { merchantId, businessName, ownerName }: Pick<SellerRow, "merchantId" | "businessName" | "ownerName">,
  access: Invited,
  template: "seller-invitation" | "seller-sign-in",
  seconds: number,
): Promise<void> {
  const at = realNow();
  const { token, digest } = newOneTimeToken();
  const expiresAt = addSeconds(at, seconds);
  await ctx.db
    .insert(sellerLinks)
    .values({ id: newId(), clientId: ctx.account.id, accessId: access.id, digest, createdAt: at, expiresAt });
  await queueMail(ctx, {
    template,
    merchantId,
    to: access.email,
    locale: access.locale,
    data: {
      sellerName: businessName ?? ownerName,
      url: `${env().BASE_URL}${SELLER_PATH}/enter/${token}`,
      expiresAt: expiresAt.toISOString(),
    },
  });
}

/** Of accounts and sellers that are there, as the system sees them: nobody is signed in yet. */
const standing = and(isNull(sellerAccesses.revokedAt), isNull(sellers.deletedAt), ne(clients.status, "closed"));

/** Says nothing of who was invited: an unknown or impatient address is simply written nothing. */
export async function requestLinks(email: string): Promise<void> {
  const found = await systemDb()
    .select({ access: sellerAccesses, seller: sellers })
    .from(sellerAccesses)
    .innerJoin(sellers, eq(sellers.id, sellerAccesses.sellerId))
    .innerJoin(clients, eq(clients.id, sellerAccesses.clientId))
    .where(and(eq(sellerAccesses.email, email.trim().toLowerCase()), standing))
    .orderBy(desc(sellerAccesses.createdAt))
    .limit(MOST_ACCESSES);
  for (const { access, seller } of found) {
    const ctx = systemContext(await loadAccount(access.clientId), newId());
    await inTransaction(ctx, async (inside) => {
      // One at a time: two requests of a moment are counted together.
      await inside.db.select({ id: sellerAccesses.id }).from(sellerAccesses).where(ofAccess(access.id)).for("update");
      const [asked] = await inside.db
        .select({ times: count() })
        .from(sellerLinks)
        .where(
          and(eq(sellerLinks.accessId, access.id), gt(sellerLinks.createdAt, addSeconds(realNow(), -HOUR_SECONDS))),
        );
      if ((asked?.times ?? 0) >= LINKS_AN_HOUR) return;
      await writeLink(inside, seller, access, "seller-sign-in", LINK_SECONDS);
    });
  }
}

const ofAccess = (id: string) => eq(sellerAccesses.id, id);

export interface OpenLink {
  id: string;
  accessId: string;
  clientId: string;
  sellerName: string;
  shopName: string;
}

/** What the page of a link shows; undefined for one that never was, is over, or was used. */
export async function openSellerLink(token: string): Promise<OpenLink | undefined> {
  const [found] = await systemDb()
    .select({ link: sellerLinks, seller: sellers })
    .from(sellerLinks)
    .innerJoin(sellerAccesses, eq(sellerAccesses.id, sellerLinks.accessId))
    .innerJoin(sellers, eq(sellers.id, sellerAccesses.sellerId))
    .innerJoin(clients, eq(clients.id, sellerLinks.clientId))
    .where(
      and(
        eq(sellerLinks.digest, digestOfOneTimeToken(token)),
        isNull(sellerLinks.usedAt),
        gt(sellerLinks.expiresAt, realNow()),
        standing,
      ),
    );
  if (!found) return undefined;
  const { link, seller } = found;
  const ctx = systemContext(await loadAccount(link.clientId), newId());
  return {
    id: link.id,
    accessId: link.accessId,
    clientId: link.clientId,
    sellerName: seller.businessName ?? seller.ownerName,
    shopName: (await lookOfShop(ctx, seller.merchantId)).name,
  };
}
