import { History } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import { cache } from "react";
import { MonitorDialogs } from "@/app/(dashboard)/dashboard/settings/alerts/[id]/dialogs";
import { RehearsalCard } from "@/app/(dashboard)/dashboard/settings/alerts/[id]/rehearsal-card";
import { muteMonitorAction } from "@/app/(dashboard)/dashboard/settings/alerts/actions";
import { MonitorState } from "@/app/(dashboard)/dashboard/settings/alerts/state";
import { monitorWords } from "@/app/(dashboard)/dashboard/settings/alerts/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { tabTitle } from "@/app/(dashboard)/tab-title";
import { BackLink } from "@/components/dashboard/back-link";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { Facts } from "@/components/dashboard/facts";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskButton } from "@/components/tasks/task-button";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { inSnapshot } from "@/lib/context";
import { findMonitor, isMuted } from "@/lib/monitors/service";
import { may } from "@/lib/operators/permissions";
import { isTakenByWebhook } from "@/lib/webhooks/queries";

const LIST = "/dashboard/settings/alerts";
const DONE_TEXTS = { created: "doneCreated", saved: "doneSaved", muted: "doneMuted", heard: "doneHeard" } as const;

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}`, "monitors.see");
  return { ...member, found: await orNotFound(findMonitor(member.ctx, member.role, id)) };
});

export async function generateMetadata({ params }: MonitorPageProps): Promise<Metadata> {
  const [{ found }, t] = await Promise.all([read((await params).id), getTranslations("alerts")]);
  return tabTitle(found.monitor.name, t("one"));
}

interface MonitorPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<GivenParameters>;
}

export default async function MonitorPage({ params, searchParams }: MonitorPageProps) {
  const [{ id }, given] = await Promise.all([params, searchParams]);
  const path = `${LIST}/${id}`;
  const { ctx, role, found } = await read(id);
  const { monitor, events } = found;
  const isTaken = await inSnapshot(ctx, (inside) => isTakenByWebhook(inside, "monitor", "fired"));
  const [t, words, format] = await Promise.all([getTranslations("alerts"), monitorWords(), getFormatter()]);
  const when = (at: Date) => <Moment at={at} text={format.dateTime(at, { dateStyle: "medium", timeStyle: "short" })} />;
  const done = oneOf(given, "done");
  const doing = oneOf(given, "do");
  const mayEdit = may(role, "monitors.edit");
  const muted = isMuted(ctx, monitor);
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      <PageHead
        title={monitor.name}
        description={words.rule(monitor)}
        action={
          <>
            <LinkButton href={`${path}?do=test`} scroll={false}>
              {t("test")}
            </LinkButton>
            {mayEdit ? (
              <>
                {muted ? (
                  <TaskButton text={t("unmute")} hidden={{ id }} onAct={muteMonitorAction} />
                ) : (
                  <LinkButton href={`${path}?do=mute`} scroll={false}>
                    {t("mute")}
                  </LinkButton>
                )}
                <LinkButton href={`${path}?do=edit`} scroll={false}>
                  {t("edit")}
                </LinkButton>
                <LinkButton href={`${path}?do=delete`} scroll={false} tone="quiet">
                  {t("delete")}
                </LinkButton>
              </>
            ) : null}
          </>
        }
      />
      {done && Object.hasOwn(DONE_TEXTS, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote text={t(DONE_TEXTS[done as keyof typeof DONE_TEXTS])} />
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid grid-cols-1 gap-6">
          {doing === "test" ? <RehearsalCard ctx={ctx} role={role} watch={monitor} /> : null}
          <Card className="overflow-hidden">
            <CardHeader title={t("history")} description={t("historyText")} />
            {events.length === 0 ? (
              <p className="flex items-center gap-2.5 px-5 py-6 text-ink-3 text-sm">
                <History aria-hidden className="size-4" />
                {t("noHistory")}
              </p>
            ) : (
              <DataList
                caption={t("history")}
                columns={[
                  { key: "what", title: t("what") },
                  { key: "value", title: t("value"), isNumeric: true },
                  { key: "limit", title: t("limit"), isNumeric: true },
                  { key: "samples", title: t("samples"), isNumeric: true },
                  { key: "at", title: t("at"), isNumeric: true },
                ]}
                rows={events.map((event) => ({
                  id: event.id,
                  cells: [
                    <Badge key="what" tone={event.kind === "fired" ? "danger" : "success"}>
                      {event.kind === "fired" ? t("fired") : t("recovered")}
                    </Badge>,
                    words.amount(monitor.metric, event.value),
                    words.amount(monitor.metric, event.limitValue),
                    format.number(event.samples),
                    <span key="at">{when(event.windowUntil)}</span>,
                  ],
                }))}
              />
            )}
          </Card>
        </div>
        <Card>
          <CardHeader title={t("about")} />
          <Facts
            facts={[
              { name: t("state"), value: <MonitorState ctx={ctx} monitor={monitor} /> },
              {
                name: t("now"),
                value: monitor.value === null ? t("littleNow") : words.amount(monitor.metric, monitor.value),
              },
              { name: t("samples"), value: format.number(monitor.samples ?? 0) },
              ...(monitor.since ? [{ name: t("since"), value: when(monitor.since) }] : []),
              ...(muted && monitor.mutedUntil ? [{ name: t("mutedUntil"), value: when(monitor.mutedUntil) }] : []),
              {
                name: t("tells"),
                value: format.list(
                  [
                    t("tellsDashboard"),
                    ...(monitor.byEmail ? [t("tellsEmail")] : []),
                    ...(monitor.byWebhook ? [t("tellsWebhook")] : []),
                  ],
                  { type: "conjunction" },
                ),
              },
              ...(monitor.byWebhook && !isTaken
                ? [
                    {
                      name: t("webhooks"),
                      value: may(role, "webhooks.see") ? (
                        <Link href="/dashboard/developers/webhooks" className="text-accent-ink underline">
                          {t("noWebhook")}
                        </Link>
                      ) : (
                        t("noWebhook")
                      ),
                    },
                  ]
                : []),
            ]}
          />
        </Card>
      </div>
      {doing && mayEdit ? <MonitorDialogs doing={doing} monitor={monitor} path={path} /> : null}
    </>
  );
}
