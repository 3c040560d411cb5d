"use client";

import { usePathname } from "next/navigation";
import { StatusTabs } from "@/components/charges/status-tabs";

interface PlaceTabsProps {
  label: string;
  tabs: readonly { href: string; text: string }[];
}

/** Tabs of a layout, which is not told where it stands. */
export function PlaceTabs({ label, tabs }: PlaceTabsProps) {
  const path = usePathname();
  const isHere = (href: string) => path === href || path.startsWith(`${href}/`);
  return (
    <div className="mb-6 [&_ul]:px-0">
      <StatusTabs label={label} tabs={tabs.map((tab) => ({ ...tab, isHere: isHere(tab.href) }))} />
    </div>
  );
}
