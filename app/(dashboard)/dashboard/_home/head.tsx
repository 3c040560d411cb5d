import { getTranslations } from "next-intl/server";
import { MOST_DAYS, type RangeProblem, type Stretch, stretchAddress } from "@/app/(dashboard)/dashboard/_home/span";
import { PERIODS, type Period } from "@/app/(dashboard)/dashboard/payments/periods";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { ChoiceForm } from "@/components/dashboard/choice-form";
import { DateRange } from "@/components/dashboard/date-range";
import { Segments } from "@/components/ui/segments";

const PERIOD_TEXTS = {
  today: "today",
  "7d": "days7",
  "30d": "days30",
  "90d": "days90",
  month: "month",
  lastMonth: "lastMonth",
} as const satisfies Record<Period, string>;

const PROBLEM_TEXTS = {
  beforeStart: "rangeBeforeStart",
  future: "rangeFuture",
  tooLong: "rangeTooLong",
  ahead: "rangeAhead",
} as const satisfies Record<RangeProblem, string>;

interface HomeHeadProps {
  name: string;
  path: string;
  given: GivenParameters;
  stretch: Stretch;
  problem: RangeProblem | undefined;
  merchants: readonly { id: string; name: string | null }[];
  merchantId: string | undefined;
}

export async function HomeHead({ name, path, given, stretch, problem, merchants, merchantId }: HomeHeadProps) {
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
            kept={stretchAddress(stretch)}
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
            href: withParameters(path, given, {
              period: each === "today" ? undefined : each,
              from: undefined,
              to: undefined,
            }),
            isHere: each === stretch.period,
          }))}
        />
        <DateRange
          path={path}
          label={t("range")}
          from={oneOf(given, "from") ?? ""}
          to={oneOf(given, "to") ?? ""}
          kept={merchantId ? [["merchant", merchantId]] : []}
          problem={problem && t(PROBLEM_TEXTS[problem], { days: MOST_DAYS })}
          texts={{ from: t("rangeFrom"), to: t("rangeTo"), action: t("rangeApply") }}
        />
      </div>
    </header>
  );
}
