import { getFormatter, getTranslations } from "next-intl/server";
import { DataList } from "@/components/dashboard/data-list";
import { Card, CardHeader } from "@/components/ui/card";
import { type FlowTally, TALLIED_DAYS } from "@/lib/flows/tally";

/** What the version came to so far. */
export async function ResultsCard({ tally, names }: { tally: FlowTally; names: Readonly<Record<string, string>> }) {
  const [t, format] = await Promise.all([getTranslations("flows"), getFormatter()]);
  const percent = (rate: number, digits = 1) =>
    format.number(rate, { style: "percent", maximumFractionDigits: digits });
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("liveTitle")} description={t("liveText", { days: TALLIED_DAYS })} />
      {tally.payments === 0 ? <p className="px-5 py-6 text-ink-2 text-sm">{t("liveNone")}</p> : null}
      {tally.payments > 0 ? (
        <DataList
          caption={t("liveTitle")}
          columns={[
            { key: "provider", title: t("provider") },
            { key: "first", title: t("triedFirst"), isNumeric: true },
            { key: "approved", title: t("approvedByIt"), isNumeric: true },
            { key: "cost", title: t("cost"), isNumeric: true },
          ]}
          rows={tally.providers.map(({ id, payments, approved, cost }) => ({
            id,
            cells: [
              names[id] ?? t("otherProvider"),
              format.number(payments),
              percent(approved / payments),
              cost === null ? "–" : percent(cost, 2),
            ],
          }))}
        />
      ) : null}
    </Card>
  );
}
