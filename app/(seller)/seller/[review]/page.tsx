import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getFormatter, getTranslations } from "next-intl/server";
import { fileLimits } from "@/app/(dashboard)/dashboard/sellers/chosen-files";
import { FileEntryForm } from "@/app/(dashboard)/dashboard/sellers/file-forms";
import { answerFields } from "@/app/(dashboard)/dashboard/sellers/review-answer";
import { requireEntered } from "@/app/(seller)/entered";
import { SellerFrame } from "@/app/(seller)/frame";
import { answerAction } from "@/app/(seller)/seller/actions";
import { BackLink } from "@/components/dashboard/back-link";
import { SELLER_PATH } from "@/lib/seller-access/links";
import { ownPage } from "@/lib/seller-access/page";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("sellerPage");
  return { title: t("title"), robots: { index: false } };
}

/** The fields that a review asks for, and no others. */
export default async function AnswerPage({ params }: { params: Promise<{ review: string }> }) {
  const [{ review: id }, entered] = await Promise.all([params, requireEntered()]);
  const { shop, row, reviews, documents } = await ownPage(entered);
  const review = reviews.find((one) => one.id === id && one.status === "opened");
  if (!review) redirect(SELLER_PATH);
  const [t, format] = await Promise.all([getTranslations("sellerPage"), getFormatter()]);
  return (
    <SellerFrame shopName={shop.name}>
      <BackLink href={SELLER_PATH} text={t("title")} />
      <h1 className="font-semibold text-2xl text-ink">
        {t("askedTitle", { day: format.dateTime(review.deadline, { dateStyle: "long" }) })}
      </h1>
      <p className="mt-1 mb-6 text-ink-2">{t("answerText")}</p>
      {review.reason ? <p className="mb-6 text-ink-2">{t("askedWhy", { reason: review.reason })}</p> : null}
      <FileEntryForm
        limits={await fileLimits()}
        hidden={{ review: review.id }}
        onAct={answerAction}
        button={t("send")}
        fields={await answerFields(review, row, documents)}
      />
    </SellerFrame>
  );
}
