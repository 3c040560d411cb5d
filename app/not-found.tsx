import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { LinkButton } from "@/components/ui/link-button";
import { Notice } from "@/components/ui/notice";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("pages");
  return { title: t("notFoundTitle") };
}

export default async function NotFound() {
  const t = await getTranslations("pages");
  return (
    <Notice title={t("notFoundTitle")} action={<LinkButton href="/">{t("home")}</LinkButton>}>
      {t("notFoundText")}
    </Notice>
  );
}
