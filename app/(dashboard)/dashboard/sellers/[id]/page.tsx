import type { Metadata } from "next";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { cache } from "react";
import { AccountCard } from "@/app/(dashboard)/dashboard/sellers/[id]/account-card";
import { SellerDialog } from "@/app/(dashboard)/dashboard/sellers/[id]/dialogs";
import { DocumentsCard, RegistrationsCard, ReviewsCard } from "@/app/(dashboard)/dashboard/sellers/[id]/file-cards";
import { HoldsCard } from "@/app/(dashboard)/dashboard/sellers/[id]/holds-card";
import { BalanceCard, CalendarCard, LinesCard } from "@/app/(dashboard)/dashboard/sellers/[id]/money-cards";
import { OwnPageCard } from "@/app/(dashboard)/dashboard/sellers/[id]/own-page-card";
import { SELLER_LOOKS, SELLER_STATUS_TEXTS } from "@/app/(dashboard)/dashboard/sellers/words";
import { ExplanationSheet } from "@/app/(dashboard)/explanation-sheet";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { isUnnamedDefault, planNamer } from "@/app/(dashboard)/plan-names";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { BackLink } from "@/components/dashboard/back-link";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { PageHead } from "@/components/dashboard/page-head";
import { StatementsCard } from "@/components/statements";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { maskTaxId } from "@/lib/brazil/cpf-cnpj";
import { shownPhone } from "@/lib/brazil/phone";
import { inSnapshot, now } from "@/lib/context";
import { bpsToPercent } from "@/lib/money";
import { may } from "@/lib/operators/permissions";
import { plansToChoose } from "@/lib/sale-plans/queries";
import { type SellerOverview, sellerOverview } from "@/lib/sellers/operator-queries";
import { lastMonths } from "@/lib/statements/months";

