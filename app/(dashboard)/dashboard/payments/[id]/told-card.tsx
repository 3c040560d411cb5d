import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { STATUS_TONES, webhookWords } from "@/app/(dashboard)/dashboard/developers/webhooks/words";
import type { Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { exactText } from "@/app/(dashboard)/dashboard/payments/[id]/times";
import { Moment } from "@/components/dashboard/moment";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import type { ToldEvent } from "@/lib/charges/overview";
import type { Context } from "@/lib/context";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { deliveriesOf, untakenAmong } from "@/lib/webhooks/of-events";

const DELIVERIES = "/dashboard/developers/webhooks/deliveries";

interface ToldCardProps {
  ctx: Context;
  role: OperatorRole;
  object: "transaction" | "purchase";
  entityId: string;
  told: readonly ToldEvent[];
  words: Words;
}

/** What happened, and how the client's system was told of it, if any webhook was there for it. */
export async function ToldCard({ ctx, role, object, entityId, told, words }: ToldCardProps) {
  const [t, say] = await Promise.all([getTranslations("payments"), webhookWords()]);
  const ids = told.map(({ id }) => id);
  const [deliveries, untaken] = await Promise.all([deliveriesOf(ctx, role, ids), untakenAmong(ctx, role, ids)]);
  const isNoneTaken = told.length > 0 && told.every(({ id }) => untaken.has(id));
  return (
    <Card>
      <CardHeader title={t("eventsTitle")} description={isNoneTaken ? t("eventsUntaken") : t("eventsText")} />
      {told.length === 0 ? <p className="px-5 py-4 text-ink-2 text-sm">{t("eventsEmpty")}</p> : null}
      <ol className="divide-y divide-line">
        {told.map(({ id, event, at }) => (
          <li key={id} className="px-5 py-2.5">
            <div className="flex items-baseline justify-between gap-3">
              <code className="min-w-0 truncate font-mono text-ink text-xs">{[object, event].join(".")}</code>
              <Moment at={at} text={exactText(words, at)} className="text-ink-3 text-xs" />
            </div>
            {untaken.has(id) && !isNoneTaken ? <p className="mt-1 text-ink-3 text-xs">{t("eventUntaken")}</p> : null}
            <ul>
              {deliveries
                .filter(({ eventId }) => eventId === id)
                .map((delivery) => (
                  <li key={delivery.id} className="mt-1.5 flex items-center gap-2 text-xs">
                    <Badge tone={STATUS_TONES[delivery.status]}>{say.status(delivery.status)}</Badge>
                    <Link
                      href={`${DELIVERIES}/${delivery.id}`}
                      prefetch={false}
                      className="inline-flex min-h-6 min-w-0 flex-1 items-center text-ink-2 hover:text-ink hover:underline"
                    >
                      <span className="truncate">{delivery.endpoint}</span>
                    </Link>
                    {delivery.isOpen && may(role, "webhooks.resend") ? (
                      <Link
                        href={`${DELIVERIES}/${delivery.id}?do=resend`}
                        prefetch={false}
                        className="inline-flex min-h-6 items-center whitespace-nowrap text-accent-ink underline underline-offset-2"
                      >
                        {t("eventResend")}
                      </Link>
                    ) : null}
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ol>
      {deliveries.length > 0 ? (
        <p className="border-line border-t px-5 py-2.5 text-sm">
          <Link href={`${DELIVERIES}?q=${entityId}`} className="text-accent-ink underline underline-offset-2">
            {t("eventAll")}
          </Link>
        </p>
      ) : null}
    </Card>
  );
}
