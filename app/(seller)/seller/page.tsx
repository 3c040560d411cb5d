import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { findEntered } from "@/app/(seller)/entered";
import { SellerFrame } from "@/app/(seller)/frame";
import { askForLinkAction } from "@/app/(seller)/seller/actions";
import { BalanceCard, CalendarCard, PayoutsCard, SalesCard } from "@/app/(seller)/seller/money-cards";
import { AskedCards, DocumentsCard } from "@/app/(seller)/seller/review-cards";
import { PreferenceControls } from "@/app/preference-controls";
import { DoneNote } from "@/components/dashboard/done-note";
import { EntryForm } from "@/components/sign-in/entry-form";
import { EntryFrame } from "@/components/sign-in/entry-frame";
import { StatementsCard } from "@/components/statements";
import { LinkButton } from "@/components/ui/link-button";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { now } from "@/lib/context";
import { SELLER_PATH } from "@/lib/seller-access/links";
import { ownPage } from "@/lib/seller-access/page";
import { lastMonths } from "@/lib/statements/months";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("sellerPage");
  return { title: t("title"), robots: { index: false } };
}

const SENTENCES = {
  pending: "sentencePending",
  active: "sentenceActive",
  partial: "sentencePartial",
  inactive: "sentenceInactive",
  blocked: "sentenceBlocked",
} as const;

interface SellerPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** A seller's own page; before the door, the way in. */
export default async function SellerPage({ searchParams }: SellerPageProps) {
  const [entered, given, t] = await Promise.all([findEntered(), searchParams, getTranslations("sellerPage")]);
  if (!entered) return <Door isSent={given.sent === "1"} />;
  const page = await ownPage(entered);
  const { row } = page;
  return (
    <SellerFrame shopName={page.shop.name}>
      <h1 className="break-words font-semibold text-2xl text-ink">{row.businessName ?? row.ownerName}</h1>
      <p className="mt-1 mb-6 text-ink-2">{t(SENTENCES[row.status])}</p>
      {given.done === "sent" ? <DoneNote text={t("sent")} /> : null}
      <div className="grid grid-cols-1 gap-5">
        <AskedCards reviews={page.reviews} />
        <BalanceCard page={page} />
        <CalendarCard page={page} />
        <PayoutsCard page={page} />
        <StatementsCard
          action={`${SELLER_PATH}/statement`}
          months={lastMonths(saoPauloDay(now(entered.ctx)), saoPauloDay(row.createdAt))}
        />
        <SalesCard page={page} />
        <DocumentsCard page={page} />
      </div>
    </SellerFrame>
  );
}

async function Door({ isSent }: { isSent: boolean }) {
  const t = await getTranslations("sellerPage");
  return (
    <EntryFrame
      preferences={<PreferenceControls />}
      title={isSent ? t("sentTitle") : t("signInTitle")}
      text={isSent ? <p role="status">{t("sentText")}</p> : t("signInText")}
    >
      {isSent ? (
        <LinkButton href={SELLER_PATH} size="lg">
          {t("again")}
        </LinkButton>
      ) : (
        <EntryForm
          onAct={askForLinkAction}
          button={t("signInButton")}
          fields={[{ name: "email", label: t("email"), kind: "email", isRequired: true }]}
        />
      )}
    </EntryFrame>
  );
}
