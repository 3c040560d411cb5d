import { BadgeCheck } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { CsvButton } from "@/app/(dashboard)/csv-button";
import { SellersTabs } from "@/app/(dashboard)/dashboard/sellers/tabs";
import { askedNamer, providerNamer, shownDocument } from "@/app/(dashboard)/dashboard/sellers/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { now } from "@/lib/context";
import { openReviews } from "@/lib/sellers/operator-queries";
import { daysLeft } from "@/lib/sellers/review-days";

const PAGE = "/dashboard/sellers/reviews";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("sellers");
  return { title: t("reviews") };
}

export default async function SellerReviewsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PAGE, given, {}), "sellers.see");
  const [t, format, asked, named, { items: reviews, next }] = await Promise.all([
    getTranslations("sellers"),
    getFormatter(),
    askedNamer(),
    providerNamer(),
    openReviews(ctx, role, { after: oneOf(given, "after") }),
  ]);
  return (
    <>
      <PageHead
        title={t("reviews")}
        description={t("reviewsText")}
        aside={t("zone")}
        action={reviews.length > 0 ? <CsvButton path={PAGE} given={{}} /> : null}
      />
      <SellersTabs here="reviews" />
      <Card className="overflow-hidden">
        {reviews.length === 0 ? (
          <EmptyState icon={BadgeCheck} title={t("reviewsNone")}>
            {t("reviewsNoneText")}
          </EmptyState>
        ) : (
          <DataList
            caption={t("reviews")}
            columns={[
              { key: "seller", title: t("seller") },
              { key: "provider", title: t("provider") },
              { key: "asked", title: t("asked") },
              { key: "deadline", title: t("deadline"), isNumeric: true },
            ]}
            rows={reviews.map((review) => ({
              id: review.id,
              href: `/dashboard/sellers/${review.sellerId}?do=review&review=${review.id}`,
              cells: [
                <span key="seller">
                  {review.seller.name}
                  <span className="block font-normal text-ink-2 text-xs tabular-nums">
                    {shownDocument(review.seller)}
                  </span>
                </span>,
                <span key="provider" className="wrap-break-word md:block md:min-w-20 md:whitespace-normal">
                  {named(review.registrationId, review.providers)}
                </span>,
                <span key="asked" className="md:whitespace-normal">
                  {format.list(review.requestedFields.map(asked), { type: "conjunction" })}
                </span>,
                <span key="deadline">
                  <Moment at={review.deadline} text={format.dateTime(review.deadline, { dateStyle: "medium" })} />{" "}
                  <span className="text-warning">
                    {t("daysLeft", { days: Math.max(0, daysLeft(review, now(ctx))) })}
                  </span>
                </span>,
              ],
            }))}
          />
        )}
        <div className="px-5 py-3 empty:hidden">
          <PageLinks
            label={t("pages")}
            previous={{ href: undefined, text: t("previous") }}
            next={{ href: next && withParameters(PAGE, {}, { after: next }), text: t("next") }}
          />
        </div>
      </Card>
    </>
  );
}
