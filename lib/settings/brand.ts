import { eq } from "drizzle-orm";
import { clients } from "@/db/schema/accounts";
import { type BrandColours, NO_COLOURS } from "@/lib/branding/palette";
import { type Context, inTransaction } from "@/lib/context";
import { withoutDirectionMarks } from "@/lib/direction-marks";
import { findMerchant } from "@/lib/merchants/queries";
import { type Logo, looksOf, worn } from "@/lib/settings/look";

export type { Logo };

/** A shop as its buyers see it. */
export interface ShopLook {
  name: string;
  logo: Logo | null;
  siteUrl: string | null;
  /** Where a buyer reaches the shop. */
  supportEmail: string | null;
  colours: BrandColours;
}

/** Of what Trilho writes in its own name. */
export const OWN_BRAND: ShopLook = {
  name: "Trilho",
  logo: null,
  siteUrl: null,
  supportEmail: null,
  colours: NO_COLOURS,
};

/** The merchant's own look, behind each part of it the account's, else Trilho's; always the shop's own name. */
export async function lookOfShop(ctx: Context, merchantId: string | null): Promise<ShopLook> {
  return inTransaction(ctx, async (inside) => {
    const { db, account } = inside;
    const { logo, siteUrl, supportEmail, colours } = worn(await looksOf(inside, merchantId));
    const [owner] = await db.select({ name: clients.name }).from(clients).where(eq(clients.id, account.id));
    const merchant = merchantId === null ? undefined : await findMerchant(inside, merchantId);
    return {
      name: withoutDirectionMarks(merchant?.merchantName ?? merchant?.name ?? owner?.name ?? OWN_BRAND.name),
      logo: logo && { url: logo.url, width: logo.width, height: logo.height },
      siteUrl,
      supportEmail,
      colours,
    };
  });
}
