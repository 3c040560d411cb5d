import { getTranslations } from "@/components/checkout/words";
import type { Frame } from "@/lib/checkout/view";

/** The way to the shop for whoever is told to ask it; nothing where the shop named no site, or on that very site. */
export function VisitShop({ frame: { locale, shop, isEmbedded } }: { frame: Frame }) {
  if (!shop?.siteUrl || isEmbedded) return null;
  const t = getTranslations("checkout", locale);
  return (
    <a className="btn two" href={shop.siteUrl} target="_blank" rel="noopener noreferrer">
      {t("page.visitShop")}
      <span className="vh">({t("page.newTab")})</span>
    </a>
  );
}
