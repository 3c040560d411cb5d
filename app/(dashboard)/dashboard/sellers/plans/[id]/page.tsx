import type { Metadata } from "next";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { cache } from "react";
import { SimulatorCard } from "@/app/(dashboard)/dashboard/sellers/plans/[id]/simulator-card";
import {
  addRateAction,
  changePlanAction,
  checkPlanAction,
  checkRateAction,
  retireRateAction,
  switchPlanAction,
} from "@/app/(dashboard)/dashboard/sellers/plans/actions";
import {
  METHOD_TEXTS,
  planFields,
  REFUNDABLE_TEXTS,
  rateFields,
} from "@/app/(dashboard)/dashboard/sellers/plans/fields";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { isUnnamedDefault, planNamer } from "@/app/(dashboard)/plan-names";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { BackLink } from "@/components/dashboard/back-link";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskButton } from "@/components/tasks/task-button";
import { TaskForm } from "@/components/tasks/task-form";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { noonOf, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { BRAND_NAMES, type Brand } from "@/lib/brazil/card-brand";
import { inSnapshot, now } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { bpsToPercent } from "@/lib/money";
import { may } from "@/lib/operators/permissions";
import { shownRates } from "@/lib/sale-plans/rates";
import { salePlanAt } from "@/lib/sale-plans/service";

const LIST = "/dashboard/sellers/plans";
const DONE_TEXTS = { created: "doneCreated", saved: "doneSaved", rate: "doneRate", retired: "doneRetired" } as const;

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}`, "sellers.see");
  return {
    ...member,
    plan: await orNotFound(
      isUuid(id) ? inSnapshot(member.ctx, (inside) => salePlanAt(inside, id)) : Promise.reject(notFound("sale plan")),
    ),
  };
});

export async function generateMetadata({ params }: PlanPageProps): Promise<Metadata> {
  const [{ plan }, t, nameOf] = await Promise.all([read((await params).id), getTranslations("salePlans"), planNamer()]);
  return tabTitle(nameOf(plan.row), t("title"));
}

interface PlanPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

export default async function SalePlanPage({ params, searchParams }: PlanPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const path = `${LIST}/${id}`;
  const { ctx, role, plan } = await read(id);
  const { row } = plan;
  const [t, format, locale, nameOf] = await Promise.all([
    getTranslations("salePlans"),
    getFormatter(),
    getLocale(),
    planNamer(),
  ]);
  const mayEdit = may(role, "plans.edit");
  const today = saoPauloDay(now(ctx));
  const rates = shownRates(plan.rates, today);
  const money = (cents: number) => formatCents(cents, "BRL", locale);
  const percent = (bps: number) => t("percent", { percent: bpsToPercent(bps) });
  const done = oneOf(given, "done");
  const doing = mayEdit ? oneOf(given, "do") : undefined;
  const replaced = rates.find((rate) => rate.id === oneOf(given, "rate"));
  const dayOf = (day: string) => format.dateTime(noonOf(day), { dateStyle: "medium" });
  const isToCome = replaced !== undefined && replaced.effectiveFrom > today;
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      <PageHead
        title={
          <span className="inline-flex flex-wrap items-center gap-3">
            {nameOf(row)}
            {row.isDefault && !isUnnamedDefault(row) ? <Badge tone="success">{t("default")}</Badge> : null}
            {row.status === "inactive" ? <Badge tone="neutral">{t("off")}</Badge> : null}
          </span>
        }
        description={row.isDefault ? t("defaultText") : undefined}
        action={
          mayEdit && !row.isDefault ? (
            <>
              {row.status === "active" ? (
                <TaskButton text={t("makeDefault")} hidden={{ id, how: "default" }} onAct={switchPlanAction} />
              ) : null}
              <TaskButton
                text={row.status === "active" ? t("turnOff") : t("turnOn")}
                hidden={{ id, how: row.status === "active" ? "off" : "on" }}
                onAct={switchPlanAction}
              />
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
          <Card className="overflow-hidden">
            <CardHeader
              title={t("rates")}
              description={t("ratesText")}
              actions={
                mayEdit ? (
                  <LinkButton href={`${path}?do=rate`} scroll={false} size="sm" tone="primary">
                    {t("newRate")}
                  </LinkButton>
                ) : null
              }
            />
            {rates.length === 0 ? (
              <p className="px-5 py-6 text-ink-3 text-sm">{t("ratesNone")}</p>
            ) : (
              <DataList
                caption={t("rates")}
                columns={[
                  { key: "what", title: t("method") },
                  { key: "price", title: t("price"), isNumeric: true },
                  { key: "back", title: t("back"), isMinor: true },
                  { key: "from", title: t("validFrom"), isNumeric: true },
                ]}
                {...(mayEdit ? { actions: t("replace") } : {})}
                rows={rates.map((rate) => ({
                  id: rate.id,
                  cells: [
                    [
                      t(METHOD_TEXTS[rate.paymentMethod]),
                      // Guarantee: written from the same list of brands.
                      rate.brand ? BRAND_NAMES[rate.brand as Brand] : undefined,
                      rate.paymentMethod === "credit"
                        ? rate.installmentFrom === rate.installmentTo
                          ? t("times", { count: rate.installmentTo })
                          : t("band", { from: rate.installmentFrom, to: rate.installmentTo })
                        : undefined,
                    ]
                      .filter(Boolean)
                      .join(" · "),
                    t("priceOf", { percent: percent(rate.percentageBps), fixed: money(rate.fixedAmount) }),
                    t(REFUNDABLE_TEXTS[rate.refundable]),
                    <span key="from" className="inline-flex items-center gap-2">
                      {rate.effectiveFrom > today ? <Badge tone="info">{t("toCome")}</Badge> : null}
                      {dayOf(rate.effectiveFrom)}
                    </span>,
                  ],
                  actions: mayEdit ? (
                    <>
                      <LinkButton href={`${path}?do=rate&rate=${rate.id}`} scroll={false} size="sm">
                        {t("replace")}
                      </LinkButton>
                      <LinkButton href={`${path}?do=retire&rate=${rate.id}`} scroll={false} size="sm" tone="quiet">
                        {t(rate.effectiveFrom > today ? "callOff" : "retire")}
                      </LinkButton>
                    </>
                  ) : null,
                }))}
              />
            )}
          </Card>
          <SimulatorCard rates={plan.rates} today={today} given={given} path={path} />
        </div>
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
              { name: t("payoutFee"), value: money(row.withdrawalFee) },
              { name: t("minimumPayout"), value: money(row.minimumPayout) },
              { name: t("monthlyRate"), value: percent(row.monthlyRateBps) },
              { name: t("markup"), value: percent(row.markupBps) },
              { name: t("id"), value: <span className="break-all font-mono text-xs">{row.id}</span> },
            ]}
          />
        </Card>
      </div>
      {doing === "terms" ? (
        <ActionDialog title={t("terms")} text={t("termsText")} closeHref={path}>
          <TaskForm
            hidden={{ id }}
            onAct={changePlanAction}
            onCheck={checkPlanAction}
            closeHref={path}
            texts={await taskTexts(t("save"))}
            fields={await planFields(row)}
          />
        </ActionDialog>
      ) : null}
      {doing === "rate" ? (
        <ActionDialog title={replaced ? t("replaceTitle") : t("newRate")} text={t("rateText")} closeHref={path}>
          <TaskForm
            hidden={{ id }}
            onAct={addRateAction}
            onCheck={checkRateAction}
            closeHref={path}
            texts={await taskTexts(t("addRate"))}
            fields={await rateFields(today, replaced)}
          />
        </ActionDialog>
      ) : null}
      {doing === "retire" && replaced ? (
        <ActionDialog
          title={t(isToCome ? "callOffTitle" : "retireTitle")}
          text={isToCome ? t("callOffText", { day: dayOf(replaced.effectiveFrom) }) : t("retireText")}
          closeHref={path}
        >
          <TaskForm
            hidden={{ id, rate: replaced.id }}
            isDangerous
            onAct={retireRateAction}
            closeHref={path}
            texts={await taskTexts(t(isToCome ? "callOff" : "retire"))}
          />
        </ActionDialog>
      ) : null}
    </>
  );
}
