import { FastForward } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { simulateAction } from "@/app/(dashboard)/dashboard/payouts/prepayments/actions";
import { RangeForm } from "@/app/(dashboard)/dashboard/payouts/prepayments/new/range-form";
import { PREPAYMENTS, prepaymentWords } from "@/app/(dashboard)/dashboard/payouts/prepayments/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { BackLink } from "@/components/dashboard/back-link";
import { DataList } from "@/components/dashboard/data-list";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskForm } from "@/components/tasks/task-form";
import { Card, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { dayIn } from "@/lib/finance/days";
import { type PrepaymentChoice, prepaymentChoice } from "@/lib/finance/prepayments";
import { sumOf } from "@/lib/money";
import { sellersToShare } from "@/lib/sellers/operator-queries";

const PAGE = `${PREPAYMENTS}/new`;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("prepayments");
  return { title: t("new") };
}

export default async function NewPrepaymentPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PAGE, given, {}), "prepayment.simulate");
  const { t, day, moment, rate } = await prepaymentWords();
  const [from, until] = ["from", "until"].map((name) => dayIn(oneOf(given, name)));
  const sellerId = oneOf(given, "seller");
  const [choice, sellers] = await Promise.all([
    orNotFound(prepaymentChoice(ctx, role, { sellerId, from, until })),
    sellersToShare(ctx, role),
  ]);
  const { window } = choice;
  return (
    <>
      <BackLink href={PREPAYMENTS} text={t("title")} />
      <PageHead
        title={t("new")}
        aside={t("bankZone")}
        description={t("window", { until: moment(window.expiresAt), day: day(window.paymentDate) })}
      />
      {choice.isOn ? (
        <div className="grid gap-5">
          <Card>
            <CardHeader
              title={t("choose")}
              description={t("rates", {
                total: rate(choice.monthlyRateBps + choice.markupBps),
                monthly: rate(choice.monthlyRateBps),
                markup: rate(choice.markupBps),
              })}
            />
            <RangeForm choice={choice} sellers={sellers} from={from} until={until} path={PAGE} given={given} />
          </Card>
          {from && until && until < from ? null : <PriceCard choice={choice} from={from} until={until} />}
        </div>
      ) : (
        <Card>
          <EmptyState icon={FastForward} title={t("notEnabledTitle")}>
            {t("notEnabledText")}
          </EmptyState>
        </Card>
      )}
    </>
  );
}

interface PriceCardProps {
  choice: PrepaymentChoice;
  from: string | undefined;
  until: string | undefined;
}

async function PriceCard({ choice, from, until }: PriceCardProps) {
  const { t, money, day, cost } = await prepaymentWords();
  const { chosen } = choice;
  const [gross, net, count] = (["gross", "net", "count"] as const).map((part) =>
    sumOf(chosen.map((each) => each[part])),
  ) as [number, number, number];
  if (choice.isTooMuch) return <p className="text-danger text-sm">{t("problemTooMuch")}</p>;
  if (chosen.length === 0) {
    return (
      <Card>
        <EmptyState icon={FastForward} title={choice.first ? t("rangeEmpty") : t("freeNone")}>
          {choice.first ? null : t("freeNoneText")}
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("price", { net: money(net), gross: money(gross) })}
        description={t("priceText", { cost: money(gross - net), rate: cost(gross, net), count })}
      />
      <DataList
        caption={t("byDay")}
        columns={[
          { key: "day", title: t("settlesOn") },
          { key: "count", title: t("count"), isNumeric: true },
          { key: "early", title: t("early"), isNumeric: true },
          { key: "gross", title: t("gross"), isNumeric: true },
          { key: "cost", title: t("cost"), isNumeric: true },
          { key: "net", title: t("net"), isNumeric: true },
        ]}
        rows={chosen.map((each) => ({
          id: each.day,
          cells: [
            day(each.day),
            String(each.count),
            t("days", { days: each.daysEarly }),
            money(each.gross),
            t("costText", { amount: money(each.gross - each.net), rate: cost(each.gross, each.net) }),
            money(each.net),
          ],
        }))}
      />
      <div className="border-line border-t">
        <TaskForm
          hidden={{ seller: choice.seller?.id ?? "", from: from ?? "", until: until ?? "" }}
          onAct={simulateAction}
          closeHref={PREPAYMENTS}
          texts={await taskTexts(t("simulate"))}
        >
          <p className="text-ink-2 text-sm">{t("simulateText")}</p>
        </TaskForm>
      </div>
    </Card>
  );
}
