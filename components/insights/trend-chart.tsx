"use client";

import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useTravel } from "@/components/dashboard/use-travel";
import type { TrendProps } from "@/components/insights/trend";

export interface TrendPoint {
  label: string;
  /** The payments behind it. */
  href: string;
  /** Whole units of money, for the axis. */
  volume: number;
  volumeText: string;
  before: number;
  beforeText: string;
}

const INK = { fill: "var(--ink-3)", fontSize: 11 };
const MARGIN = { top: 8, right: 12, bottom: 0, left: 0 };
const MOST_WIDE = 22;

/** One unit, from zero: the bars of this period beside those of the one before. */
export function TrendChart({ points, locale, texts }: TrendProps) {
  const travel = useTravel();
  const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
  const bar = { radius: 2, maxBarSize: MOST_WIDE, isAnimationActive: false } as const;
  return (
    <ResponsiveContainer width="100%" height="100%" minWidth={0}>
      <BarChart
        data={[...points]}
        margin={MARGIN}
        barGap={1}
        accessibilityLayer={false}
        onClick={({ activeTooltipIndex }) => {
          const href = points[Number(activeTooltipIndex)]?.href;
          if (href) travel.push(href);
        }}
        className="cursor-pointer"
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="label"
          tick={INK}
          tickLine={false}
          axisLine={{ stroke: "var(--line-strong)" }}
          interval="equidistantPreserveStart"
          minTickGap={28}
        />
        <YAxis
          tick={INK}
          tickLine={false}
          axisLine={false}
          width={60}
          tickFormatter={(value: number) => compact.format(value)}
        />
        <Tooltip
          cursor={{ fill: "var(--sunken)" }}
          isAnimationActive={false}
          content={({ active, payload }) => {
            // Guarantee: recharts hands back the very points it was given.
            const point = payload?.[0]?.payload as TrendPoint | undefined;
            return active && point ? <Tip point={point} texts={texts} /> : null;
          }}
        />
        <Bar dataKey="before" fill="var(--line-strong)" {...bar} />
        <Bar dataKey="volume" fill="var(--accent)" {...bar} />
      </BarChart>
    </ResponsiveContainer>
  );
}

function Tip({ point, texts }: { point: TrendPoint; texts: TrendProps["texts"] }) {
  return (
    <div className="rounded-md border border-line bg-raised px-3 py-2 text-xs shadow-lg">
      <p className="mb-1 font-medium text-ink">{point.label}</p>
      {[
        [texts.now, point.volumeText],
        [texts.before, point.beforeText],
      ].map(([name, value]) => (
        <p key={name} className="flex justify-between gap-6 text-ink-2 tabular-nums">
          <span>{name}</span>
          <span className="text-ink">{value}</span>
        </p>
      ))}
    </div>
  );
}
