import { getTranslations } from "next-intl/server";
import { PERIODS, type Period } from "@/app/(dashboard)/dashboard/payments/periods";
import { type GivenParameters, withParameters } from "@/app/(dashboard)/list-url";
import { ChoiceForm } from "@/components/dashboard/choice-form";
import { Segments } from "@/components/ui/segments";

const PERIOD_TEXTS = {
  today: "today",
  "7d": "days7",
  "30d": "days30",
  "90d": "days90",
  month: "month",
  lastMonth: "lastMonth",
} as const satisfies Record<Period, string>;

interface HomeHeadProps {
  name: string;
  path: string;
  given: GivenParameters;
  period: Period;
  merchants: readonly { id: string; name: string | null }[];
  merchantId: string | undefined;
}

export async function HomeHead({ name, path, given, period, merchants, merchantId }: HomeHeadProps) {
  const t = await getTranslations("home");
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div>
        <h1 className="font-semibold text-2xl text-ink">{t("title", { name })}</h1>
        <p className="mt-1 text-ink-3 text-sm">{t("zone")}</p>
      </div>
      <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
        {merchants.length > 1 ? (
          <ChoiceForm
            path={path}
            name="merchant"
            label={t("merchant")}
            chosen={merchantId ?? ""}
            kept={[["period", period]]}
            action={t("apply")}
            options={[
              { value: "", label: t("merchantAll") },
              ...merchants.map((merchant) => ({ value: merchant.id, label: merchant.name ?? merchant.id })),
            ]}
          />
        ) : null}
        <Segments
          label={t("period")}
          segments={PERIODS.map((each) => ({
            text: t(PERIOD_TEXTS[each]),
            href: withParameters(path, given, { period: each === "today" ? undefined : each }),
            isHere: each === period,
          }))}
        />
      </div>
    </header>
  );
}
