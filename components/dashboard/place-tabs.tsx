"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { StatusTabs } from "@/components/charges/status-tabs";

interface PlaceTabsProps {
  label: string;
  tabs: readonly { href: string; text: string }[];
}

const middleOf = (element: HTMLElement): number => {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
};

/** Tabs of a layout, which is not told where it stands. */
export function PlaceTabs({ label, tabs }: PlaceTabsProps) {
  const path = usePathname();
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another tab
  useEffect(() => {
    const tab = box.current?.querySelector<HTMLElement>("[aria-current]");
    const bar = tab?.closest("nav");
    // On a phone the tabs are wider than the screen.
    if (tab && bar) bar.scrollLeft += middleOf(tab) - middleOf(bar);
  }, [path]);
  const isHere = (href: string) => path === href || path.startsWith(`${href}/`);
  return (
    <div ref={box} className="mb-6 [&_ul]:px-0">
      <StatusTabs label={label} tabs={tabs.map((tab) => ({ ...tab, isHere: isHere(tab.href) }))} />
    </div>
  );
}
