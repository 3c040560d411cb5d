"use client";

import { Area, Bar, CartesianGrid, ComposedChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { TrendProps } from "@/components/insights/trend";

export interface TrendPoint {
  label: string;
  /** Whole units of money, for the axis. */
  volume: number;
  volumeText: string;
  approved: number;
  declined: number;
}

const INK = { fill: "var(--ink-3)", fontSize: 11 };
const MARGIN = { top: 8, right: 12, bottom: 0, left: 0 };

export function TrendChart({ points, locale, texts }: TrendProps) {
  const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
  return (
    <ResponsiveContainer width="100%" height="100%" minWidth={0}>
      <ComposedChart data={[...points]} margin={MARGIN} accessibilityLayer={false}>
        <defs>
          <linearGradient id="trend-volume" x1="0" y1="0" x2="0" y2="1">
            <stop offset="0%" stopColor="var(--accent)" stopOpacity={0.28} />
            <stop offset="100%" stopColor="var(--accent)" stopOpacity={0.02} />
          </linearGradient>
        </defs>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="label"
          tick={INK}
          tickLine={false}
          axisLine={{ stroke: "var(--line-strong)" }}
          minTickGap={28}
        />
        <YAxis
          yAxisId="money"
          tick={INK}
          tickLine={false}
          axisLine={false}
          width={48}
          tickFormatter={(value: number) => compact.format(value)}
        />
        <YAxis yAxisId="count" orientation="right" hide domain={[0, (most: number) => Math.max(4, most * 3)]} />
        <Tooltip
          cursor={{ stroke: "var(--line-strong)" }}
          isAnimationActive={false}
          content={({ active, payload }) => {
            // Guarantee: recharts hands back the very points it was given.
            const point = payload?.[0]?.payload as TrendPoint | undefined;
            return active && point ? <Tip point={point} texts={texts} /> : null;
          }}
        />
        <Bar
          yAxisId="count"
          dataKey="declined"
          fill="var(--danger)"
          fillOpacity={0.55}
          maxBarSize={14}
          radius={[2, 2, 0, 0]}
          isAnimationActive={false}
        />
        <Area
          yAxisId="money"
          dataKey="volume"
          type="monotone"
          stroke="var(--accent)"
          strokeWidth={2}
          fill="url(#trend-volume)"
          isAnimationActive={false}
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

function Tip({ point, texts }: { point: TrendPoint; texts: TrendProps["texts"] }) {
  return (
    <div className="rounded-md border border-line bg-raised px-3 py-2 text-xs shadow-lg">
      <p className="mb-1 font-medium text-ink">{point.label}</p>
      {[
        [texts.volume, point.volumeText],
        [texts.approved, point.approved],
        [texts.declined, point.declined],
      ].map(([name, value]) => (
        <p key={name} className="flex justify-between gap-6 text-ink-2 tabular-nums">
          <span>{name}</span>
          <span className="text-ink">{value}</span>
        </p>
      ))}
    </div>
  );
}
