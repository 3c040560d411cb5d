import { getFormatter, getTranslations } from "next-intl/server";
import { shownProviders, stateOf } from "@/app/(dashboard)/dashboard/_home/provider-states";
import { connectionNames } from "@/app/(dashboard)/dashboard/connection-names";
import { type HealthState, ProviderHealthCard } from "@/components/insights/provider-health";
import { kindName } from "@/components/merchants/provider-names";
import type { Context } from "@/lib/context";
import { type ProviderNow, providersNow } from "@/lib/insights/providers-now";
import type { OperatorRole } from "@/lib/operators/sessions";

const STATE_TEXTS = {
  healthy: "healthHealthy",
  degraded: "healthDegraded",
  failing: "healthFailing",
  idle: "healthIdle",
} as const satisfies Record<HealthState, string>;

interface ProvidersPanelProps {
  ctx: Context;
  role: OperatorRole;
  merchantId: string | undefined;
}

export async function ProvidersPanel({ ctx, role, merchantId }: ProvidersPanelProps) {
  const [t, rows, format] = await Promise.all([
    getTranslations("home"),
    providersNow(ctx, role, merchantId),
    getFormatter(),
  ]);
  const percent = (share: number) => format.number(share, { style: "percent", maximumFractionDigits: 1 });
  const ms = (value: number | undefined) => (value === undefined ? t("noRate") : t("ms", { ms: format.number(value) }));
  const { shown, left } = shownProviders(rows);
  const names = await connectionNames(
    ctx,
    role,
    shown.flatMap(({ id, isOneOfSeveral }) => (isOneOfSeveral ? [id] : [])),
  );
  /** A kind is named by itself while the account has one connection of it. */
  const nameOf = ({ id, provider, name, isOneOfSeveral }: ProviderNow) =>
    isOneOfSeveral ? (names[id] ?? name) : kindName(provider);
  const listOf = ({ id, provider, isOneOfSeveral }: ProviderNow) => {
    const asked = new URLSearchParams({ [isOneOfSeveral ? "connection" : "provider"]: isOneOfSeveral ? id : provider });
    asked.append("period", "today");
    if (merchantId) asked.append("merchant", merchantId);
    return `/dashboard/payments?${asked}`;
  };
  return (
    <ProviderHealthCard
      title={t("healthTitle")}
      description={t("healthText")}
      none={t("healthNone")}
      texts={{
        provider: t("healthProvider"),
        state: t("healthState"),
        attempts: t("healthAttempts"),
        approval: t("healthApproval"),
        troubled: t("healthTroubled"),
        p50: t("healthP50"),
        p95: t("healthP95"),
        lastSuccess: t("healthLastSuccess"),
      }}
      outages={shown
        .filter((row) => stateOf(row) === "failing")
        .map((row) => {
          const provider = nameOf(row);
          return {
            id: row.id,
            href: listOf(row),
            text: t("outage", { provider, troubled: row.newestTroubled, count: row.newest }),
            link: t("outageLink", { provider }),
          };
        })}
      more={left > 0 ? t("healthMore", { count: left }) : undefined}
      rows={shown.map((row) => {
        const state = stateOf(row);
        const answered = row.approved + row.declined;
        return {
          id: row.id,
          name: nameOf(row),
          href: listOf(row),
          state: { value: state, text: t(STATE_TEXTS[state]) },
          attempts: format.number(row.attempts),
          approval: answered > 0 ? percent(row.approved / answered) : t("noRate"),
          troubled: format.number(row.troubled),
          p50: ms(row.p50),
          p95: ms(row.p95),
          lastSuccess: row.lastSuccess
            ? { at: row.lastSuccess, text: format.dateTime(row.lastSuccess, { timeStyle: "short" }) }
            : undefined,
        };
      })}
    />
  );
}
