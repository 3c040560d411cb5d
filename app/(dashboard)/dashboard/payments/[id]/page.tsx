import { ArrowLeft, CircleCheck, CircleX, Hourglass } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { Confirmation } from "@/app/(dashboard)/dashboard/payments/[id]/confirmation";
import { BuyerCard, DetailsCard } from "@/app/(dashboard)/dashboard/payments/[id]/details";
import {
  AttemptsCard,
  EventsCard,
  LedgerCard,
  RouteCard,
  TimelineCard,
} from "@/app/(dashboard)/dashboard/payments/[id]/panels";
import { noticeOf, sentencesOf } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { ActionBar } from "@/components/charges/action-bar";
import { MoneyStrip } from "@/components/charges/money-strip";
import { StatusBadge } from "@/components/charges/status-badge";
import { Card } from "@/components/ui/card";
import { classes } from "@/components/ui/classes";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCents } from "@/components/ui/money-format";
import { Skeleton } from "@/components/ui/skeleton";
import { actionsFor, isPaymentAction, type PaymentAction, refundable } from "@/lib/charges/operator-actions";
import { paymentOverview } from "@/lib/charges/overview";
import { isUuid } from "@/lib/ids";

const LIST = "/dashboard/payments";

const ACTION_TEXTS = {
  capture: "aCapture",
  release: "aRelease",
  cancel: "aCancel",
  refund: "aRefund",
  recheck: "aRecheck",
  simulate: "aSimulate",
} as const satisfies Record<PaymentAction, string>;

const NOTICES = {
  done: { icon: CircleCheck, look: "bg-success-soft text-success" },
  waiting: { icon: Hourglass, look: "bg-info-soft text-info" },
  failed: { icon: CircleX, look: "bg-danger-soft text-danger" },
};

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("payments");
  return { title: t("title") };
}

interface PaymentPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

export default async function PaymentPage({ params, searchParams }: PaymentPageProps) {
  const { id } = await params;
  const given = await searchParams;
  const path = `${LIST}/${id}`;
  const { ctx, role } = await requireRight(path, "payments.see");
  if (!isUuid(id)) notFound();
  const payment = await orNotFound(paymentOverview(ctx, role, id));
  const { row } = payment;
  const t = await getTranslations("payments");
  const [format, locale] = await Promise.all([getFormatter(), getLocale()]);
  const money = (cents: number) => formatCents(cents, row.currency, locale);
  const words = { format, money };
  const [{ status }, sentences] = await Promise.all([paymentWords(), sentencesOf(payment, words)]);
  const actions = actionsFor(role, ctx.account, payment);
  const asked = oneOf(given, "do");
  const done = oneOf(given, "done");
  const notice = isPaymentAction(done) ? await noticeOf(payment, done, words) : undefined;
  const NoticeIcon = notice && NOTICES[notice.kind].icon;
  const isHeld = row.status === "pre_authorized" || row.status === "capture_pending";
  const remaining = Math.max(0, refundable(row) - row.chargedBackAmount);
  return (
    <>
      <Link
        href={LIST}
        className="-ml-1 inline-flex min-h-6 items-center gap-1.5 rounded-sm px-1 text-ink-2 text-sm hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {t("back")}
      </Link>
      <header className="mt-3 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="min-w-0 flex-1 basis-80">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <h1 className="font-semibold text-3xl text-ink tabular-nums">
              <span className="sr-only">{t("pageTitle", { amount: money(row.originalAmount) })}</span>
              <span aria-hidden>{money(row.originalAmount)}</span>
            </h1>
            <StatusBadge status={row.status} text={status(row)} />
          </div>
          <p className="mt-2 max-w-2xl text-ink-2">
            {sentences.map((sentence) => (
              <span key={sentence}>{sentence} </span>
            ))}
          </p>
          <p className="mt-1 flex items-center gap-1 text-ink-3 text-xs">
            <span className="truncate font-mono">{row.id}</span>
            <CopyButton text={row.id} label={t("copyId")} size="icon" className="size-7" />
          </p>
        </div>
        {actions.length > 0 ? (
          <ActionBar
            label={t("actionsLabel")}
            actions={actions.map((action, index) => ({
              action,
              href: `${path}?do=${action}`,
              text: t(ACTION_TEXTS[action]),
              isMain: index === 0 && action !== "cancel" && action !== "recheck",
            }))}
          />
        ) : null}
      </header>
      {notice && NoticeIcon ? (
        <p
          role="status"
          className={classes("mt-5 flex items-start gap-2.5 rounded-lg px-4 py-3 text-sm", NOTICES[notice.kind].look)}
        >
          <NoticeIcon aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{notice.text}</span>
        </p>
      ) : null}
      <div className="mt-6">
        <MoneyStrip
          label={t("stripLabel")}
          parts={[
            { name: t("stripRequested"), cents: row.originalAmount },
            ...(isHeld ? [{ name: t("stripHeld"), cents: row.amount }] : []),
            { name: t("stripCaptured"), cents: row.capturedAmount },
            { name: t("stripRefunded"), cents: row.refundedAmount },
            ...(row.chargedBackAmount > 0 ? [{ name: t("stripDisputed"), cents: row.chargedBackAmount }] : []),
            { name: t("stripRemaining"), cents: remaining, isStrong: remaining > 0 },
          ].map(({ cents, ...part }) => ({ ...part, amount: money(cents), isZero: cents === 0 }))}
        />
      </div>
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <AttemptsCard payment={payment} words={words} />
          <Suspense fallback={<PanelSkeleton />}>
            <LedgerCard ctx={ctx} role={role} payment={payment} words={words} />
          </Suspense>
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Suspense fallback={<PanelSkeleton />}>
            <TimelineCard ctx={ctx} payment={payment} words={words} />
          </Suspense>
          <BuyerCard payment={payment} listPath={LIST} />
          <DetailsCard payment={payment} words={words} />
          <RouteCard payment={payment} />
          <Suspense fallback={<PanelSkeleton />}>
            <EventsCard ctx={ctx} payment={payment} words={words} />
          </Suspense>
        </div>
      </div>
      <p className="mt-6 text-ink-3 text-xs">{t("zone")}</p>
      {isPaymentAction(asked) && actions.includes(asked) ? (
        <Confirmation
          key={asked}
          action={asked}
          payment={payment}
          role={role}
          path={path}
          locale={locale}
          words={words}
        />
      ) : null}
    </>
  );
}

function PanelSkeleton() {
  return (
    <Card className="grid gap-3 p-5">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-24 w-full" />
    </Card>
  );
}
