import { getTranslations } from "next-intl/server";
import type { ContrastTexts } from "@/components/settings/contrast-table";
import type { LookTexts } from "@/components/settings/look-form";
import type { Look } from "@/lib/settings/look";

/** A name that the page fills in itself. */
const later = (name: string): string => `{${name}}`;

export async function lookTexts(behind: Look): Promise<LookTexts> {
  const t = await getTranslations("brand");
  return {
    fromAccount: t("fromAccount"),
    fromTrilho: t("fromTrilho"),
    reset: t("reset"),
    resetOf: t("resetOf", { name: later("name") }),
    pick: t("pick", { name: later("name") }),
    colours: t("colours"),
    coloursText: t("coloursText"),
    shop: t("shop"),
    checkout: t("checkout"),
    checkoutText: t("checkoutText"),
    logo: t("logo"),
    logoHint: t("logoHint"),
    logoAlt: t("logoAlt"),
    logoHeic: t("logoHeic"),
    logoTooHeavy: t("logoTooHeavy", { size: later("size") }),
    choose: t("choose"),
    remove: t("remove"),
    siteUrl: t("siteUrl"),
    siteUrlHint: t("siteUrlHint"),
    supportEmail: t("supportEmail"),
    supportEmailHint: t("supportEmailHint"),
    severalCards: t("severalCards"),
    severalCardsHint: t("severalCardsHint"),
    leastPart: t("leastPart"),
    leastPartHint: t("leastPartHint"),
    captcha: t("captcha"),
    captchaHint: t("captchaHint"),
    byDefault: {
      severalCards: (behind.severalCards ?? true) ? t("defaultYes") : t("defaultNo"),
      captcha: (behind.captcha ?? false) ? t("defaultYes") : t("defaultNo"),
    },
    yes: t("yes"),
    no: t("no"),
    save: t("save"),
    unsaved: t("unsaved"),
  };
}

export async function contrastTexts(): Promise<ContrastTexts> {
  const t = await getTranslations("brand");
  return {
    title: t("contrast"),
    text: t("contrastText"),
    colour: t("colour"),
    yours: t("yours"),
    light: t("usedLight"),
    dark: t("usedDark"),
    forced: t("usedForced"),
    system: t("system"),
    notSet: t("notSet"),
    ratio: t("ratio", { ratio: later("ratio"), needed: later("needed") }),
    adjusted: t("adjusted"),
    names: {
      mainColor: t("mainColor"),
      secondaryColor: t("secondaryColor"),
      attentionColor: t("attentionColor"),
      errorColor: t("errorColor"),
      successColor: t("successColor"),
      backgroundColor: t("backgroundColor"),
    },
  };
}
