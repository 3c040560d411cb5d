"use client";

import { Bell as Icon } from "lucide-react";
import Link from "next/link";
import {
  Dropdown,
  DropdownContent,
  DropdownItem,
  DropdownLabel,
  DropdownSeparator,
  DropdownTrigger,
} from "@/components/ui/dropdown";

interface BellProps {
  /** New ones; more than nine are "9+". */
  count: number;
  items: readonly { id: string; href: string; text: string; when: string }[];
  allHref: string;
  texts: Record<"label" | "title" | "none" | "all", string>;
}

const MOST_SHOWN = 9;

/** What is new, from every page. */
export function Bell({ count, items, allHref, texts }: BellProps) {
  return (
    <Dropdown>
      <DropdownTrigger
        title={texts.label}
        className="relative grid size-9 forced-colors:border pointer-coarse:min-h-11 min-[360px]:pointer-coarse:min-w-11 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink [&_svg]:size-4"
      >
        <Icon aria-hidden />
        <span className="sr-only">{texts.label}</span>
        {count > 0 ? (
          <span
            aria-hidden
            className="absolute top-0.5 right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-danger-strong px-1 font-semibold text-[0.625rem] text-white leading-none tabular-nums"
          >
            {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
          </span>
        ) : null}
      </DropdownTrigger>
      <DropdownContent className="w-80 max-w-[calc(100vw-1rem)]">
        <DropdownLabel>{texts.title}</DropdownLabel>
        {items.length === 0 ? <p className="px-2.5 pb-2 text-ink-2 text-sm">{texts.none}</p> : null}
        {items.map(({ id, href, text, when }) => (
          <DropdownItem key={id} asChild>
            <Link href={href} prefetch={false} className="py-1.5">
              <span className="min-w-0">
                <span className="block break-words">{text}</span>
                <span className="block text-ink-3 text-xs">{when}</span>
              </span>
            </Link>
          </DropdownItem>
        ))}
        <DropdownSeparator />
        <DropdownItem asChild>
          <Link href={allHref}>{texts.all}</Link>
        </DropdownItem>
      </DropdownContent>
    </Dropdown>
  );
}
