import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { sampleAction } from "@/app/(dashboard)/dashboard/developers/webhooks/actions";
import { eventWords } from "@/app/(dashboard)/dashboard/developers/webhooks/event-words";
import { sampleOpenedAt } from "@/app/(dashboard)/dashboard/developers/webhooks/sample";
import { WebhookTabs } from "@/app/(dashboard)/dashboard/developers/webhooks/tabs";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { EventName } from "@/components/dashboard/event-name";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskForm } from "@/components/tasks/task-form";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { LinkButton } from "@/components/ui/link-button";
import { type Context, inSnapshot } from "@/lib/context";
import { EVENT_CATALOGUE } from "@/lib/event-catalogue/catalogue";
import { exampleOf } from "@/lib/event-catalogue/example";
import { may } from "@/lib/operators/permissions";
import { listWebhooks } from "@/lib/webhooks/queries";

const PAGE = "/dashboard/developers/webhooks/events";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("webhooks");
  return { title: t("tabEvents") };
}

export default async function EventsPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(PAGE, "webhooks.see");
  const [t, when] = await Promise.all([getTranslations("webhooks"), eventWords()]);
  const maySample = may(role, "webhooks.edit") && ctx.account.mode === "sandbox";
  const asked = EVENT_CATALOGUE.find(({ name }) => name === oneOf(given, "event"));
  const objects = [...new Set(EVENT_CATALOGUE.map(({ object }) => object))];
  return (
    <>
      <PageHead title={t("title")} description={t("catalogueText")} />
      <WebhookTabs here="events" />
      <div className="grid grid-cols-1 gap-6">
        {objects.map((object) => (
          <Card key={object} className="overflow-hidden">
            <h2 className="border-line border-b px-5 py-3.5 font-mono font-semibold text-base text-ink">{object}</h2>
            <ul className="divide-y divide-line">
              {EVENT_CATALOGUE.filter((event) => event.object === object).map((event) => (
                <li key={event.name}>
                  <details>
                    <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2 text-sm -outline-offset-2 hover:bg-sunken">
                      <code className="font-mono text-ink text-xs sm:w-72">
                        <EventName name={event.name} />
                      </code>
                      <span className="text-ink-2">{when(event.name)}</span>
                    </summary>
                    <div className="px-5 pt-1 pb-5">
                      <CodeBlock
                        title={event.name}
                        code={JSON.stringify(exampleOf(event), null, 2)}
                        copyLabel={t("copyBody")}
                      />
                      {maySample ? (
                        <div className="mt-3">
                          <LinkButton href={`${PAGE}?event=${event.name}`} scroll={false} size="sm">
                            {t("sample")}
                          </LinkButton>
                        </div>
                      ) : null}
                    </div>
                  </details>
                </li>
              ))}
            </ul>
          </Card>
        ))}
      </div>
      {maySample && asked ? <SampleDialog ctx={ctx} event={asked.name} webhookId={oneOf(given, "webhook")} /> : null}
    </>
  );
}

const MOST_WEBHOOKS = 100;

interface SampleDialogProps {
  ctx: Context;
  event: string;
  /** Where it begins. */
  webhookId: string | undefined;
}

async function SampleDialog({ ctx, event, webhookId }: SampleDialogProps) {
  const t = await getTranslations("webhooks");
  const { items } = await inSnapshot(ctx, (inside) =>
    listWebhooks(inside, { page: 1, limit: MOST_WEBHOOKS, order: "desc" }),
  );
  const closeHref = sampleOpenedAt(webhookId);
  const options = items.filter(({ status }) => status).map(({ id, endpoint }) => ({ value: id, label: endpoint }));
  return (
    <ActionDialog
      title={t("sampleTitle", { event })}
      text={options.length > 0 ? t("sampleText") : t("sampleNowhere")}
      closeHref={closeHref}
    >
      {options.length > 0 ? (
        <TaskForm
          hidden={{ event }}
          onAct={sampleAction}
          closeHref={closeHref}
          texts={await taskTexts(t("sampleButton"))}
          fields={[{ name: "webhook", label: t("endpoint"), kind: "choice", options, initial: webhookId }]}
        />
      ) : (
        <div className="flex justify-end px-5 pt-4 pb-5">
          <LinkButton href="/dashboard/developers/webhooks?do=create" tone="primary">
            {t("create")}
          </LinkButton>
        </div>
      )}
    </ActionDialog>
  );
}
