import { MapPinOff } from "lucide-react";
import { headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { switchAccountAction } from "@/app/(dashboard)/dashboard/actions";
import { addressOf } from "@/app/request-origin";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";

interface BarredProps {
  barred: readonly { id: string; name: string }[];
  /** That are open to them from here. */
  others: readonly { id: string; name: string }[];
}

/** The account is opened from some addresses only, and this is none of them. */
export async function Barred({ barred, others }: BarredProps) {
  const t = await getTranslations("dashboard");
  const address = addressOf(await headers()) ?? t("barredUnknown");
  return (
    <div className="mx-auto max-w-4xl">
      <h1 className="font-semibold text-2xl text-ink">{t("barredTitle")}</h1>
      <Card className="mt-8">
        <EmptyState icon={MapPinOff} title={barred.map(({ name }) => name).join(" · ")}>
          {t("barredText", { address })}
        </EmptyState>
        {others.length > 0 ? (
          <div className="flex flex-wrap justify-center gap-2 px-5 pb-8">
            {others.map(({ id, name }) => (
              <form key={id} action={switchAccountAction.bind(null, id)}>
                <Button type="submit">{t("barredOther", { name })}</Button>
              </form>
            ))}
          </div>
        ) : null}
      </Card>
    </div>
  );
}
