import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { leaveAction } from "@/app/(seller)/seller/actions";
import { PreferenceControls } from "@/app/preference-controls";
import { Button } from "@/components/ui/button";

/** Of a seller's own pages: whose shop it is, and the way out. */
export async function SellerFrame({ shopName, children }: { shopName: string; children: ReactNode }) {
  const t = await getTranslations("sellerPage");
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-3xl flex-col px-4 sm:px-8">
      <header className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 py-2">
        <p className="min-w-0 truncate font-semibold text-ink">{shopName}</p>
        <div className="flex items-center gap-1">
          <PreferenceControls />
          <form action={leaveAction}>
            <Button type="submit" tone="quiet" size="sm">
              {t("signOut")}
            </Button>
          </form>
        </div>
      </header>
      <main className="flex-1 py-4 sm:py-6">{children}</main>
    </div>
  );
}
