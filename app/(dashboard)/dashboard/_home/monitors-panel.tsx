import { BellRing } from "lucide-react";
import { getFormatter, getTranslations } from "next-intl/server";
import { MonitorState } from "@/app/(dashboard)/dashboard/settings/alerts/state";
import { monitorWords } from "@/app/(dashboard)/dashboard/settings/alerts/words";
import { DataList } from "@/components/dashboard/data-list";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import type { Context } from "@/lib/context";
import { listMonitors } from "@/lib/monitors/service";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

const PAGE = "/dashboard/settings/alerts";
const MOST_SHOWN = 5;

/** Those that fire come first. */
export async function MonitorsPanel({ ctx, role }: { ctx: Context; role: OperatorRole }) {
  const [t, words, format, monitors] = await Promise.all([
    getTranslations("home"),
    monitorWords(),
    getFormatter(),
    listMonitors(ctx, role),
  ]);
  const firing = monitors.filter(({ state }) => state === "firing").length;
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("monitorsTitle")}
        description={monitors.length > 0 ? t("monitorsText", { firing, count: monitors.length }) : undefined}
        actions={
          monitors.length > 0 ? (
            <LinkButton href={PAGE} size="sm">
              {t("monitorsAll")}
            </LinkButton>
          ) : null
        }
      />
      {monitors.length === 0 ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4 text-sm">
          <BellRing aria-hidden className="size-4 text-ink-3" />
          <p className="min-w-0 flex-[1_1_12rem] text-ink-2">{t("monitorsNone")}</p>
          {may(role, "monitors.edit") ? (
            <LinkButton href={PAGE} size="sm">
              {t("monitorsFirst")}
            </LinkButton>
          ) : null}
        </div>
      ) : (
        <DataList
          caption={t("monitorsTitle")}
          columns={[
            { key: "name", title: t("monitor") },
            { key: "state", title: t("healthState") },
            { key: "value", title: t("monitorNow"), isNumeric: true },
            { key: "since", title: t("monitorSince"), isNumeric: true, isMinor: true },
          ]}
          rows={monitors.slice(0, MOST_SHOWN).map((monitor) => ({
            id: monitor.id,
            href: `${PAGE}/${monitor.id}`,
            cells: [
              monitor.name,
              <MonitorState key="state" ctx={ctx} monitor={monitor} />,
              monitor.value === null ? t("noRate") : words.amount(monitor.metric, monitor.value),
              monitor.since ? format.dateTime(monitor.since, { dateStyle: "medium", timeStyle: "short" }) : t("noRate"),
            ],
          }))}
        />
      )}
    </Card>
  );
}
