import { getFormatter, getTranslations } from "next-intl/server";
import { FACT_TEXTS, STATUS_TEXTS } from "@/app/(dashboard)/dashboard/subscriptions/words";
import { DataList } from "@/components/dashboard/data-list";
import { Moment } from "@/components/dashboard/moment";
import { Card, CardHeader } from "@/components/ui/card";
import type { SubscriptionOverview } from "@/lib/subscriptions/operator-queries";

/** Who or what moved it, and why; newest first. */
export async function HistoryCard({ overview }: { overview: SubscriptionOverview }) {
  const [t, format] = await Promise.all([getTranslations("subscriptions"), getFormatter()]);
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("history")} />
      <DataList
        caption={t("history")}
        columns={[
          { key: "what", title: t("what") },
          { key: "status", title: t("status") },
          { key: "reason", title: t("reason"), isMinor: true },
          { key: "at", title: t("at"), isNumeric: true },
        ]}
        rows={overview.changes.map((one) => ({
          id: one.id,
          cells: [
            one.fact === "changed" && one.revision === 1
              ? t("factCreated")
              : Object.hasOwn(FACT_TEXTS, one.fact)
                ? // Guarantee: looked up only where the key exists.
                  t(FACT_TEXTS[one.fact as keyof typeof FACT_TEXTS])
                : one.fact,
            t(STATUS_TEXTS[one.toStatus]),
            one.reason ?? t("none"),
            <Moment key="at" at={one.at} text={format.dateTime(one.at, { dateStyle: "medium", timeStyle: "short" })} />,
          ],
        }))}
      />
    </Card>
  );
}
