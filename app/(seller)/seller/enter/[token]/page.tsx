import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { enterAction } from "@/app/(seller)/seller/actions";
import { PreferenceControls } from "@/app/preference-controls";
import { EntryForm } from "@/components/sign-in/entry-form";
import { EntryFrame } from "@/components/sign-in/entry-frame";
import { LinkButton } from "@/components/ui/link-button";
import { openSellerLink, SELLER_PATH } from "@/lib/seller-access/links";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("sellerPage");
  // The address is a secret: it is told to no other page.
  return { title: t("title"), referrer: "strict-origin", robots: { index: false } };
}

export default async function EnterPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const [t, link] = await Promise.all([getTranslations("sellerPage"), openSellerLink(token)]);
  const preferences = <PreferenceControls />;
  if (!link)
    return (
      <EntryFrame preferences={preferences} title={t("closedTitle")} text={t("closedText")}>
        <LinkButton href={SELLER_PATH} size="lg">
          {t("again")}
        </LinkButton>
      </EntryFrame>
    );
  return (
    <EntryFrame
      preferences={preferences}
      title={t("enterTitle", { shop: link.shopName })}
      text={t("enterText", { seller: link.sellerName })}
    >
      <EntryForm hidden={{ token }} onAct={enterAction} button={t("enterButton")} />
    </EntryFrame>
  );
}
