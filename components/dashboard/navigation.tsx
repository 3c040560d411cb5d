"use client";

import { BookOpen, ChevronRight } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, Suspense, use, useState } from "react";
import { keepClosed } from "@/components/dashboard/closed-groups";
import { classes } from "@/components/ui/classes";

export interface NavigationGroup {
  key: string;
  title: string;
  items: readonly { href: string; text: string; icon: ReactNode }[];
}

export interface NavigationTexts {
  label: string;
  docs: string;
  /** Beside a number, for who hears it. */
  waiting: string;
}

interface NavigationProps {
  groups: readonly NavigationGroup[];
  closed: readonly string[];
  /** What waits for a person, by address; comes after the page. */
  waiting: Promise<Record<string, number>>;
  texts: NavigationTexts;
}

const HOME = "/dashboard";
const row = "flex h-10 items-center gap-2.5 rounded-md px-2.5 text-sm lg:h-8 [&_svg]:size-4";
const MOST_SHOWN = 99;

/** Sections in groups; a closed one keeps its numbers in sight, and the one that holds the page is never closed. */
export function Navigation({ groups, closed: closedBefore, waiting, texts }: NavigationProps) {
  const path = usePathname();
  const [closed, setClosed] = useState(closedBefore);
  const isHere = (href: string) => path === href || (href !== HOME && path.startsWith(`${href}/`));
  const setOpen = (key: string, isOpen: boolean) => {
    const others = closed.filter((each) => each !== key);
    const next = isOpen ? others : [...others, key];
    setClosed(next);
    keepClosed(next);
  };
  return (
    <nav aria-label={texts.label} className="-mx-1 flex flex-1 flex-col gap-1 overflow-y-auto px-1">
      {groups.map(({ key, title, items }) => (
        <details
          key={key}
          open={!closed.includes(key) || items.some(({ href }) => isHere(href))}
          onToggle={({ currentTarget: { open } }) => {
            if (open === closed.includes(key) && !items.some(({ href }) => isHere(href))) setOpen(key, open);
          }}
          className="group/section"
        >
          <summary className="flex h-9 cursor-pointer list-none items-center gap-1.5 rounded-md px-2.5 font-medium text-ink-3 text-xs hover:text-ink lg:h-7 [&::-webkit-details-marker]:hidden">
            {title}
            <ChevronRight aria-hidden className="size-3.5 transition-transform group-open/section:rotate-90" />
            <span className="ml-auto group-open/section:hidden">
              <Waiting of={items.map(({ href }) => href)} waiting={waiting} text={texts.waiting} />
            </span>
          </summary>
          <div className="flex flex-col gap-0.5 pb-1">
            {items.map(({ href, text, icon }) => (
              <Link
                key={href}
                href={href}
                aria-current={isHere(href) ? "page" : undefined}
                className={classes(
                  row,
                  isHere(href)
                    ? "bg-surface font-medium text-ink shadow-sm ring-1 ring-line ring-inset [&_svg]:text-accent-ink"
                    : "text-ink-2 hover:bg-line/60 hover:text-ink",
                )}
              >
                {icon}
                {text}
                <Waiting of={[href]} waiting={waiting} text={texts.waiting} />
              </Link>
            ))}
          </div>
        </details>
      ))}
      <div className="mt-auto border-line border-t pt-2">
        <a href="/docs" className={classes(row, "text-ink-2 hover:bg-line/60 hover:text-ink")}>
          <BookOpen aria-hidden />
          {texts.docs}
        </a>
      </div>
    </nav>
  );
}

interface WaitingProps {
  of: readonly string[];
  waiting: Promise<Record<string, number>>;
  text: string;
}

const Waiting = (props: WaitingProps) => (
  <Suspense fallback={null}>
    <Count {...props} />
  </Suspense>
);

function Count({ of, waiting, text }: WaitingProps) {
  const counts = use(waiting);
  const count = of.reduce((sum, href) => sum + (counts[href] ?? 0), 0);
  if (count === 0) return null;
  return (
    <span className="ml-auto min-w-5 rounded-full bg-warning-soft px-1.5 text-center font-medium text-warning text-xs tabular-nums">
      {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
      <span className="sr-only"> {text}</span>
    </span>
  );
}
