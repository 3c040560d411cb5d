import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { cache } from "react";
import { commitAction } from "@/app/(dashboard)/dashboard/payouts/prepayments/actions";
import {
  PREPAYMENT_LOOKS,
  PREPAYMENT_TEXTS,
  PREPAYMENTS,
  prepaymentWords,
} from "@/app/(dashboard)/dashboard/payouts/prepayments/words";
import { ExplanationSheet } from "@/app/(dashboard)/explanation-sheet";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { planTexts, shownPlan } from "@/app/(dashboard)/plan-words";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { PlanFacts } from "@/components/charges/plan-facts";
import { BackLink } from "@/components/dashboard/back-link";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { PageLinks } from "@/components/dashboard/page-links";
import { WhyLink } from "@/components/dashboard/why-link";
import { TaskForm } from "@/components/tasks/task-form";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { LinkButton } from "@/components/ui/link-button";
import { systemDb } from "@/db/client";
import type { Context } from "@/lib/context";
import { prepaymentPlan } from "@/lib/dry-runs/operator";
import { needsTwo, proposerOf } from "@/lib/finance/commit";
import { type PrepaymentOverview, prepaymentOverview } from "@/lib/finance/prepayments";
import { namesOf } from "@/lib/operators/names";
import { may } from "@/lib/operators/permissions";
import { unlimited } from "@/lib/operators/reach";

interface PrepaymentPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

const DONE = { committed: "doneCommitted", proposed: "doneProposed" } as const;

const read = cache(async (id: string, after: string | undefined) => {
  const member = await requireRight(`${PREPAYMENTS}/${id}`, "payouts.see");
  return { ...member, overview: await orNotFound(prepaymentOverview(member.ctx, member.role, id, after)) };
});

export async function generateMetadata({ params, searchParams }: PrepaymentPageProps): Promise<Metadata> {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const [{ overview }, { t, money }] = await Promise.all([read(id, oneOf(given, "after")), prepaymentWords()]);
  return tabTitle(money(overview.row.netAmount), t("one"));
}

export default async function PrepaymentPage({ params, searchParams }: PrepaymentPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const path = `${PREPAYMENTS}/${id}`;
  const { ctx, role, overview } = await read(id, oneOf(given, "after"));
  const { row } = overview;
  const { t, money, day } = await prepaymentWords();
  const done = oneOf(given, "done") ?? "";
  const canCommit = row.status === "pending" && may(role, "prepayment.commit");
  const dry = canCommit && oneOf(given, "do") === "commit" ? await prepaymentPlan(ctx, role, id) : undefined;
  const plan = dry && (await shownPlan(ctx, role, dry, { isNet: true }));
  const [gross, net, cost] = [money(row.grossAmount), money(row.netAmount), money(row.grossAmount - row.netAmount)];
  return (
    <>
      <BackLink href={PREPAYMENTS} text={t("title")} />
      {Object.hasOwn(DONE, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote text={t(DONE[done as keyof typeof DONE])} />
      ) : null}
      <header className="mt-3 mb-6 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <h1 className="font-semibold text-3xl text-ink tabular-nums">
              <span className="sr-only">{t("one")}: </span>
              <WhyLink href={why(path, "net")}>{net}</WhyLink>
            </h1>
            <Badge {...PREPAYMENT_LOOKS[row.status]}>{t(PREPAYMENT_TEXTS[row.status])}</Badge>
          </div>
          <p className="mt-2 max-w-2xl text-ink-2">{await sentenceOf(overview, path)}</p>
          <p className="mt-1 text-ink-3 text-xs">{t("bankZone")}</p>
        </div>
        {canCommit ? (
          <LinkButton href={`${path}?do=commit`} scroll={false} tone="primary" className="max-sm:h-11">
            {t("commit")}
          </LinkButton>
        ) : null}
      </header>
      {row.status === "pending" ? <Waits ctx={ctx} id={id} /> : null}
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <ItemsCard overview={overview} path={path} given={given} />
        <AboutCard overview={overview} path={path} />
      </div>
      <ExplanationSheet ctx={ctx} role={role} path={path} given={given} subject={{ prepaymentId: id }} />
      {canCommit && oneOf(given, "do") === "commit" ? (
        <ActionDialog
          title={t("commitTitle", { net, gross })}
          text={t("commitText", { cost, day: day(row.paymentDate) })}
          closeHref={path}
        >
          <TaskForm
            hidden={{ id, planHash: plan?.hash ?? "" }}
            onAct={commitAction}
            closeHref={path}
            texts={await taskTexts(t("commitButton", { net }))}
          >
            {plan ? <PlanFacts plan={plan} texts={await planTexts()} /> : null}
            {(await needsTwo(unlimited(ctx), row)) ? <p className="text-ink-2 text-sm">{t("commitTwo")}</p> : null}
          </TaskForm>
        </ActionDialog>
      ) : null}
    </>
  );
}

