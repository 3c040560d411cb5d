import { ShieldCheck } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { auditWords } from "@/app/(dashboard)/dashboard/audit/words";
import {
  alarmAction,
  setLimitsAction,
  setProtectionAction,
} from "@/app/(dashboard)/dashboard/settings/protection/actions";
import { alarmWords, byForce, LIMIT_TEXTS } from "@/app/(dashboard)/dashboard/settings/protection/words";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { EntryForm } from "@/components/sign-in/entry-form";
import { TaskButton } from "@/components/tasks/task-button";
import { TaskForm } from "@/components/tasks/task-form";
import { Badge } from "@/components/ui/badge";
import { Card, CardBody, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { cardPauses } from "@/lib/audit-trail/queries";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import { inSnapshot, now } from "@/lib/context";
import { findSession } from "@/lib/sessions/queries";
import { type AlarmRow, blockedCards, listActing, listAlarms } from "@/lib/velocity/alarms";
import { ADJUSTABLE, LIMIT_NAMES } from "@/lib/velocity/limits";
import { protectionOf } from "@/lib/velocity/protection";

const PAGE = "/dashboard/settings/protection";
const MOST_SHOWN = 50;
const HOURS = ["1", "6", "24", "168"] as const;
const DONE_TEXTS = {
  on: "doneOn",
  off: "doneOff",
  limits: "doneLimits",
  lifted: "doneLifted",
  extended: "doneExtended",
} as const;

/** Where card testing was seen. */
const PLACE_TEXTS = { link: "ofLink", key: "ofKey", merchant: "ofMerchant" } as const;
const HREFS: Readonly<Record<AlarmRow["scope"], (id: string) => string>> = {
  link: (id) => `/dashboard/links/${id}`,
  key: () => "/dashboard/developers/keys",
  merchant: (id) => `/dashboard/merchants/${id}`,
};

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("protection");
  return { title: t("title") };
}