const LIST = "/dashboard/sellers";
const DONE_TEXTS = {
  created: "doneCreated",
  saved: "doneSaved",
  active: "doneOn",
  inactive: "doneOff",
  document: "doneDocument",
  submitted: "doneSubmitted",
  account: "doneAccount",
  "account-proposed": "doneAccountProposed",
  "account-refused": "doneAccountRefused",
  invited: "doneInvited",
  revoked: "doneRevoked",
  "write-off": "doneWriteOff",
  "write-off-proposed": "doneWriteOffProposed",
  adjusted: "doneAdjusted",
  "adjustment-proposed": "doneAdjustmentProposed",
  "adjustment-refused": "doneAdjustmentRefused",
  held: "doneHeld",
  resumed: "doneResumed",
} as const;

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}`, "sellers.see");
  return { ...member, overview: await orNotFound(sellerOverview(member.ctx, member.role, id)) };
});

export async function generateMetadata({ params }: SellerPageProps): Promise<Metadata> {
  const [{ overview }, t] = await Promise.all([read((await params).id), getTranslations("sellers")]);
  return tabTitle(overview.shown.name, t("title"));
}

interface SellerPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

export default async function SellerPage({ params, searchParams }: SellerPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const path = `${LIST}/${id}`;
  const { ctx, role, overview } = await read(id);
  const { row } = overview.seller;
  const t = await getTranslations("sellers");
  const done = oneOf(given, "done");
  const mayEdit = may(role, "sellers.edit");
  const plans = mayEdit ? await inSnapshot(ctx, plansToChoose) : [];
  const open = (doing: string) => `${path}?do=${doing}`;
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      <PageHead
        title={
          <span className="inline-flex flex-wrap items-center gap-3">
            {overview.shown.name}
            <Badge {...SELLER_LOOKS[row.status]}>{t(SELLER_STATUS_TEXTS[row.status])}</Badge>
          </span>
        }
        description={await sentenceOf(overview)}
        action={
          mayEdit ? (
            <>
              <LinkButton href={open(row.isSwitchedOff ? "on" : "off")} scroll={false}>
                {row.isSwitchedOff ? t("switchOn") : t("switchOff")}
              </LinkButton>
              <LinkButton href={open("delete")} scroll={false} tone="quiet">
                {t("delete")}
              </LinkButton>
            </>
          ) : null
        }
      />
      {done && Object.hasOwn(DONE_TEXTS, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote text={t(DONE_TEXTS[done as keyof typeof DONE_TEXTS])} />
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <BalanceCard
            ctx={ctx}
            overview={overview}
            path={path}
            mayAdjust={may(role, "finance.adjust")}
            maySeePayouts={may(role, "payouts.see")}
          />
          <ReviewsCard overview={overview} path={path} mayAnswer={mayEdit} />
          <CalendarCard overview={overview} path={path} />
          <LinesCard overview={overview} />
          <RegistrationsCard overview={overview} />
          <DocumentsCard overview={overview} path={path} mayOpen={may(role, "sellers.documents")} mayAdd={mayEdit} />
        </div>
        <div className="grid grid-cols-1 gap-6">
          <IdentityCard overview={overview} path={path} mayEdit={mayEdit} />
          <AccountCard
            ctx={ctx}
            overview={overview}
            path={path}
            mayChange={may(role, "sellers.bank")}
            mayEdit={mayEdit}
          />
          {may(role, "payouts.see") ? (
            <HoldsCard
              ctx={ctx}
              seller={{ id: row.id, name: overview.shown.name }}
              path={path}
              doing={oneOf(given, "do")}
              mayHold={may(role, "payouts.hold")}
            />
          ) : null}
          {may(role, "payouts.see") ? (
            <StatementsCard
              action="/dashboard/payouts/statement"
              months={lastMonths(saoPauloDay(now(ctx)), saoPauloDay(row.createdAt))}
              hidden={{ seller: row.id, merchant: row.merchantId }}
            />
          ) : null}
          <TermsCard overview={overview} path={path} mayEdit={mayEdit} />
          {mayEdit ? <OwnPageCard ctx={ctx} sellerId={row.id} path={path} isMasked={overview.shown.isMasked} /> : null}
        </div>
      </div>
      <ExplanationSheet
        ctx={ctx}
        role={role}
        path={path}
        given={given}
        subject={{ sellerId: row.id, day: oneOf(given, "part") }}
      />
      <SellerDialog
        doing={oneOf(given, "do")}
        review={overview.reviews.find((review) => review.id === oneOf(given, "review"))}
        overview={overview}
        plans={plans}
        path={path}
        rights={{ edit: mayEdit, bank: may(role, "sellers.bank"), adjust: may(role, "finance.adjust") }}
      />
    </>
  );
}

/** What is so, and what is left to do. */
async function sentenceOf({ seller: { row }, reviews }: SellerOverview): Promise<string> {
  const [t, format] = await Promise.all([getTranslations("sellers"), getFormatter()]);
  const open = reviews
    .filter(({ status }) => status === "opened")
    .toSorted((a, b) => Number(a.deadline) - Number(b.deadline))[0];
  if (open) return t("sentenceAsked", { day: format.dateTime(open.deadline, { dateStyle: "long" }) });
  if (row.isSwitchedOff) return t("sentenceOff");
  return t(
    (
      {
        pending: "sentencePending",
        active: "sentenceActive",
        partial: "sentencePartial",
        inactive: "sentenceInactive",
        blocked: "sentenceBlocked",
      } as const
    )[row.status],
  );
}

interface PartProps {
  overview: SellerOverview;
  path: string;
  mayEdit: boolean;
}

async function IdentityCard({ overview: { seller, shown, merchant }, path, mayEdit }: PartProps) {
  const [t, format] = await Promise.all([getTranslations("sellers"), getFormatter()]);
  const { owner, business, ...row } = seller.row;
  const edit = (part: string) =>
    mayEdit && !shown.isMasked ? (
      <LinkButton href={`${path}?do=${part}`} scroll={false} size="sm">
        {t("edit")}
      </LinkButton>
    ) : null;
  return (
    <Card>
      <CardHeader
        title={business ? t("aboutCompany") : t("aboutPerson")}
        description={shown.isMasked ? t("masked") : undefined}
        actions={edit(business ? "business" : "owner")}
      />
      <Facts
        facts={[
          {
            name: t("document"),
            value: shown.document && !shown.isMasked ? maskTaxId(shown.document) : (shown.document ?? t("none")),
          },
          { name: t("email"), value: <span className="break-all">{shown.email}</span> },
          ...(shown.isMasked ? [] : [{ name: t("phone"), value: shownPhone((business ?? owner).phoneNumber) }]),
          ...(business && !shown.isMasked
            ? [
                {
                  name: t("owner"),
                  value: (
                    <span className="flex flex-wrap items-center gap-2">
                      {owner.name} {edit("owner")}
                    </span>
                  ),
                },
              ]
            : []),
          { name: t("merchant"), value: merchant ?? row.merchantId },
          { name: t("mcc"), value: row.mcc },
          { name: t("since"), value: format.dateTime(row.createdAt, { dateStyle: "medium" }) },
          { name: t("id"), value: <span className="break-all font-mono text-xs">{row.id}</span> },
        ]}
      />
    </Card>
  );
}

async function TermsCard({
  overview: {
    seller: { row },
    plan,
  },
  path,
  mayEdit,
}: PartProps) {
  const [t, locale, nameOf] = await Promise.all([getTranslations("sellers"), getLocale(), planNamer()]);
  const money = (cents: number) => formatCents(cents, "BRL", locale);
  return (
    <Card>
      <CardHeader
        title={t("terms")}
        actions={
          mayEdit ? (
            <LinkButton href={`${path}?do=terms`} scroll={false} size="sm">
              {t("edit")}
            </LinkButton>
          ) : null
        }
      />
      <Facts
        facts={[
          {
            name: t("plan"),
            value: plan
              ? plan.isDefault && !isUnnamedDefault(plan)
                ? t("planDefault", { name: plan.name })
                : nameOf(plan)
              : t("none"),
          },
          { name: t("paysFee"), value: row.processingFee ? t("paysFeeYes") : t("no") },
          { name: t("liable"), value: row.liable ? t("yes") : t("no") },
          {
            name: t("fares"),
            value: t("fareBoth", { percent: bpsToPercent(row.fareMdrBps), fee: money(row.fareFee) }),
          },
          { name: t("debtAllowed"), value: money(row.minNegativeBalance) },
          {
            name: t("refundDays"),
            value: row.maxRefundDays === null ? t("noLimit") : t("days", { days: row.maxRefundDays }),
          },
        ]}
      />
    </Card>
  );
}
