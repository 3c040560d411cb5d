import { CirclePause } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { CsvButton, CutNote } from "@/app/(dashboard)/csv-button";
import { holdWords } from "@/app/(dashboard)/dashboard/payouts/holds/words";
import { PayoutsTabs } from "@/app/(dashboard)/dashboard/payouts/tabs";
import { PAYOUTS, payoutWords } from "@/app/(dashboard)/dashboard/payouts/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { StatusTabs } from "@/components/charges/status-tabs";
import { DataList } from "@/components/dashboard/data-list";
import { PageHead } from "@/components/dashboard/page-head";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { listHolds } from "@/lib/finance/holds";
import { may } from "@/lib/operators/permissions";

const PAGE = `${PAYOUTS}/holds`;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("payouts");
  return { title: t("holds") };
}

export default async function HoldsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PAGE, given, {}), "payouts.see");
  const isLifted = oneOf(given, "lifted") === "yes";
  const [{ t, money, moment }, words, { items: holds, next }] = await Promise.all([
    payoutWords(),
    holdWords(),
    listHolds(ctx, role, isLifted),
  ]);
  return (
    <>
      <PageHead
        title={t("holds")}
        aside={t("zone")}
        description={t("holdsText")}
        action={holds.length > 0 ? <CsvButton path={PAGE} given={given} /> : null}
      />
      <PayoutsTabs here="holds" />
      <Card className="overflow-hidden">
        <StatusTabs
          label={t("holds")}
          tabs={[
            { href: PAGE, text: t("holdsNow"), isHere: !isLifted },
            { href: `${PAGE}?lifted=yes`, text: t("holdsLifted"), isHere: isLifted },
          ]}
        />
        {holds.length === 0 ? (
          <EmptyState icon={CirclePause} title={isLifted ? t("holdsLiftedNone") : t("holdsNone")}>
            {isLifted ? null : t("holdsNoneText")}
          </EmptyState>
        ) : (
          <DataList
            caption={t("holds")}
            columns={[
              { key: "seller", title: t("seller") },
              { key: "cause", title: t("cause") },
              { key: "why", title: t("why") },
              { key: "since", title: isLifted ? t("liftedAt") : t("since"), isNumeric: true },
              { key: "available", title: t("available"), isNumeric: true },
            ]}
            rows={holds.map((hold) => ({
              id: hold.id,
              href: may(role, "sellers.see") ? `/dashboard/sellers/${hold.seller.id}` : undefined,
              cells: [
                hold.seller.name,
                words.cause(hold.cause),
                words.why(hold),
                hold.until
                  ? t("heldUntil", { at: moment(hold.until) })
                  : hold.liftedAt
                    ? moment(hold.liftedAt)
                    : hold.since
                      ? moment(hold.since)
                      : t("none"),
                money(hold.available),
              ],
            }))}
          />
        )}
        {next ? <CutNote /> : null}
      </Card>
    </>
  );
}
