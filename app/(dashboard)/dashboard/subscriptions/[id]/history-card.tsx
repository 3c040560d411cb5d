import { getFormatter, getTranslations } from "next-intl/server";
import { FACT_TEXTS, MANDATE_TEXTS, REASON_TEXTS, STATUS_TEXTS } from "@/app/(dashboard)/dashboard/subscriptions/words";
import { DataList } from "@/components/dashboard/data-list";
import { Moment } from "@/components/dashboard/moment";
import { Card, CardHeader } from "@/components/ui/card";
import type { SubscriptionOverview } from "@/lib/subscriptions/operator-queries";

type Change = SubscriptionOverview["changes"][number];

/** As a change of nobody names who did it. */
const SYSTEM = "system";

/** Who or what moved it, and why; newest first. */
export async function HistoryCard({ overview }: { overview: SubscriptionOverview }) {
  const [t, format] = await Promise.all([getTranslations("subscriptions"), getFormatter()]);
  const factOf = ({ fact, revision, detail }: Change): string => {
    const mandate = detail?.mandate;
    if (typeof mandate === "string" && Object.hasOwn(MANDATE_TEXTS, mandate)) {
      // Guarantee: looked up only where the key exists.
      return t("factMandate", { status: t(MANDATE_TEXTS[mandate as keyof typeof MANDATE_TEXTS]) });
    }
    if (fact === "changed" && revision === 1) return t("factCreated");
    // Guarantee: as above.
    return Object.hasOwn(FACT_TEXTS, fact) ? t(FACT_TEXTS[fact as keyof typeof FACT_TEXTS]) : fact;
  };
  const reasonOf = ({ reason, actor }: Change): string => {
    if (reason === null) return t("none");
    const isOwn = actor === SYSTEM && Object.hasOwn(REASON_TEXTS, reason);
    // Guarantee: as above.
    return isOwn ? t(REASON_TEXTS[reason as keyof typeof REASON_TEXTS]) : reason;
  };
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
            factOf(one),
            t(STATUS_TEXTS[one.toStatus]),
            reasonOf(one),
            <Moment key="at" at={one.at} text={format.dateTime(one.at, { dateStyle: "medium", timeStyle: "short" })} />,
          ],
        }))}
      />
    </Card>
  );
}
