import { and, eq, isNull, or } from "drizzle-orm";
import { linkSettings } from "@/db/schema/settings";
import { type BrandColours, NO_COLOURS } from "@/lib/branding/palette";
import { type Context, inTransaction } from "@/lib/context";
import { logoUrl } from "@/lib/settings/logo-address";

export interface Logo {
  url: string;
  width: number;
  height: number;
}

/** What a shop may set of its checkout; null is left to whoever stands behind it. */
export interface Look {
  colours: BrandColours;
  logo: (Logo & { file: string }) | null;
  siteUrl: string | null;
  supportEmail: string | null;
  severalCards: boolean | null;
  /** Cents that no instalment may be less than. */
  leastPart: number | null;
  captcha: boolean | null;
}

export const NO_LOOK: Look = {
  colours: NO_COLOURS,
  logo: null,
  siteUrl: null,
  supportEmail: null,
  severalCards: null,
  leastPart: null,
  captcha: null,
};

/** What the scope itself set, and what stands behind it: the account's default behind a merchant, nothing behind that. */
export async function looksOf(ctx: Context, merchantId: string | null): Promise<{ own: Look; behind: Look }> {
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db
      .select()
      .from(linkSettings)
      .where(
        and(
          eq(linkSettings.clientId, account.id),
          merchantId === null
            ? isNull(linkSettings.merchantId)
            : or(eq(linkSettings.merchantId, merchantId), isNull(linkSettings.merchantId)),
        ),
      ),
  );
  const of = (scope: string | null): Look => {
    const row = rows.find((each) => each.merchantId === scope);
    return row ? lookOf(row) : NO_LOOK;
  };
  return { own: of(merchantId), behind: merchantId === null ? NO_LOOK : of(null) };
}

/** Field by field: what the scope left open is taken from behind it. */
export function worn({ own, behind }: { own: Look; behind: Look }): Look {
  const colours = { ...behind.colours };
  // Object.keys of a look's colours are exactly their names.
  for (const name of Object.keys(colours) as (keyof BrandColours)[]) colours[name] = own.colours[name] ?? colours[name];
  return {
    colours,
    logo: own.logo ?? behind.logo,
    siteUrl: own.siteUrl ?? behind.siteUrl,
    supportEmail: own.supportEmail ?? behind.supportEmail,
    severalCards: own.severalCards ?? behind.severalCards,
    leastPart: own.leastPart ?? behind.leastPart,
    captcha: own.captcha ?? behind.captcha,
  };
}

type SettingsRow = typeof linkSettings.$inferSelect;

const lookOf = (row: SettingsRow): Look => ({
  colours: {
    mainColor: row.mainColor,
    secondaryColor: row.secondaryColor,
    attentionColor: row.attentionColor,
    errorColor: row.errorColor,
    successColor: row.successColor,
    backgroundColor: row.backgroundColor,
  },
  logo: logoOf(row),
  siteUrl: row.companyUrl,
  supportEmail: row.supportEmail,
  severalCards: row.severalCards,
  leastPart: row.leastPart,
  captcha: row.captcha,
});

function logoOf({ logoFile, logoWidth, logoHeight }: SettingsRow): Look["logo"] {
  if (logoFile === null || logoWidth === null || logoHeight === null) return null;
  return { file: logoFile, url: logoUrl(logoFile), width: logoWidth, height: logoHeight };
}

/** What the hosted page of a shop offers besides the link's own terms. */
export interface CheckoutRules {
  severalCards: boolean;
  leastPart: number;
  captcha: boolean;
}

export const checkoutRulesOf = ({ severalCards, leastPart, captcha }: Look): CheckoutRules => ({
  severalCards: severalCards ?? true,
  leastPart: leastPart ?? 0,
  captcha: captcha ?? false,
});
