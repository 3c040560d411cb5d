"use client";

import dynamic from "next/dynamic";
import type { TrendPoint } from "@/components/insights/trend-chart";

/** The library of charts comes after the page, into a place that is already of its size. */
const Chart = dynamic(() => import("@/components/insights/trend-chart").then(({ TrendChart }) => TrendChart), {
  ssr: false,
  loading: () => <div aria-hidden className="h-48 animate-breathe rounded-md bg-sunken" />,
});

export interface TrendProps {
  points: readonly TrendPoint[];
  locale: string;
  /** What the two bars of a step are called, and how one is opened. */
  texts: { now: string; before: string; open: string };
}

/** For the eye alone: the same figures stand in a table beside it. */
export function Trend(props: TrendProps) {
  return (
    <div aria-hidden className="h-48 px-2">
      <Chart {...props} />
    </div>
  );
}
