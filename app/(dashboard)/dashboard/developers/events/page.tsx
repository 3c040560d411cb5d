import { Inbox, Pause, Play } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { CsvButton } from "@/app/(dashboard)/csv-button";
import { EventSheet } from "@/app/(dashboard)/dashboard/developers/events/event-sheet";
import { WebhookTabs } from "@/app/(dashboard)/dashboard/developers/webhooks/tabs";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { EventName } from "@/components/dashboard/event-name";
import { ListKeys } from "@/components/dashboard/list-keys";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { PageLinks } from "@/components/dashboard/page-links";
import { Refresher } from "@/components/insights/refresher";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { may } from "@/lib/operators/permissions";
import { readInbox } from "@/lib/webhooks/inbox";

const PAGE = "/dashboard/developers/events";
const EVERY_MS = 3_000;
const SHORT_ID = 8;
const LISTEN = "npx trilho listen --forward-to http://localhost:4242/hook";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("events");
  return { title: t("title") };
}

export default async function EventsInboxPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role, account } = await requireRight(withParameters(PAGE, given, {}), "webhooks.see");
  const after = oneOf(given, "after");
  const [t, format, { items, next }] = await Promise.all([
    getTranslations("events"),
    getFormatter(),
    readInbox(ctx, role, { after, objectId: oneOf(given, "object") }),
  ]);
  const mayRead = may(role, "requests.see");
  const chosen = oneOf(given, "event");
  // An older page stands still, and so does the list under an open event.
  const isLive = oneOf(given, "live") !== "off" && !after && !chosen;
  return (
    <>
      <PageHead
        title={t("title")}
        description={t("description")}
        aside={t("zone")}
        action={items.length > 0 ? <CsvButton path={PAGE} given={given} place={["event", "live"]} /> : null}
      />
      <WebhookTabs here="inbox" />
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <Badge tone={isLive ? "success" : "neutral"}>{isLive ? t("live") : t("paused")}</Badge>
        {isLive ? (
          <LinkButton href={withParameters(PAGE, given, { live: "off" })} scroll={false} size="sm">
            <Pause aria-hidden />
            {t("pause")}
          </LinkButton>
        ) : (
          <LinkButton
            href={withParameters(PAGE, given, { live: undefined, after: undefined })}
            scroll={false}
            size="sm"
          >
            <Play aria-hidden />
            {t("resume")}
          </LinkButton>
        )}
      </div>
      <Card className="overflow-hidden">
        {items.length === 0 ? (
          <EmptyState
            icon={Inbox}
            title={t("emptyTitle")}
            action={
              account.mode === "sandbox" && may(role, "sandbox.control") ? (
                <LinkButton href="/dashboard/developers/sandbox">{t("trigger")}</LinkButton>
              ) : null
            }
          >
            {t("emptyText")}
          </EmptyState>
        ) : (
          <DataList
            caption={t("title")}
            columns={[
              { key: "name", title: t("event") },
              { key: "object", title: t("object") },
              { key: "version", title: t("version"), isNumeric: true, isMinor: true },
              { key: "at", title: t("at"), isNumeric: true },
            ]}
            rows={items.map((event) => ({
              id: event.id,
              href: mayRead ? withParameters(PAGE, given, { event: event.id }) : undefined,
              cells: [
                <span key="name" className="font-mono text-xs">
                  <EventName name={event.name} />
                </span>,
                <span key="object" className="font-mono text-xs" title={event.entityId}>
                  {event.entityId.slice(-SHORT_ID)}
                </span>,
                format.number(event.entityVersion),
                <Moment
                  key="at"
                  at={event.createdAt}
                  text={format.dateTime(event.createdAt, { dateStyle: "medium", timeStyle: "medium" })}
                />,
              ],
            }))}
          />
        )}
        <div className="px-5 py-3 empty:hidden">
          <PageLinks
            label={t("pages")}
            previous={{ href: after && withParameters(PAGE, given, { after: undefined }), text: t("first") }}
            next={{ href: next && withParameters(PAGE, given, { after: next }), text: t("next") }}
          />
        </div>
      </Card>
      <section aria-labelledby="forward-title" className="mt-6">
        <h2 id="forward-title" className="font-semibold text-base text-ink">
          {t("forwardTitle")}
        </h2>
        <p className="mt-0.5 mb-3 max-w-2xl text-ink-2 text-sm">{t("forwardText")}</p>
        <CodeBlock title="bash" code={LISTEN} copyLabel={t("forwardCopy")} className="max-w-2xl" />
      </section>
      {chosen && mayRead ? (
        <EventSheet
          ctx={ctx}
          role={role}
          id={chosen}
          closeHref={withParameters(PAGE, given, { event: undefined, do: undefined })}
        />
      ) : null}
      {isLive ? <Refresher everyMs={EVERY_MS} /> : null}
      <ListKeys searchId="" />
    </>
  );
}
