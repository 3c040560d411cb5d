import { ShieldAlert } from "lucide-react";
import { getFormatter, getTranslations } from "next-intl/server";
import { alarmWords } from "@/app/(dashboard)/dashboard/settings/protection/words";
import type { AlarmRow } from "@/lib/velocity/alarms";

interface AlarmNotesProps {
  alarms: readonly AlarmRow[];
  /** Who closed the cards by hand, where it is known. */
  closedBy: string | undefined;
}

/** What acts on a link now, beside the link itself. */
export async function AlarmNotes({ alarms, closedBy }: AlarmNotesProps) {
  if (alarms.length === 0) return null;
  const t = await getTranslations("protection");
  const [words, format] = await Promise.all([alarmWords(), getFormatter()]);
  return (
    <ul aria-label={t("acting")} className="mb-6 grid gap-2">
      {alarms.map((alarm) => (
        <li
          key={alarm.id}
          className="flex wrap-anywhere items-start gap-2.5 rounded-md bg-warning-soft px-4 py-2.5 text-sm text-warning"
        >
          <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>
            {t("until", {
              what: words.effect(alarm),
              when: format.dateTime(alarm.until, { dateStyle: "medium", timeStyle: "short" }),
            })}{" "}
            {words.cause(alarm, closedBy)}
            {alarm.note ? <span className="block">{t("because", { reason: alarm.note })}</span> : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
