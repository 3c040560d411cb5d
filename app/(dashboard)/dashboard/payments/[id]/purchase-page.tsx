import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { slotReasons } from "@/app/(dashboard)/dashboard/payments/[id]/decline-words";
import { DisputeStep, NextStep } from "@/app/(dashboard)/dashboard/payments/[id]/next-step";
import { RouteCard } from "@/app/(dashboard)/dashboard/payments/[id]/panels";
import { Notice, PanelSkeleton } from "@/app/(dashboard)/dashboard/payments/[id]/parts";
import { PurchaseConfirmation } from "@/app/(dashboard)/dashboard/payments/[id]/purchase-confirmation";
import {
  PurchaseAttempts,
  PurchaseLedger,
  PurchaseStoryCard,
  PurchaseTold,
} from "@/app/(dashboard)/dashboard/payments/[id]/purchase-panels";
import { purchaseNotice, purchaseSentences } from "@/app/(dashboard)/dashboard/payments/[id]/purchase-sentences";
import { momentText } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { SettlementCard } from "@/app/(dashboard)/dashboard/payments/[id]/settlement-card";
import { slotWords } from "@/app/(dashboard)/dashboard/payments/[id]/slot-words";
import { SplitCard } from "@/app/(dashboard)/dashboard/payments/[id]/split-card";
import { WhySheet } from "@/app/(dashboard)/dashboard/payments/[id]/why-sheet";
import { paymentWords, purchaseLook } from "@/app/(dashboard)/dashboard/payments/words";
import { ExplanationSheet } from "@/app/(dashboard)/explanation-sheet";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { planTexts, purchasePlanShown } from "@/app/(dashboard)/plan-words";
import { ActionBar } from "@/components/charges/action-bar";
import { Lanes } from "@/components/charges/lanes";
import { MoneyStrip } from "@/components/charges/money-strip";
import { Neighbours } from "@/components/charges/neighbours";
import { StatusBadge } from "@/components/charges/status-badge";
import { Facts } from "@/components/dashboard/facts";
import { Moment } from "@/components/dashboard/moment";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { maskTaxId } from "@/lib/brazil/cpf-cnpj";
import { actionsFor } from "@/lib/charges/operator-actions";
import type { Context } from "@/lib/context";
import { usualLimits } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import {
  isPurchaseAction,
  type PurchaseAction,
  purchaseActionsFor,
  refundedByTwoAbove,
} from "@/lib/purchases/operator-service";
import { hasHoldEnded, type PurchaseOverview } from "@/lib/purchases/overview";

const LIST = "/dashboard/payments";

const ACTION_TEXTS = {
  capture: "aCapture",
  release: "aRelease",
  refund: "aRefundAll",
  recheck: "aRecheck",
} as const satisfies Record<PurchaseAction, string>;

interface PurchasePageProps {
  ctx: Context;
  role: OperatorRole;
  purchase: PurchaseOverview;
  given: GivenParameters;
}

