"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";

/** A page that is there at once needs no bar. */
const AFTER_MS = 150;
/** A page that never comes says so itself; the bar does not stand for ever. */
const UNTIL_MS = 30_000;

/** Says that the press of a link was heard while the next page is on its way. */
export function TravelBar({ label }: { label: string }) {
  const here = `${usePathname()}?${useSearchParams()}`;
  const [from, setFrom] = useState<string>();
  useEffect(() => {
    let begins: ReturnType<typeof setTimeout>;
    const heard = (event: MouseEvent) => {
      if (!isToAnotherPage(event)) return;
      clearTimeout(begins);
      begins = setTimeout(() => setFrom(`${location.pathname}?${location.search.slice(1)}`), AFTER_MS);
    };
    document.addEventListener("click", heard);
    return () => {
      clearTimeout(begins);
      document.removeEventListener("click", heard);
    };
  }, []);
  useEffect(() => {
    if (from === undefined) return;
    const ends = setTimeout(() => setFrom(undefined), UNTIL_MS);
    return () => clearTimeout(ends);
  }, [from]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the address is another, the page is there
  useEffect(() => setFrom(undefined), [here]);
  return from === undefined ? null : (
    <div
      role="progressbar"
      aria-label={label}
      className="fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden bg-accent-soft print:hidden"
    >
      <div className="h-full w-1/3 animate-sweep bg-accent motion-reduce:w-full motion-reduce:animate-none" />
    </div>
  );
}

function isToAnotherPage(event: MouseEvent): boolean {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return false;
  return (
    link.origin === location.origin && `${link.pathname}${link.search}` !== `${location.pathname}${location.search}`
  );
}
