import { getTranslations } from "next-intl/server";
import { LinkButton } from "@/components/ui/link-button";
import { Notice } from "@/components/ui/notice";

export default async function NotFound() {
  const t = await getTranslations("pages");
  return (
    <Notice title={t("notFoundTitle")} action={<LinkButton href="/">{t("home")}</LinkButton>}>
      {t("notFoundText")}
    </Notice>
  );
}
