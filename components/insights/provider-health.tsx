import { CheckCircle2, type LucideIcon, MinusCircle, OctagonAlert, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { DataList } from "@/components/dashboard/data-list";
import { Moment } from "@/components/dashboard/moment";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { classes } from "@/components/ui/classes";

export type HealthState = "healthy" | "degraded" | "failing" | "idle";

export interface ProviderHealthRow {
  id: string;
  name: string;
  /** Its payments. */
  href: string;
  state: { value: HealthState; text: string };
  attempts: string;
  approval: string;
  troubled: string;
  p50: string;
  p95: string;
  lastSuccess: { at: Date; text: string } | undefined;
}

export interface Outage {
  id: string;
  href: string;
  text: string;
  link: string;
}

const LOOKS = {
  healthy: { icon: CheckCircle2, tone: "success" },
  degraded: { icon: TriangleAlert, tone: "warning" },
  failing: { icon: OctagonAlert, tone: "danger" },
  idle: { icon: MinusCircle, tone: "neutral" },
} as const satisfies Record<HealthState, { icon: LucideIcon; tone: string }>;

interface ProviderHealthProps {
  title: string;
  description: string;
  none: string;
  rows: readonly ProviderHealthRow[];
  /** Providers that do not answer now, named. */
  outages: readonly Outage[];
  /** Said of those without a row. */
  more: string | undefined;
  texts: Record<"provider" | "state" | "attempts" | "approval" | "troubled" | "p50" | "p95" | "lastSuccess", string>;
}

export function ProviderHealthCard({ title, description, none, rows, outages, more, texts }: ProviderHealthProps) {
  return (
    <Card className={classes("overflow-hidden", outages.length > 0 ? "order-1" : "order-5")}>
      <CardHeader title={title} description={rows.length > 0 ? description : undefined} />
      {outages.map(({ id, href, text, link }) => (
        <p
          key={id}
          role="alert"
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t bg-danger-soft px-5 py-3 text-danger text-sm"
        >
          <OctagonAlert aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 flex-1 font-medium">{text}</span>
          <Link href={href} className="inline-flex min-h-6 items-center underline underline-offset-2">
            {link}
          </Link>
        </p>
      ))}
      {rows.length === 0 ? (
        <p className="px-5 py-6 text-ink-3 text-sm">{none}</p>
      ) : (
        <DataList
          caption={title}
          columns={[
            { key: "provider", title: texts.provider },
            { key: "state", title: texts.state },
            { key: "attempts", title: texts.attempts, isNumeric: true },
            { key: "approval", title: texts.approval, isNumeric: true },
            { key: "troubled", title: texts.troubled, isNumeric: true },
            { key: "p50", title: texts.p50, isNumeric: true },
            { key: "p95", title: texts.p95, isNumeric: true },
            { key: "last", title: texts.lastSuccess, isNumeric: true, isMinor: true },
          ]}
          rows={rows.map(({ id, name, href, state, attempts, approval, troubled, p50, p95, lastSuccess }) => {
            const { icon, tone } = LOOKS[state.value];
            return {
              id,
              href,
              cells: [
                name,
                <Badge key="state" tone={tone} icon={icon}>
                  {state.text}
                </Badge>,
                attempts,
                approval,
                troubled,
                p50,
                p95,
                lastSuccess ? <Moment key="last" {...lastSuccess} /> : null,
              ],
            };
          })}
        />
      )}
      {more ? <p className="border-line border-t px-5 py-3 text-ink-3 text-sm">{more}</p> : null}
    </Card>
  );
}
