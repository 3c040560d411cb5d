import { TriangleAlert } from "lucide-react";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { AttemptsCard } from "@/app/(dashboard)/dashboard/payments/[id]/attempts-card";
import { Approval, Confirmation } from "@/app/(dashboard)/dashboard/payments/[id]/confirmation";
import { BuyerCard, DetailsCard } from "@/app/(dashboard)/dashboard/payments/[id]/details";
import { DocumentsCard } from "@/app/(dashboard)/dashboard/payments/[id]/documents-card";
import { mainActionOf } from "@/app/(dashboard)/dashboard/payments/[id]/main-action";
import { BoletoStep, DisputeStep, NextStep } from "@/app/(dashboard)/dashboard/payments/[id]/next-step";
import {
  EventsCard,
  LedgerCard,
  RouteCard,
  TimelineCard,
  whoActed,
} from "@/app/(dashboard)/dashboard/payments/[id]/panels";
import { actOfProposal, Notice, PanelSkeleton, ProposalNote } from "@/app/(dashboard)/dashboard/payments/[id]/parts";
import { PurchasePage } from "@/app/(dashboard)/dashboard/payments/[id]/purchase-page";
import { RelatedCard } from "@/app/(dashboard)/dashboard/payments/[id]/related-card";
import { noticeOf, sentencesOf } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { SettlementCard } from "@/app/(dashboard)/dashboard/payments/[id]/settlement-card";
import { SplitCard } from "@/app/(dashboard)/dashboard/payments/[id]/split-card";
import { SupportSummary } from "@/app/(dashboard)/dashboard/payments/[id]/support-summary";
import { mayDecide, Verdict, VerdictNote } from "@/app/(dashboard)/dashboard/payments/[id]/verdict";
import { isFigure, WhySheet } from "@/app/(dashboard)/dashboard/payments/[id]/why-sheet";
import { chargeLook, paymentWords, shownAmount } from "@/app/(dashboard)/dashboard/payments/words";
import { ExplanationSheet } from "@/app/(dashboard)/explanation-sheet";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { memberOf, orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { planTexts, shownPlan } from "@/app/(dashboard)/plan-words";
import { ActionBar } from "@/components/charges/action-bar";
import { MoneyStrip } from "@/components/charges/money-strip";
import { Neighbours } from "@/components/charges/neighbours";
import { StatusBadge } from "@/components/charges/status-badge";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCents } from "@/components/ui/money-format";
import { holdEnd, ranOut, refusalByAnalysis } from "@/lib/charges/history";
import { actionsFor, isPaymentAction, type PaymentAction, refundable } from "@/lib/charges/operator-actions";
import { aloneUpTo, ownRefunds } from "@/lib/charges/operator-service";
import { paymentOverview } from "@/lib/charges/overview";
import { isOwnProposal, type PaymentProposal, type ProposedAction, proposalsOf, stands } from "@/lib/charges/proposals";
import { now } from "@/lib/context";
import { paymentPlan } from "@/lib/dry-runs/operator";
import { RequestError } from "@/lib/errors";
import type { FigureName } from "@/lib/explanations/names";
import { isUuid } from "@/lib/ids";
import { purchaseOverview } from "@/lib/purchases/overview";
import { amountOfPayment } from "@/lib/search/payments";

const LIST = "/dashboard/payments";

/** Figures that the API explains too; the others say their rule and the journals of this payment. */
const EXPLAINED: Partial<Record<string, FigureName>> = {
  captured: "charge.captured",
  refunded: "charge.refunded",
  disputed: "charge.chargedBack",
};

const TWO_PEOPLES: readonly ProposedAction[] = ["refund", "hand_back"];

/** How what waited for a second person ended without being done. */
const ENDS = { withdrawn: "done_withdrawn", refused: "done_refused" } as const;
/** How the decision on a review ended. */
const VERDICTS = {
  resolved: { kind: "done", wording: "done_resolved" },
  resolve_proposed: { kind: "waiting", wording: "done_resolve_proposed" },
  answered: { kind: "waiting", wording: "done_answered" },
} as const;
const isVerdict = (done: string | undefined): done is keyof typeof VERDICTS =>
  done !== undefined && Object.hasOwn(VERDICTS, done);

const isEnd = (done: string | undefined): done is keyof typeof ENDS => done !== undefined && Object.hasOwn(ENDS, done);

const ACTION_TEXTS = {
  capture: "aCapture",
  release: "aRelease",
  cancel: "aCancel",
  refund: "aRefund",
  recheck: "aRecheck",
  hand_back: "aHandBack",
  simulate: "aSimulate",
} as const satisfies Record<PaymentAction, string>;

interface PaymentPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

/** Several are open in tabs at once: each says which it is. */
export async function generateMetadata({ params }: PaymentPageProps): Promise<Metadata> {
  const [{ id }, member, t, locale] = await Promise.all([params, memberOf(), getTranslations("payments"), getLocale()]);
  const found = member && isUuid(id) ? await amountOfPayment(member.ctx, member.role, id) : undefined;
  return { title: found ? t("pageTitle", { amount: formatCents(found.amount, found.currency, locale) }) : t("title") };
}

