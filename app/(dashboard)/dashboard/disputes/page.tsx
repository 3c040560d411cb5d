import { Gavel } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { buyersOf } from "@/app/(dashboard)/dashboard/disputes/buyers";
import { disputeWords } from "@/app/(dashboard)/dashboard/disputes/words";
import { ExportButton } from "@/app/(dashboard)/export-button";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { StatusTabs } from "@/components/charges/status-tabs";
import { DataList } from "@/components/dashboard/data-list";
import { ListKeys } from "@/components/dashboard/list-keys";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { DISPUTE_STAGES, disputeRate, listDisputes } from "@/lib/disputes/queries";

const PAGE = "/dashboard/disputes";
/** What home and the menu count: nobody called them handled yet. */
const NEW = "new";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("disputes");
  return { title: t("title") };
}

export default async function DisputesPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PAGE, given, {}), "disputes.see");
  const [t, words, format, locale] = await Promise.all([
    getTranslations("disputes"),
    disputeWords(),
    getFormatter(),
    getLocale(),
  ]);
  const stage = DISPUTE_STAGES.find((each) => each === oneOf(given, "stage"));
  const isNew = oneOf(given, "stage") === NEW;
  const [{ items, sums, unhandled, next }, rate] = await Promise.all([
    listDisputes(ctx, role, { stage, isUnhandled: isNew, after: oneOf(given, "after") }),
    disputeRate(ctx, role),
  ]);
  const buyers = await buyersOf(
    ctx,
    role,
    items.map(({ chargeId }) => chargeId),
  );
  const rateText =
    rate.paid === 0
      ? t("rateNone")
      : t("rate", {
          disputes: rate.disputes,
          paid: rate.paid,
          share: format.number(rate.disputes / rate.paid, { style: "percent", maximumFractionDigits: 2 }),
        });
  const hasAny = sums.some(({ count }) => count > 0);
  return (
    <>
      <PageHead
        title={t("title")}
        description={hasAny ? rateText : undefined}
        aside={t("zone")}
        action={
          hasAny ? <ExportButton role={role} type="disputes" filters={{ status: stage }} isNarrower={isNew} /> : null
        }
      />
      <Card className="overflow-hidden">
        {hasAny ? (
          <StatusTabs
            label={t("stages")}
            tabs={[
              { href: PAGE, text: t("all"), isHere: stage === undefined && !isNew },
              ...(isNew || unhandled.count > 0
                ? [
                    {
                      href: `${PAGE}?stage=${NEW}`,
                      text: t("newSum", {
                        count: unhandled.count,
                        amount: formatCents(unhandled.amount, "BRL", locale),
                      }),
                      isHere: isNew,
                    },
                  ]
                : []),
              ...sums.map((sum) => ({
                href: `${PAGE}?stage=${sum.stage}`,
                text: t("stageSum", {
                  stage: words.stage(sum.stage),
                  count: sum.count,
                  amount: formatCents(sum.amount, "BRL", locale),
                }),
                isHere: stage === sum.stage,
              })),
            ]}
          />
        ) : null}
        {items.length === 0 ? (
          <EmptyState
            icon={Gavel}
            title={hasAny ? t("emptyStageTitle") : t("emptyTitle")}
            action={hasAny ? <LinkButton href={PAGE}>{t("showAll")}</LinkButton> : null}
          >
            {hasAny ? null : rateText}
          </EmptyState>
        ) : (
          <DataList
            caption={t("title")}
            columns={[
              { key: "amount", title: t("amount") },
              { key: "stage", title: t("stage") },
              { key: "reason", title: t("reason"), isMinor: true, isFlexible: true },
              { key: "buyer", title: t("buyer"), isFlexible: true },
              { key: "order", title: t("order"), isMinor: true, isFlexible: true },
              { key: "method", title: t("method") },
              { key: "bearer", title: t("bearer"), isMinor: true },
              { key: "notes", title: t("notes"), isNumeric: true, isMinor: true },
              { key: "opened", title: t("opened"), isNumeric: true, isFolded: true },
            ]}
            rows={items.map((dispute) => ({
              id: dispute.id,
              href: `${PAGE}/${dispute.id}`,
              cells: [
                formatCents(dispute.amount, dispute.currency, locale),
                words.badge(dispute.stage),
                dispute.reason === null ? t("noNotesShort") : words.reason(dispute.reason),
                buyers.get(dispute.chargeId) ?? t("noNotesShort"),
                dispute.orderId ?? t("noNotesShort"),
                words.method(dispute),
                words.bearer(dispute),
                dispute.notes === 0 ? t("noNotesShort") : format.number(dispute.notes),
                <Moment
                  key="opened"
                  at={dispute.openedAt}
                  text={format.dateTime(dispute.openedAt, { dateStyle: "medium", timeStyle: "short" })}
                />,
              ],
            }))}
          />
        )}
        <div className="px-5 py-3 empty:hidden">
          <PageLinks
            label={t("pages")}
            previous={{
              href: oneOf(given, "after") && withParameters(PAGE, given, { after: undefined }),
              text: t("first"),
            }}
            next={{ href: next && withParameters(PAGE, given, { after: next }), text: t("next") }}
          />
        </div>
      </Card>
      <ListKeys searchId="" />
    </>
  );
}