/** Somebody asked for it, and another person has to confirm. */
async function Waits({ ctx, id }: { ctx: Context; id: string }) {
  const first = await proposerOf(unlimited(ctx), id);
  if (first === undefined) return null;
  const [t, names] = await Promise.all([getTranslations("prepayments"), namesOf(systemDb(), ctx.account.id, [first])]);
  return (
    <p className="mb-5 rounded-md bg-warning-soft px-4 py-2.5 text-sm text-warning">
      {t("waits", { who: names.get(first) ?? t("somebody") })}
    </p>
  );
}

const why = (path: string, figure: string) => `${path}?why=prepayment.${figure}`;

async function sentenceOf({ row, count }: PrepaymentOverview, path: string): Promise<ReactNode> {
  const { t, day, moment, money } = await prepaymentWords();
  const amounts = {
    grossAmount: money(row.grossAmount),
    costAmount: money(row.grossAmount - row.netAmount),
    count,
    gross: (text: ReactNode) => <WhyLink href={why(path, "gross")}>{text}</WhyLink>,
    cost: (text: ReactNode) => <WhyLink href={why(path, "cost")}>{text}</WhyLink>,
  };
  if (row.status === "pending")
    return t.rich("saidPending", { ...amounts, until: moment(row.expiresAt), day: day(row.paymentDate) });
  if (row.status === "committed") return t.rich("saidCommitted", { ...amounts, day: day(row.paymentDate) });
  if (row.status === "paid") return t.rich("saidPaid", { ...amounts, day: day(row.paymentDate) });
  return t("saidExpired", { until: moment(row.expiresAt) });
}

interface ItemsCardProps {
  overview: PrepaymentOverview;
  path: string;
  given: GivenParameters;
}

async function ItemsCard({ overview: { items, count, next }, path, given }: ItemsCardProps) {
  const { t, money, day, cost } = await prepaymentWords();
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("items")} description={t("itemsText", { count })} />
      <DataList
        caption={t("items")}
        columns={[
          { key: "what", title: t("receivable") },
          { key: "order", title: t("order"), isWhole: true },
          { key: "day", title: t("settlesOn"), isNumeric: true },
          { key: "early", title: t("early"), isNumeric: true },
          { key: "gross", title: t("gross"), isNumeric: true },
          { key: "cost", title: t("cost"), isNumeric: true },
          { key: "net", title: t("net"), isNumeric: true },
        ]}
        rows={items.map(({ row, payment }) => ({
          id: row.id,
          href: `/dashboard/payments/${payment.id}`,
          cells: [
            payment.installments > 1
              ? t("installment", { number: payment.installment ?? 1, count: payment.installments })
              : t("single"),
            payment.orderId ?? t("none"),
            day(row.settlementDate),
            t("days", { days: row.daysToAnticipate }),
            money(row.grossAmount),
            t("costText", {
              amount: money(row.grossAmount - row.netAmount),
              rate: cost(row.grossAmount, row.netAmount),
            }),
            money(row.netAmount),
          ],
        }))}
      />
      <div className="px-5 py-3 empty:hidden">
        <PageLinks
          label={t("pages")}
          previous={{ href: undefined, text: t("newer") }}
          next={{ href: next && withParameters(path, given, { after: next, do: undefined }), text: t("more") }}
        />
      </div>
    </Card>
  );
}

async function AboutCard({ overview: { row, seller }, path }: { overview: PrepaymentOverview; path: string }) {
  const { t, money, day, moment, rate, cost } = await prepaymentWords();
  return (
    <Card className="self-start">
      <CardHeader title={t("about")} />
      <Facts
        facts={[
          { name: t("whose"), value: seller ?? t("own") },
          { name: t("gross"), value: <WhyLink href={why(path, "gross")}>{money(row.grossAmount)}</WhyLink> },
          {
            name: t("cost"),
            value: (
              <WhyLink href={why(path, "cost")}>
                {t("costText", {
                  amount: money(row.grossAmount - row.netAmount),
                  rate: cost(row.grossAmount, row.netAmount),
                })}
              </WhyLink>
            ),
          },
          { name: t("net"), value: <WhyLink href={why(path, "net")}>{money(row.netAmount)}</WhyLink> },
          {
            name: t("monthly"),
            value: t("ratesOf", {
              total: rate(row.monthlyRateBps + row.markupBps),
              monthly: rate(row.monthlyRateBps),
              markup: rate(row.markupBps),
            }),
          },
          { name: t("paidOn"), value: day(row.paymentDate) },
          { name: t("createdAt"), value: moment(row.createdAt) },
          ...(row.committedAt ? [{ name: t("committedAt"), value: moment(row.committedAt) }] : []),
          { name: t("how"), value: row.automatic ? t("automatic") : t("byHand") },
          {
            name: t("id"),
            value: (
              <span className="flex items-center gap-1">
                <span className="break-all font-mono text-xs">{row.id}</span>
                <CopyButton text={row.id} label={t("copyId")} />
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}
