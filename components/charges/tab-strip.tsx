"use client";

import { type ReactNode, useEffect, useRef } from "react";

interface TabStripProps {
  label: string;
  /** The tab that is open. */
  here: string | undefined;
  children: ReactNode;
}

const middleOf = (element: HTMLElement): number => {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
};

/** On a phone the tabs are wider than the screen: the open one comes into sight. */
export function TabStrip({ label, here, children }: TabStripProps) {
  const strip = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another tab
  useEffect(() => {
    const tab = strip.current?.querySelector<HTMLElement>("[aria-current]");
    if (tab && strip.current) strip.current.scrollLeft += middleOf(tab) - middleOf(strip.current);
  }, [here]);
  return (
    <nav ref={strip} aria-label={label} className="min-w-0 flex-1 overflow-x-auto">
      {children}
    </nav>
  );
}