/** An order on several cards: what became of it, one lane for each card, and everything that is known of them. */
export async function PurchasePage({ ctx, role, purchase, given }: PurchasePageProps) {
  const { row, lanes } = purchase;
  const [t, say, words, reasons, format, locale] = await Promise.all([
    getTranslations("payments"),
    slotWords(),
    paymentWords(),
    slotReasons(),
    getFormatter(),
    getLocale(),
  ]);
  const path = `${LIST}/${row.id}`;
  const money = (cents: number) => formatCents(cents, row.currency, locale);
  const ways = { format, money };
  const shown = {
    status: row.status,
    isHeld: row.status === "pending" && lanes.every(({ slot }) => slot.status === "pre_authorized"),
    wasPaid: lanes.some(({ slot }) => slot.wasCaptured),
    hasHoldEnded: hasHoldEnded(purchase),
  };
  const payers = lanes.flatMap(({ payment }) => payment?.payer ?? []);
  const actions = purchaseActionsFor(role, purchase);
  const isByCard =
    usualLimits(role) !== undefined &&
    lanes.some(({ payment }) => payment && actionsFor(role, ctx.account, payment).includes("refund"));
  const asked = oneOf(given, "do");
  const done = oneOf(given, "done");
  const [sentences, notice] = await Promise.all([
    purchaseSentences(purchase, ways),
    isPurchaseAction(done) ? purchaseNotice(purchase, done) : undefined,
  ]);
  const sum = (of: (lane: (typeof lanes)[number]) => number) => lanes.reduce((total, lane) => total + of(lane), 0);
  const held = sum(({ slot }) => (slot.status === "pre_authorized" ? slot.amount : 0));
  const captured = sum(({ payment }) => payment?.row.capturedAmount ?? 0);
  const refunded = sum(({ slot }) => slot.refundedAmount);
  const disputed = sum(({ payment }) => payment?.row.chargedBackAmount ?? 0);
  const remaining = Math.max(0, captured - refunded - disputed);
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
              <span className="sr-only">{t("purchaseTitle", { amount: money(row.amount) })}</span>
              <span aria-hidden>{money(row.amount)}</span>
            </h1>
            <StatusBadge status={purchaseLook(shown)} text={words.purchase(shown)} />
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
            {purchase.buyer ? (
              <span className="min-w-0 truncate">{purchase.buyer.name || purchase.buyer.email}</span>
            ) : null}
            {row.orderId ? <span className="min-w-0 truncate">{t("headerOrder", { order: row.orderId })}</span> : null}
            <span data-copy-id className="inline-flex items-center gap-1 print:hidden">
              {t("factId")}
              <CopyButton text={row.id} label={t("copyId")} size="icon" className="size-7" />
            </span>
          </p>
        </div>
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          {row.reviewReason ? (
            <LinkButton href={`/dashboard/reviews/${row.id}`} tone="primary">
              {t("openReview")}
            </LinkButton>
          ) : null}
          {actions.length > 0 ? (
            <ActionBar
              label={t("actionsLabel")}
              actions={actions.map((action, index) => ({
                action,
                href: `${path}?do=${action}`,
                text: t(ACTION_TEXTS[action]),
                isMain: index === 0 && action !== "recheck" && !row.reviewReason,
              }))}
            />
          ) : null}
        </div>
      </header>
      {notice ? <Notice {...notice} /> : null}
      {row.status === "failed" ? (
        <NextStep
          ctx={ctx}
          role={role}
          id={row.id}
          merchantId={row.merchantId}
          payments={lanes.flatMap(({ payment }) => payment ?? [])}
        />
      ) : null}
      {lanes.map(({ slot, payment }) =>
        payment ? <DisputeStep key={slot.id} role={role} payment={payment} card={slot.slotIndex + 1} /> : null,
      )}
      {isPurchaseAction(asked) && !actions.includes(asked) ? (
        <Notice kind="failed" text={t(isByCard && asked === "refund" ? "refundByCard" : "notNow")} />
      ) : null}
      <div className="mt-6">
        <MoneyStrip
          label={t("stripLabel")}
          parts={[
            { why: "requested" as const, name: t("stripRequested"), cents: row.amount },
            ...(held > 0 ? [{ why: "held" as const, name: t("stripHeld"), cents: held }] : []),
            { why: "captured" as const, name: t("stripCaptured"), cents: captured },
            { why: "refunded" as const, name: t("stripRefunded"), cents: refunded },
            ...(disputed > 0 ? [{ why: "disputed" as const, name: t("stripDisputed"), cents: disputed }] : []),
            { why: "remaining" as const, name: t("stripRemaining"), cents: remaining, isStrong: remaining > 0 },
          ].map(({ cents, why, ...part }) => ({
            ...part,
            amount: money(cents),
            isZero: cents === 0,
            href: `${path}?why=${why}`,
          }))}
        />
      </div>
      <Lanes
        label={t("lanes")}
        lanes={lanes.map((lane) => {
          const { slot, payment } = lane;
          const canRefund = payment && actionsFor(role, ctx.account, payment).includes("refund");
          return {
            id: slot.id,
            title: t("laneTitle", { number: slot.slotIndex + 1 }),
            amount: money(slot.amount),
            status: { value: slot.status, text: say(slot.status, slot.wasCaptured) },
            card: slot.card
              ? t("cardNumber", { brand: slot.card.brand, lastFour: slot.card.last4digits })
              : t("laneNoCard"),
            installments: slot.installments > 1 ? t("rowInstallments", { count: slot.installments }) : undefined,
            decline: reasons(lane),
            refunded: slot.refundedAmount > 0 ? t("rowRefunded", { amount: money(slot.refundedAmount) }) : undefined,
            provider:
              payment?.route.find(({ id }) => id === payment.row.providerId)?.name ??
              payment?.row.providerType ??
              undefined,
            open: slot.chargeId ? { href: `${LIST}/${slot.chargeId}`, text: t("laneOpen") } : undefined,
            refund:
              canRefund && slot.chargeId && !row.reviewReason
                ? { href: `${LIST}/${slot.chargeId}?do=refund`, text: t("laneRefund") }
                : undefined,
          };
        })}
      />
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_23rem]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Suspense fallback={<PanelSkeleton />}>
            <PurchaseAttempts ctx={ctx} role={role} purchase={purchase} words={ways} />
          </Suspense>
          <Suspense fallback={null}>
            <SplitCard
              ctx={ctx}
              role={role}
              chargeIds={lanes.flatMap(({ slot }) => slot.chargeId ?? [])}
              words={ways}
              path={path}
            />
          </Suspense>
          <Suspense fallback={null}>
            <SettlementCard
              ctx={ctx}
              role={role}
              chargeIds={lanes.flatMap(({ slot }) => slot.chargeId ?? [])}
              words={ways}
              path={path}
            />
          </Suspense>
          <Suspense fallback={<PanelSkeleton />}>
            <PurchaseLedger ctx={ctx} role={role} purchase={purchase} words={ways} />
          </Suspense>
          <Suspense fallback={<PanelSkeleton />}>
            <PurchaseTold ctx={ctx} role={role} purchase={purchase} words={ways} />
          </Suspense>
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Suspense fallback={<PanelSkeleton />}>
            <PurchaseStoryCard ctx={ctx} role={role} purchase={purchase} words={ways} path={path} given={given} />
          </Suspense>
          {lanes.map(({ slot, payment }) =>
            payment ? (
              <RouteCard
                key={slot.id}
                payment={payment}
                role={role}
                of={t("laneTitle", { number: slot.slotIndex + 1 })}
              />
            ) : null,
          )}
          <Card>
            <CardHeader title={t("factsTitle")} />
            <Facts
              facts={[
                { name: t("factCreated"), value: <Moment at={row.createdAt} text={momentText(ways, row.createdAt)} /> },
                { name: t("factId"), value: <span className="break-all font-mono text-xs">{row.id}</span> },
                ...fact(t("factOrder"), row.orderId),
                ...fact(t("factMerchant"), purchase.merchant),
                ...fact(t("buyerTitle"), purchase.buyer?.name),
                ...fact(t("buyerEmail"), purchase.buyer?.email || payers[0]?.email),
                ...[...new Set(payers.flatMap(({ document }) => document ?? []))].map((document) => ({
                  name: t("buyerHolderDocument"),
                  value: maskTaxId(document),
                })),
                ...fact(t("factDescription"), row.description),
                ...fact(t("factStatement"), row.statementDescriptor),
                ...(row.sessionId
                  ? [
                      {
                        name: t("factSession"),
                        value: (
                          <Link href={`/dashboard/links/${row.sessionId}`} className="text-accent-ink underline">
                            {t("factOpenLink")}
                          </Link>
                        ),
                      },
                    ]
                  : []),
                ...Object.entries(row.metadata ?? {}).map(([name, value]) => ({ name, value: String(value) })),
              ]}
            />
          </Card>
        </div>
      </div>
      <p className="mt-6 text-ink-3 text-xs">{t("zone")}</p>
      <WhySheet
        ctx={ctx}
        role={role}
        chargeIds={lanes.flatMap(({ slot }) => slot.chargeId ?? [])}
        figure={oneOf(given, "why")}
        path={path}
        words={ways}
      />
      <ExplanationSheet
        ctx={ctx}
        role={role}
        path={path}
        given={given}
        subject={{
          paymentId: purchase.row.id,
          receivableId: oneOf(given, "part"),
          chargeId: lanes.find(({ slot }) => slot.chargeId === oneOf(given, "payment"))?.slot.chargeId ?? undefined,
          sellerId: oneOf(given, "of"),
        }}
      />
      {isPurchaseAction(asked) && actions.includes(asked) ? (
        <PurchaseConfirmation
          key={asked}
          action={asked}
          purchase={purchase}
          plan={await purchasePlanShown(ctx, role, row.id, asked)}
          byTwoAbove={asked === "refund" ? await refundedByTwoAbove(ctx, purchase) : null}
          planTexts={await planTexts()}
          path={path}
          words={ways}
        />
      ) : null}
    </>
  );
}

const fact = (name: string, value: string | null | undefined) => (value ? [{ name, value }] : []);