export default async function ProtectionPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role, account } = await requireRight(withParameters(PAGE, given, {}), "protection.edit");
  const t = await getTranslations("protection");
  const [words, format, merchants] = await Promise.all([alarmWords(), getFormatter(), merchantsToChoose(ctx, role)]);
  const { isOn, stricter, limits } = await protectionOf(ctx);
  const { acting, past, cards, names, pauses } = await inSnapshot(ctx, async (inside) => {
    const live = await listActing(inside, MOST_SHOWN);
    const all = await listAlarms(inside, MOST_SHOWN);
    const linkIds = new Set([...live, ...all].filter(({ scope }) => scope === "link").map(({ refId }) => refId));
    const named = new Map(merchants.map(({ id, name }) => [id, name ?? id]));
    for (const id of linkIds) {
      const link = await findSession(inside, id);
      named.set(id, link ? words.link(link) : id);
    }
    return {
      acting: live,
      past: all.filter(({ liftedAt, until }) => liftedAt !== null || until <= now(inside)),
      cards: await blockedCards(inside, limits.card.sessions, MOST_SHOWN),
      names: named,
      pauses: await cardPauses(
        inside,
        [...live, ...all].filter(({ cause }) => cause === "person").map(({ refId }) => refId),
        MOST_SHOWN,
      ),
    };
  });
  const people = await auditWords(
    ctx,
    pauses.map(({ actor }) => actor),
  );
  const why = (alarm: AlarmRow) => {
    // The newest first: the last that is not before the alarm is its own.
    const pause = pauses.findLast(({ objectId, accountAt }) => objectId === alarm.refId && accountAt >= alarm.raisedAt);
    const cause = words.cause(alarm, pause && people.actor(pause.actor));
    return alarm.note ? t("causeBecause", { cause, reason: alarm.note }) : cause;
  };
  const done = oneOf(given, "done");
  const doing = oneOf(given, "do");
  const { inForce, onlyCounted } = byForce(acting, isOn);
  const chosen = inForce.find(({ id }) => id === oneOf(given, "alarm"));
  const date = (at: Date) => format.dateTime(at, { dateStyle: "medium", timeStyle: "short" });
  const nameOf = ({ scope, refId }: AlarmRow) => t(PLACE_TEXTS[scope], { name: names.get(refId) ?? refId });
  const hrefOf = ({ scope, refId }: AlarmRow) => HREFS[scope](refId);
  return (
    <>
      <PageHead title={t("title")} description={t("description")} />
      {done && Object.hasOwn(DONE_TEXTS, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote text={t(DONE_TEXTS[done as keyof typeof DONE_TEXTS])} />
      ) : null}
      <div className="grid grid-cols-1 gap-6">
        <Card>
          <CardHeader
            title={t("protection")}
            description={account.mode === "live" ? t("alwaysOn") : isOn ? t("isOn") : t("isOff")}
            actions={
              account.mode === "sandbox" ? (
                <TaskButton
                  text={isOn ? t("turnOff") : t("turnOn")}
                  hidden={{ how: isOn ? "off" : "on" }}
                  onAct={setProtectionAction}
                />
              ) : (
                <Badge tone="success">{t("on")}</Badge>
              )
            }
          />
          <CardBody>
            <p className="max-w-3xl text-ink-2 text-sm">{t("how")}</p>
          </CardBody>
        </Card>
        <Card className="overflow-hidden">
          <CardHeader title={t("acting")} description={t("actingText")} />
          {inForce.length === 0 ? (
            <EmptyState icon={ShieldCheck} title={t("noneTitle")}>
              {t("noneText")}
            </EmptyState>
          ) : (
            <DataList
              caption={t("acting")}
              columns={[
                { key: "where", title: t("where"), isWhole: true },
                { key: "what", title: t("what") },
                { key: "why", title: t("why"), isWhole: true },
                { key: "until", title: t("ends"), isNumeric: true },
              ]}
              actions={t("decide")}
              rows={inForce.map((alarm) => ({
                id: alarm.id,
                href: hrefOf(alarm),
                cells: [nameOf(alarm), words.effect(alarm), why(alarm), date(alarm.until)],
                actions: (
                  <>
                    <LinkButton href={`${PAGE}?do=lift&alarm=${alarm.id}`} scroll={false} size="sm">
                      {t("lift")}
                    </LinkButton>
                    <LinkButton href={`${PAGE}?do=extend&alarm=${alarm.id}`} scroll={false} size="sm">
                      {t("extend")}
                    </LinkButton>
                  </>
                ),
              }))}
            />
          )}
        </Card>
        {onlyCounted.length > 0 ? (
          <Card className="overflow-hidden">
            <CardHeader title={t("onlyCounted")} description={t("onlyCountedText")} />
            <DataList
              caption={t("onlyCounted")}
              columns={[
                { key: "where", title: t("where"), isWhole: true },
                { key: "what", title: t("wouldBe") },
                { key: "why", title: t("why"), isWhole: true },
                { key: "until", title: t("ends"), isNumeric: true },
              ]}
              rows={onlyCounted.map((alarm) => ({
                id: alarm.id,
                href: hrefOf(alarm),
                cells: [nameOf(alarm), words.effect(alarm), why(alarm), date(alarm.until)],
              }))}
            />
          </Card>
        ) : null}
        {cards.length > 0 ? (
          <Card className="overflow-hidden">
            <CardHeader title={t("cards")} description={isOn ? t("cardsText") : t("cardsTextOff")} />
            <DataList
              caption={t("cards")}
              columns={[
                { key: "card", title: t("card") },
                { key: "links", title: t("links"), isNumeric: true },
                { key: "until", title: t("ends"), isNumeric: true },
              ]}
              rows={cards.map(({ bin, last4, links, until }) => ({
                id: `${bin}${last4}${until.getTime()}`,
                cells: [t("cardNumber", { bin, last4: last4 ?? "••••" }), format.number(links), date(until)],
              }))}
            />
          </Card>
        ) : null}
        <Card>
          <CardHeader title={t("limits")} description={t("limitsText")} />
          <CardBody className="max-w-4xl">
            <EntryForm
              isPart
              isWide
              key={JSON.stringify(stricter)}
              onAct={setLimitsAction}
              button={t("saveLimits")}
              fields={LIMIT_NAMES.map((name) => ({
                name,
                label: t(LIMIT_TEXTS[name]),
                hint: t("limitHint", { most: ADJUSTABLE[name] }),
                kind: "number" as const,
                initial: stricter[name]?.toString() ?? "",
              }))}
            />
          </CardBody>
        </Card>
        {past.length > 0 ? (
          <Card className="overflow-hidden">
            <CardHeader title={t("past")} description={isOn ? undefined : t("pastTextOff")} />
            <DataList
              caption={t("past")}
              columns={[
                { key: "where", title: t("where"), isWhole: true },
                { key: "what", title: t("what") },
                { key: "why", title: t("why"), isWhole: true },
                { key: "at", title: t("began"), isNumeric: true },
                { key: "end", title: t("ended"), isNumeric: true },
              ]}
              rows={past.map((alarm) => ({
                id: alarm.id,
                href: hrefOf(alarm),
                cells: [
                  nameOf(alarm),
                  words.effect(alarm),
                  why(alarm),
                  date(alarm.raisedAt),
                  alarm.liftedAt ? t("liftedAt", { when: date(alarm.liftedAt) }) : date(alarm.until),
                ],
              }))}
            />
          </Card>
        ) : null}
      </div>
      {chosen && (doing === "lift" || doing === "extend") ? (
        <ActionDialog
          title={doing === "lift" ? t("liftTitle") : t("extendTitle")}
          text={t(doing === "lift" ? "liftText" : "extendText", { what: words.effect(chosen), where: nameOf(chosen) })}
          closeHref={PAGE}
        >
          <TaskForm
            hidden={{ alarm: chosen.id, ref: chosen.refId, how: doing }}
            onAct={alarmAction}
            closeHref={PAGE}
            texts={await taskTexts(doing === "lift" ? t("lift") : t("extend"))}
            fields={[
              ...(doing === "extend"
                ? [
                    {
                      name: "hours",
                      label: t("longer"),
                      kind: "choice" as const,
                      initial: "1",
                      options: HOURS.map((hours) => ({ value: hours, label: t("hours", { hours: Number(hours) }) })),
                    },
                  ]
                : []),
              { name: "reason", label: t("reason"), hint: t("reasonHint"), isRequired: true },
            ]}
          />
        </ActionDialog>
      ) : null}
    </>
  );
}
