"use client";

import { ArrowLeft, ChevronLeft, ChevronRight } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { recallList } from "@/components/charges/list-memory";
import { rememberRow } from "@/components/dashboard/list-place";
import { isSingleKey } from "@/components/dashboard/single-keys";
import { useTravel } from "@/components/dashboard/use-travel";

interface NeighboursProps {
  list: string;
  here: string;
  texts: { back: string; previous: string; next: string };
}

interface Known {
  back: string;
  previous: string | undefined;
  next: string | undefined;
}

/** Back to the list as it was, and by [ and ] to the payments before and after this one in it; y copies the id. */
export function Neighbours({ list, here, texts }: NeighboursProps) {
  const travel = useTravel();
  const [known, setKnown] = useState<Known>({ back: list, previous: undefined, next: undefined });
  useEffect(() => {
    const memory = recallList();
    const at = memory?.hrefs.indexOf(here) ?? -1;
    if (!memory || at < 0) return;
    rememberRow(memory.address.split("?")[0] ?? list, here);
    setKnown({ back: memory.address, previous: memory.hrefs[at - 1], next: memory.hrefs[at + 1] });
  }, [here, list]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isSingleKey(event)) return;
      const href = event.key === "[" ? known.previous : event.key === "]" ? known.next : undefined;
      if (href) travel.push(href);
      if (event.key === "y") document.querySelector<HTMLElement>("[data-copy-id] button")?.click();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [known, travel]);
  return (
    <div className="flex min-h-8 items-center justify-between gap-4">
      <Link
        href={known.back}
        className="-ml-1 inline-flex min-h-6 pointer-coarse:min-h-11 items-center gap-1.5 rounded-sm px-1 text-ink-2 text-sm hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {texts.back}
      </Link>
      {known.previous || known.next ? (
        <span className="flex gap-1 print:hidden">
          <Step href={known.previous} label={texts.previous} icon={ChevronLeft} />
          <Step href={known.next} label={texts.next} icon={ChevronRight} />
        </span>
      ) : null}
    </div>
  );
}

function Step({ href, label, icon: Icon }: { href: string | undefined; label: string; icon: typeof ChevronLeft }) {
  if (!href) return <span className="size-8 pointer-coarse:size-11" />;
  return (
    <Link
      href={href}
      prefetch={false}
      aria-label={label}
      title={label}
      className="grid size-8 pointer-coarse:size-11 place-items-center rounded-md border border-line-strong bg-surface text-ink-2 hover:text-ink"
    >
      <Icon aria-hidden className="size-4" />
    </Link>
  );
}
