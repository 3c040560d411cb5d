import { Webhook } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { createWebhookAction } from "@/app/(dashboard)/dashboard/developers/webhooks/actions";
import { WebhookTabs } from "@/app/(dashboard)/dashboard/developers/webhooks/tabs";
import { endpointHint, webhookWords } from "@/app/(dashboard)/dashboard/developers/webhooks/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskForm } from "@/components/tasks/task-form";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { inSnapshot, now } from "@/lib/context";
import { EVENT_GROUPS, EVENT_NAMES } from "@/lib/event-names";
import { may } from "@/lib/operators/permissions";
import { everSent } from "@/lib/webhooks/ever-sent";
import { backlogOf } from "@/lib/webhooks/explorer";
import { listWebhooks } from "@/lib/webhooks/queries";

const PAGE = "/dashboard/developers/webhooks";
const MOST_SHOWN = 100;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("webhooks");
  return { title: t("title") };
}

export default async function WebhooksPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(PAGE, "webhooks.see");
  const [t, words, format] = await Promise.all([getTranslations("webhooks"), webhookWords(), getFormatter()]);
  const { items, backlogs, sent } = await inSnapshot(ctx, async (inside) => {
    const page = await listWebhooks(inside, { page: 1, limit: MOST_SHOWN, order: "desc" });
    const ids = page.items.map(({ id }) => id);
    return { items: page.items, backlogs: await backlogOf(inside, ids), sent: await everSent(inside, ids) };
  });
  const mayEdit = may(role, "webhooks.edit");
  const create = mayEdit ? (
    <LinkButton href={`${PAGE}?do=create`} scroll={false} tone="primary" data-new>
      {t("create")}
    </LinkButton>
  ) : null;
  return (
    <>
      <PageHead title={t("title")} description={t("description")} action={items.length > 0 ? create : null} />
      <WebhookTabs here="endpoints" />
      {oneOf(given, "done") === "deleted" ? <DoneNote text={t("doneDeleted")} /> : null}
      <Card className="overflow-hidden">
        {items.length === 0 ? (
          <EmptyState icon={Webhook} title={t("emptyTitle")} action={create}>
            {t("emptyText")}
          </EmptyState>
        ) : (
          <DataList
            caption={t("tabEndpoints")}
            columns={[
              { key: "endpoint", title: t("endpoint") },
              { key: "event", title: t("event") },
              { key: "health", title: t("health") },
              { key: "waiting", title: t("waiting"), isNumeric: true },
              { key: "exhausted", title: t("countExhausted"), isNumeric: true, isMinor: true },
            ]}
            rows={items.map((webhook) => {
              const backlog = backlogs.get(webhook.id);
              const health = words.health(webhook, sent.has(webhook.id), now(ctx));
              return {
                id: webhook.id,
                href: `${PAGE}/${webhook.id}`,
                cells: [
                  webhook.endpoint,
                  webhook.event === "*" ? t("allEvents") : webhook.event,
                  <Badge key="health" tone={health.tone}>
                    {health.text}
                  </Badge>,
                  format.number((backlog?.scheduled ?? 0) + (backlog?.sending ?? 0) + (backlog?.held ?? 0)),
                  format.number(backlog?.exhausted ?? 0),
                ],
              };
            })}
          />
        )}
      </Card>
      {mayEdit && oneOf(given, "do") === "create" ? (
        <ActionDialog title={t("createTitle")} text={t("createText")} closeHref={PAGE}>
          <TaskForm
            onAct={createWebhookAction}
            closeHref={PAGE}
            texts={await taskTexts(t("createButton"))}
            fields={[
              { name: "endpoint", label: t("endpoint"), hint: await endpointHint(ctx.account), isRequired: true },
              {
                name: "event",
                label: t("event"),
                kind: "choice",
                initial: "*",
                options: [
                  { value: "*", label: t("allEvents") },
                  ...[...EVENT_GROUPS, ...EVENT_NAMES].map((name) => ({ value: name, label: name })),
                ],
              },
            ]}
          />
        </ActionDialog>
      ) : null}
    </>
  );
}
