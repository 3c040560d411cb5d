import { getFormatter, getTranslations } from "next-intl/server";
import { type HealthState, ProviderHealthCard } from "@/components/insights/provider-health";
import type { Context } from "@/lib/context";
import { FAILING_SHARE, FEWEST_ATTEMPTS, type ProviderNow, providersNow } from "@/lib/insights/providers-now";
import type { OperatorRole } from "@/lib/operators/sessions";

const DEGRADED_SHARE = 0.05;

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
  const list = (provider: string) =>
    `/dashboard/payments?${new URLSearchParams({ provider, period: "today", ...(merchantId ? { merchant: merchantId } : {}) })}`;
  return (
    <ProviderHealthCard
      title={t("healthTitle")}
      description={t("healthText")}
      none={t("healthNone")}
      texts={{
        provider: t("healthProvider"),
        state: t("healthState"),
        attempts: t("healthAttempts"),
        approval: t("approvalRate"),
        troubled: t("healthTroubled"),
        p50: t("healthP50"),
        p95: t("healthP95"),
        lastSuccess: t("healthLastSuccess"),
      }}
      outages={rows
        .filter((row) => stateOf(row) === "failing")
        .map(({ provider, newest, newestTroubled }) => ({
          provider,
          href: list(provider),
          text: t("outage", { provider, troubled: newestTroubled, count: newest }),
          link: t("outageLink", { provider }),
        }))}
      rows={rows.map((row) => {
        const state = stateOf(row);
        const answered = row.approved + row.declined;
        return {
          name: row.provider,
          href: list(row.provider),
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

/** By the newest attempts: what went well an hour ago says nothing of now. */
function stateOf({ newest, newestTroubled, troubled, attempts }: ProviderNow): HealthState {
  if (newest < FEWEST_ATTEMPTS) return newestTroubled > 0 ? "degraded" : "idle";
  if (newestTroubled / newest >= FAILING_SHARE) return "failing";
  return newestTroubled > 0 && troubled / attempts >= DEGRADED_SHARE ? "degraded" : "healthy";
}
