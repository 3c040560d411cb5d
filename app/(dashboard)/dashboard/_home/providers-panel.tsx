import { getFormatter, getTranslations } from "next-intl/server";
import { type HealthState, ProviderHealthCard } from "@/components/insights/provider-health";
import { type Context, now } from "@/lib/context";
import { type ProviderHealth, providerHealthOf } from "@/lib/insights/figures";
import type { OperatorRole } from "@/lib/operators/sessions";
import { addSeconds } from "@/lib/time";

/** How far back "now" reaches. */
const LATELY_SECONDS = 3_600;
/** Fewer attempts than this say nothing. */
const FEWEST_ATTEMPTS = 3;
const DEGRADED_SHARE = 0.05;
const FAILING_SHARE = 0.3;

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
  const at = now(ctx);
  const t = await getTranslations("home");
  const [rows, format] = await Promise.all([
    providerHealthOf(ctx, role, { from: addSeconds(at, -LATELY_SECONDS), until: addSeconds(at, 1), merchantId }),
    getFormatter(),
  ]);
  const percent = (share: number) => format.number(share, { style: "percent", maximumFractionDigits: 1 });
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
        latency: t("healthLatency"),
      }}
      rows={rows.map((row) => {
        const state = stateOf(row);
        const answered = row.approved + row.declined;
        return {
          name: row.provider,
          state: { value: state, text: t(STATE_TEXTS[state]) },
          attempts: format.number(row.attempts),
          approval: answered > 0 ? percent(row.approved / answered) : t("noRate"),
          troubled: format.number(row.troubled),
          latency: row.averageMs === undefined ? t("noRate") : t("ms", { ms: format.number(row.averageMs) }),
        };
      })}
    />
  );
}

function stateOf({ attempts, troubled }: ProviderHealth): HealthState {
  if (attempts < FEWEST_ATTEMPTS) return troubled > 0 ? "degraded" : "idle";
  const share = troubled / attempts;
  if (share >= FAILING_SHARE) return "failing";
  return share >= DEGRADED_SHARE ? "degraded" : "healthy";
}
