import { SearchX } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("pages");
  return { title: t("notFoundTitle") };
}

/** Inside the dashboard's frame, which has the main region already. */
export default async function NotFound() {
  const t = await getTranslations("pages");
  return (
    <>
      <h1 className="sr-only">{t("notFoundTitle")}</h1>
      <EmptyState
        icon={SearchX}
        title={t("notFoundTitle")}
        action={<LinkButton href="/dashboard">{t("home")}</LinkButton>}
      >
        {t("notFoundText")}
      </EmptyState>
    </>
  );
}
