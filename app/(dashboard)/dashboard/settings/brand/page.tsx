import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { PageHead } from "@/components/dashboard/page-head";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("settings");
  return { title: t("brand") };
}

export default async function BrandPage() {
  await requireRight("/dashboard/settings/brand", "brand.edit");
  const t = await getTranslations("settings");
  return <PageHead title={t("brand")} />;
}
