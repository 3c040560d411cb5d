import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import { STATUS_TONES, webhookWords } from "@/app/(dashboard)/dashboard/developers/webhooks/words";
import { EventName } from "@/components/dashboard/event-name";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import type { ListedDelivery } from "@/lib/webhooks/explorer";

const LIST = "/dashboard/developers/webhooks/deliveries";

interface RecentDeliveriesProps {
  webhookId: string;
  deliveries: readonly ListedDelivery[];
}

/** Whoever looks why a webhook fails need not search for what the endpoint said. */
export async function RecentDeliveries({ webhookId, deliveries }: RecentDeliveriesProps) {
  const [t, words, format] = await Promise.all([getTranslations("webhooks"), webhookWords(), getFormatter()]);
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("recentDeliveries")}
        actions={
          <LinkButton href={`${LIST}?webhook=${webhookId}`} size="sm">
            {t("recentAll")}
          </LinkButton>
        }
      />
      <ul className="divide-y divide-line">
        {deliveries.map(({ id, event, status, createdAt, lastStatusCode, lastError }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 text-sm">
            <Link href={`${LIST}/${id}`} className="min-w-0 grow basis-60 rounded-sm font-mono text-xs underline">
              <EventName name={event} />
            </Link>
            <span className="text-ink-2 empty:hidden">{words.answer(lastStatusCode, lastError)}</span>
            <Badge tone={STATUS_TONES[status]}>{words.status(status)}</Badge>
            <span className="text-ink-3 tabular-nums">
              {format.dateTime(createdAt, { dateStyle: "medium", timeStyle: "short" })}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
