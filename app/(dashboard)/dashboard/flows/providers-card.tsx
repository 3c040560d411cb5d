import {
  CheckCircle2,
  CircleHelp,
  type LucideIcon,
  MinusCircle,
  OctagonAlert,
  PauseCircle,
  RotateCw,
} from "lucide-react";
import { getFormatter, getTranslations } from "next-intl/server";
import { LIST } from "@/app/(dashboard)/dashboard/flows/words";
import { dayAndTime, SHORT_DAY } from "@/app/(dashboard)/day-and-time";
import { DataList } from "@/components/dashboard/data-list";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { COST_DAYS } from "@/lib/flows/provider-costs";
import { HEALTH_HOURS, type ProviderHealth } from "@/lib/flows/provider-health";
import type { MerchantView } from "@/lib/merchants/queries";
import { connectionStanding } from "@/lib/merchants/standing";
import { circuitOf } from "@/lib/payments/routing/health";
import { isAntifraudKind } from "@/lib/providers/kinds";

interface ProvidersCardProps {
  merchants: readonly MerchantView[];
  health: ReadonlyMap<string, ProviderHealth>;
  mayPause: boolean;
}

/**
 * Whom new payments can go to, in the order of priority that holds where no flow decides, and how each of them works;
 * numbered as on the merchant's page, whatever numbers the API was given.
 */
export async function ProvidersCard({ merchants, health, mayPause }: ProvidersCardProps) {
  const [t, format] = await Promise.all([getTranslations("flows"), getFormatter()]);
  const rows = merchants.flatMap(({ merchant, providers }) =>
    providers
      .map((provider, index) => ({ merchant, provider, place: index + 1 }))
      .filter(({ provider }) => !isAntifraudKind(provider.kind)),
  );
  if (rows.length === 0) return null;
  const percent = (rate: number, digits = 1) =>
    format.number(rate, { style: "percent", maximumFractionDigits: digits });
  const approval = ({ approved, declined }: ProviderHealth) =>
    approved + declined === 0 ? "–" : percent(approved / (approved + declined));
  const answered = ({ p50, p95 }: ProviderHealth) =>
    p50 === null || p95 === null ? "–" : t("healthAnswer", { p50, p95 });
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("providersTitle")} description={t("providersText")} />
      <DataList
        caption={t("providersTitle")}
        columns={[
          { key: "name", title: t("name") },
          { key: "status", title: t("status") },
          { key: "attempts", title: t("healthAttempts"), isNumeric: true },
          { key: "approval", title: t("healthApproval"), isNumeric: true, isFolded: true },
          { key: "answer", title: t("healthAnswerTitle"), isNumeric: true, isFolded: true },
          { key: "trouble", title: t("healthTrouble"), isFolded: true },
          { key: "cost", title: t("cost"), isNumeric: true },
        ]}
        {...(mayPause ? { actions: t("pause") } : {})}
        rows={rows.map(({ merchant, provider, place }) => {
          const { id, name, pausedAt } = provider;
          const seen = health.get(id);
          return {
            id,
            cells: [
              <span key="name" className="block">
                <span className="block wrap-anywhere font-medium text-ink">{name}</span>
                <span className="block whitespace-normal text-ink-3 text-xs">
                  {t("providerOf", { merchant: merchant.name ?? merchant.id, priority: place })}
                </span>
              </span>,
              <StatusBadge key="status" provider={provider} />,
              format.number(seen?.attempts ?? 0),
              seen ? approval(seen) : "–",
              seen ? answered(seen) : "–",
              <Trouble key="trouble" health={seen} />,
              seen && seen.cost !== null ? percent(seen.cost, 2) : "–",
            ],
            actions: mayPause ? (
              <LinkButton href={`${LIST}?do=pause&provider=${id}`} scroll={false} size="sm">
                {pausedAt ? t("resume") : t("pause")}
              </LinkButton>
            ) : undefined,
          };
        })}
      />
      <p className="border-line border-t px-5 py-3 text-ink-3 text-xs">
        {t("healthText", { hours: HEALTH_HOURS, days: COST_DAYS })}
      </p>
    </Card>
  );
}

type Provider = MerchantView["providers"][number];

const LOOKS = {
  open: { icon: OctagonAlert, tone: "danger", key: "circuitOpen" },
  half_open: { icon: RotateCw, tone: "warning", key: "circuitHalfOpen" },
  paused: { icon: PauseCircle, tone: "warning", key: "paused" },
  off: { icon: MinusCircle, tone: "neutral", key: "notAvailable" },
  untested: { icon: CircleHelp, tone: "warning", key: "standingUntested" },
  failed: { icon: OctagonAlert, tone: "warning", key: "standingFailed" },
  closed: { icon: CheckCircle2, tone: "success", key: "inUse" },
} as const satisfies Record<string, { icon: LucideIcon; tone: string; key: string }>;

function lookOf(provider: Provider): keyof typeof LOOKS {
  if (provider.pausedAt) return "paused";
  const standing = connectionStanding(provider);
  if (standing === "unavailable") return "off";
  const circuit = circuitOf(provider);
  return circuit === "closed" && standing !== "inUse" ? standing : circuit;
}

async function StatusBadge({ provider }: { provider: Provider }) {
  const [t, format] = await Promise.all([getTranslations("flows"), getFormatter()]);
  const { icon, tone, key } = LOOKS[lookOf(provider)];
  const { pausedAt } = provider;
  return (
    <span className="grid justify-items-start gap-0.5">
      <Badge tone={tone} icon={icon}>
        {t(key)}
      </Badge>
      {pausedAt ? (
        <span className="text-ink-3 text-xs">
          {t("pausedSince", {
            when: dayAndTime(format, pausedAt, SHORT_DAY, "short"),
          })}
        </span>
      ) : null}
    </span>
  );
}

/** What went without an answer, and how it ended: unknown is never called failed. */
async function Trouble({ health }: { health: ProviderHealth | undefined }) {
  const t = await getTranslations("flows");
  if (!health || health.notSent + health.unanswered.n === 0) return t("healthNone");
  const { n, approved, declined, absent, open } = health.unanswered;
  const ends = [
    approved > 0 ? t("endedApproved", { count: approved }) : "",
    declined > 0 ? t("endedDeclined", { count: declined }) : "",
    absent > 0 ? t("endedAbsent", { count: absent }) : "",
    open > 0 ? t("endedOpen", { count: open }) : "",
  ].filter(Boolean);
  return (
    <span className="block whitespace-normal text-xs">
      {health.notSent > 0 ? <span className="block">{t("healthNotSent", { count: health.notSent })}</span> : null}
      {n > 0 ? <span className="block">{t("healthUnanswered", { count: n, ends: ends.join(", ") })}</span> : null}
    </span>
  );
}
