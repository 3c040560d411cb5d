"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { destinationOf, linkClickOf } from "@/components/dashboard/leaving";

/** A page that is there at once needs no bar. */
const AFTER_MS = 150;
/** A link that leads to no page, such as to a file without saying so, is not waited for. */
const UNTIL_MS = 15_000;

/** Says that the press of a link was heard while the next page is on its way. */
export function TravelBar({ label }: { label: string }) {
  const here = `${usePathname()}?${useSearchParams()}`;
  const [left, setLeft] = useState<string>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const end = (): void => {
      clearTimeout(timer);
      setLeft(undefined);
    };
    const heard = (event: MouseEvent): void => {
      if (!isToAnotherPage(event)) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        setLeft(here);
        timer = setTimeout(end, UNTIL_MS);
      }, AFTER_MS);
    };
    document.addEventListener("click", heard);
    return () => {
      end();
      document.removeEventListener("click", heard);
    };
  }, [here]);
  // Of the page that was left; on the next one nothing is waited for.
  return left !== here ? null : (
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
  const click = linkClickOf(event);
  const to = click && destinationOf(click, location.href);
  return to !== undefined && `${to.pathname}${to.search}` !== `${location.pathname}${location.search}`;
}