export default async function PaymentPage({ params, searchParams }: PaymentPageProps) {
  const { id } = await params;
  const given = await searchParams;
  const path = `${LIST}/${id}`;
  const { ctx, role } = await requireRight(path, "payments.see");
  if (!isUuid(id)) notFound();
  const payment = await unlessMissing(paymentOverview(ctx, role, id));
  if (!payment) {
    const purchase = await orNotFound(purchaseOverview(ctx, role, id));
    return <PurchasePage ctx={ctx} role={role} purchase={purchase} given={given} />;
  }
  const { row } = payment;
  const t = await getTranslations("payments");
  const [format, locale] = await Promise.all([getFormatter(), getLocale()]);
  const money = (cents: number) => formatCents(cents, row.currency, locale);
  const words = { format, money };
  const [payments, sentences] = await Promise.all([paymentWords(), sentencesOf(payment, words)]);
  const refusal = refusalByAnalysis(payment);
  const shown = {
    ...row,
    hasRunOut: ranOut(payment),
    hasHoldEnded: holdEnd(payment) !== undefined,
    isRefused: refusal !== undefined,
  };
  const state = payments.status(shown);
  const actions = actionsFor(role, ctx.account, payment);
  const asked = oneOf(given, "do");
  const done = oneOf(given, "done");
  const decided = TWO_PEOPLES.filter((action) => actions.includes(action));
  const isCurrent = (each: PaymentProposal) => decided.includes(each.action) && stands(each, payment);
  const proposals = decided.length > 0 ? (await proposalsOf(ctx, row.id)).filter(isCurrent) : [];
  const waiting = proposals.map((proposal) => ({ proposal, isOwn: isOwnProposal(ctx, proposal) }));
  const notice = isPaymentAction(done)
    ? await noticeOf(payment, done, words)
    : isEnd(done) && waiting.every(({ isOwn }) => isOwn === (done === "refused"))
      ? { kind: "done" as const, text: t(ENDS[done]) }
      : isVerdict(done)
        ? { kind: VERDICTS[done].kind, text: t(VERDICTS[done].wording) }
        : undefined;
  const isToDecide = mayDecide(role, payment);
  const who = await whoActed(ctx, proposals.map(actOfProposal));
  const meant = isPaymentAction(asked) && actions.includes(asked) ? asked : undefined;
  const isTooLate = isPaymentAction(asked) && !meant;
  const toApprove = oneOf(given, "other")
    ? undefined
    : waiting.find(
        ({ proposal: { action, amount }, isOwn }) =>
          action === meant && !isOwn && (oneOf(given, "of") ?? String(amount)) === String(amount),
      )?.proposal;
  const ownAsked = proposals.find((each) => each.action === meant && isOwnProposal(ctx, each))?.amount;
  const isTwoPeoples = meant === "refund" || meant === "hand_back";
  const dry = meant && (await paymentPlan(ctx, role, row.id, meant, toApprove?.amount));
  const plan = dry && (await shownPlan(ctx, role, dry));
  const isHeld = row.status === "pre_authorized" || row.status === "capture_pending";
  const remaining = Math.max(0, refundable(row) - row.chargedBackAmount);
  const main = mainActionOf(actions, remaining, proposals);
  return (
    <>
      <Neighbours
        list={LIST}
        here={path}
        texts={{ back: t("back"), previous: t("neighbourPrevious"), next: t("neighbourNext") }}
      />
      <header className="mt-3 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="min-w-0 flex-1 basis-80">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <h1 className="font-semibold text-3xl text-ink tabular-nums">
              <span className="sr-only">{t("pageTitle", { amount: money(shownAmount(row)) })}</span>
              <span aria-hidden>{money(shownAmount(row))}</span>
            </h1>
            {shownAmount(row) === row.originalAmount ? null : (
              <span className="text-ink-3 text-sm tabular-nums">{payments.part(row.paymentType, row, money)}</span>
            )}
            <StatusBadge status={chargeLook(shown)} text={state} />
            {row.reviewReason ? (
              <Badge tone="warning" icon={TriangleAlert}>
                {t("review")}
              </Badge>
            ) : null}
          </div>
          <p className="mt-2 max-w-2xl text-ink-2">
            {sentences.map((sentence) => (
              <span key={sentence}>{sentence} </span>
            ))}
          </p>
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2 text-sm">
            {payment.buyer ? (
              <span className="min-w-0 truncate">{payment.buyer.name || payment.buyer.email}</span>
            ) : null}
            {row.orderId ? <span className="min-w-0 truncate">{t("headerOrder", { order: row.orderId })}</span> : null}
            <span data-copy-id className="inline-flex items-center gap-1 print:hidden">
              {t("factId")}
              <CopyButton text={row.id} label={t("copyId")} size="icon" className="size-7" />
            </span>
            <SupportSummary payment={payment} sentences={sentences} status={state} words={words} />
          </p>
        </div>
        {actions.length > 0 || isToDecide ? (
          <ActionBar
            label={t("actionsLabel")}
            actions={[
              ...(isToDecide
                ? [{ action: "resolve" as const, href: `${path}?do=resolve`, text: t("aResolve"), isMain: true }]
                : []),
              ...actions.map((action) => ({
                action,
                href: `${path}?do=${action}`,
                text: t(ACTION_TEXTS[action]),
                isMain: action === main,
              })),
            ]}
          />
        ) : null}
      </header>
      {notice ? <Notice {...notice} /> : null}
      {row.reviewReason ? <VerdictNote ctx={ctx} payment={payment} /> : null}
      {isTooLate ? <Notice kind="failed" text={t("notNow")} /> : null}
      {row.status === "failed" || refusal ? (
        <NextStep ctx={ctx} role={role} id={row.id} merchantId={row.merchantId} payments={[payment]} />
      ) : null}
      <BoletoStep ctx={ctx} role={role} payment={payment} />
      <DisputeStep role={role} payment={payment} />
      {waiting.map(({ proposal, isOwn }) => (
        <ProposalNote
          key={`${proposal.action}-${proposal.by}-${proposal.amount}`}
          proposal={proposal}
          isOwn={isOwn}
          who={who(actOfProposal(proposal))}
          path={path}
          words={words}
        />
      ))}
      <div className="mt-6">
        <MoneyStrip
          label={t("stripLabel")}
          parts={[
            { why: "requested" as const, name: t("stripRequested"), cents: row.originalAmount },
            ...(isHeld ? [{ why: "held" as const, name: t("stripHeld"), cents: row.amount }] : []),
            { why: "captured" as const, name: t("stripCaptured"), cents: row.capturedAmount },
            { why: "refunded" as const, name: t("stripRefunded"), cents: row.refundedAmount },
            ...(row.chargedBackAmount > 0
              ? [{ why: "disputed" as const, name: t("stripDisputed"), cents: row.chargedBackAmount }]
              : []),
            { why: "remaining" as const, name: t("stripRemaining"), cents: remaining, isStrong: remaining > 0 },
          ].map(({ cents, why, ...part }) => ({
            ...part,
            amount: money(cents),
            isZero: cents === 0,
            href: `${path}?why=${EXPLAINED[why] ?? why}`,
          }))}
        />
      </div>
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Suspense fallback={<PanelSkeleton />}>
            <AttemptsCard ctx={ctx} role={role} payment={payment} words={words} />
          </Suspense>
          <Suspense fallback={null}>
            <SplitCard ctx={ctx} role={role} chargeIds={[row.id]} words={words} path={path} />
          </Suspense>
          <Suspense fallback={null}>
            <SettlementCard ctx={ctx} role={role} chargeIds={[row.id]} words={words} path={path} />
          </Suspense>
          <Suspense fallback={<PanelSkeleton />}>
            <LedgerCard ctx={ctx} role={role} payment={payment} words={words} />
          </Suspense>
          <Suspense fallback={<PanelSkeleton />}>
            <EventsCard ctx={ctx} role={role} payment={payment} words={words} />
          </Suspense>
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Suspense fallback={<PanelSkeleton />}>
            <TimelineCard ctx={ctx} role={role} payment={payment} words={words} path={path} given={given} />
          </Suspense>
          <Suspense fallback={null}>
            <DocumentsCard ctx={ctx} role={role} chargeId={row.id} words={words} />
          </Suspense>
          <BuyerCard payment={payment} listPath={LIST} />
          <DetailsCard payment={payment} words={words} at={now(ctx)} />
          <RouteCard payment={payment} role={role} />
          <Suspense fallback={<PanelSkeleton />}>
            <RelatedCard ctx={ctx} role={role} payment={payment} words={words} />
          </Suspense>
        </div>
      </div>
      <p className="mt-6 text-ink-3 text-xs">{t("zone")}</p>
      {isFigure(oneOf(given, "why")) ? (
        <WhySheet ctx={ctx} role={role} chargeIds={[row.id]} figure={oneOf(given, "why")} path={path} words={words} />
      ) : null}
      <ExplanationSheet
        ctx={ctx}
        role={role}
        path={path}
        given={given}
        subject={{
          chargeId: row.id,
          paymentId: row.id,
          sellerId: oneOf(given, "of"),
          receivableId: oneOf(given, "part"),
        }}
      />
      {asked === "resolve" && isToDecide ? (
        <Verdict ctx={ctx} payment={payment} path={path} words={words} />
      ) : toApprove ? (
        <Approval
          payment={payment}
          proposal={toApprove}
          who={who(actOfProposal(toApprove))}
          plan={plan}
          planTexts={await planTexts()}
          path={path}
          words={words}
        />
      ) : meant ? (
        <Confirmation
          key={meant}
          action={meant}
          payment={payment}
          plan={plan}
          planTexts={await planTexts()}
          limit={asked === "refund" ? await ownRefunds(ctx, role) : null}
          alone={isTwoPeoples ? await aloneUpTo(ctx, meant, row) : null}
          asked={ownAsked}
          path={path}
          locale={locale}
          words={words}
        />
      ) : null}
    </>
  );
}

/** What is no charge may be a purchase. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof RequestError && thrown.status === 404) return undefined;
    throw thrown;
  }
}
