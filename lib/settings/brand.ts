import { and, eq, isNull, or, sql } from "drizzle-orm";
import { clients } from "@/db/schema/accounts";
import { linkSettings } from "@/db/schema/settings";
import { type BrandColours, NO_COLOURS } from "@/lib/branding/palette";
import { type Context, inTransaction } from "@/lib/context";
import { findMerchant } from "@/lib/merchants/queries";
import { logoUrl } from "@/lib/settings/logo-address";

export interface Logo {
  url: string;
  width: number;
  height: number;
}

/** A shop as its buyers see it. */
export interface Brand {
  name: string;
  logo: Logo | null;
  siteUrl: string | null;
  colours: BrandColours;
}

/** Of what Trilho writes in its own name. */
export const OWN_BRAND: Brand = { name: "Trilho", logo: null, siteUrl: null, colours: NO_COLOURS };

/** The merchant's own look, else the account's, else Trilho's; always the shop's own name. */
export async function brandOf(ctx: Context, merchantId: string | null): Promise<Brand> {
  return inTransaction(ctx, async (inside) => {
    const { db, account } = inside;
    const [settings] = await db
      .select()
      .from(linkSettings)
      .where(
        and(
          eq(linkSettings.clientId, account.id),
          merchantId === null
            ? isNull(linkSettings.merchantId)
            : or(eq(linkSettings.merchantId, merchantId), isNull(linkSettings.merchantId)),
        ),
      )
      .orderBy(sql`${linkSettings.merchantId} nulls last`)
      .limit(1);
    const [owner] = await db.select({ name: clients.name }).from(clients).where(eq(clients.id, account.id));
    const merchant = merchantId === null ? undefined : await findMerchant(inside, merchantId);
    return {
      name: merchant?.merchantName ?? merchant?.name ?? owner?.name ?? OWN_BRAND.name,
      logo: settings ? logoOf(settings) : null,
      siteUrl: settings?.companyUrl ?? null,
      colours: settings ? coloursOf(settings) : NO_COLOURS,
    };
  });
}

type SettingsRow = typeof linkSettings.$inferSelect;

export const coloursOf = (row: SettingsRow): BrandColours => ({
  mainColor: row.mainColor,
  secondaryColor: row.secondaryColor,
  attentionColor: row.attentionColor,
  errorColor: row.errorColor,
  successColor: row.successColor,
  backgroundColor: row.backgroundColor,
});

export function logoOf({
  logoFile,
  logoWidth,
  logoHeight,
}: Pick<SettingsRow, "logoFile" | "logoWidth" | "logoHeight">): Logo | null {
  if (logoFile === null || logoWidth === null || logoHeight === null) return null;
  return { url: logoUrl(logoFile), width: logoWidth, height: logoHeight };
}
