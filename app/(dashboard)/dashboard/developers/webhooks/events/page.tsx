import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { WebhookTabs } from "@/app/(dashboard)/dashboard/developers/webhooks/tabs";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { PageHead } from "@/components/dashboard/page-head";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { EVENT_CATALOGUE } from "@/lib/event-catalogue/catalogue";
import { exampleOf } from "@/lib/event-catalogue/example";

const PAGE = "/dashboard/developers/webhooks/events";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("webhooks");
  return { title: t("tabEvents") };
}

export default async function EventsPage() {
  await requireRight(PAGE, "webhooks.see");
  const t = await getTranslations("webhooks");
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
                      <code className="font-mono text-ink text-xs">{event.name}</code>
                      {/* The catalogue is one text in every language: the API document repeats it. */}
                      <span lang="en" className="text-ink-2">
                        {event.when}
                      </span>
                    </summary>
                    <div className="px-5 pt-1 pb-5">
                      <CodeBlock
                        title={event.name}
                        code={JSON.stringify(exampleOf(event), null, 2)}
                        copyLabel={t("copyBody")}
                      />
                    </div>
                  </details>
                </li>
              ))}
            </ul>
          </Card>
        ))}
      </div>
    </>
  );
}
