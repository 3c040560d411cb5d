import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { findSignedIn } from "@/app/(auth)/signed-in";
import { type Place, placesFor } from "@/app/(dashboard)/dashboard/settings/places";
import { PlaceTabs } from "@/components/dashboard/place-tabs";

/** Tabs of what the person may open; each page asks for its own right by itself. */
export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const account = (await findSignedIn())?.account;
  if (!account) return children;
  const t = await getTranslations("settings");
  const texts: Record<Place, string> = {
    brand: t("brand"),
    protection: t("protection"),
    alerts: t("alerts"),
    team: t("team"),
    security: t("security"),
    account: t("account"),
    profile: t("profile"),
  };
  const places = placesFor(account.role);
  return (
    <>
      {places.length > 0 ? (
        <PlaceTabs label={t("title")} tabs={places.map(({ name, href }) => ({ href, text: texts[name] }))} />
      ) : null}
      {children}
    </>
  );
}
