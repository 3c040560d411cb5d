import { getTranslations } from "next-intl/server";
import { Card, CardHeader } from "@/components/ui/card";
import { SESSION_ABSOLUTE_SECONDS, SESSION_IDLE_SECONDS } from "@/lib/operators/sessions";
import { KEPT_DAYS, type KeptFor } from "@/lib/retention";

const FOR_GOOD = ["keptPayments", "keptLedger", "keptAudit", "keptPurchaseKeys"] as const;

const FOR_DAYS = [
  ["events", "keptEvents"],
  ["webhookDeliveries", "keptDeliveries"],
  ["webhookAttempts", "keptAttempts"],
  ["requestLogs", "keptRequests"],
  ["idempotencyKeys", "keptKeys"],
  ["notices", "keptNotices"],
  ["emails", "keptEmails"],
  ["signInAttempts", "keptSignIns"],
  ["knownDevices", "keptDevices"],
  ["cardTries", "keptTries"],
] as const satisfies readonly (readonly [KeptFor, string])[];

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;

/** What is kept how long, by the numbers that the sweeps delete by. */
export async function RetentionCard() {
  const t = await getTranslations("retention");
  const rows = [
    ...FOR_GOOD.map((what) => ({ what: t(what), long: t("forGood") })),
    ...FOR_DAYS.map(([kept, what]) => ({ what: t(what), long: t("days", { count: KEPT_DAYS[kept] }) })),
    {
      what: t("keptSessions"),
      long: t("sessions", {
        minutes: SESSION_IDLE_SECONDS / MINUTE_SECONDS,
        hours: SESSION_ABSOLUTE_SECONDS / HOUR_SECONDS,
      }),
    },
  ];
  return (
    <Card>
      <CardHeader title={t("title")} description={t("description")} />
      <dl className="grid gap-x-12 px-5 py-2 text-sm lg:grid-cols-2">
        {rows.map(({ what, long }) => (
          <div
            key={what}
            className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 border-line border-b py-2.5 last:border-0 lg:[&:nth-last-child(2):nth-child(odd)]:border-0"
          >
            <dt className="text-ink">{what}</dt>
            <dd className="text-ink-2 tabular-nums">{long}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
