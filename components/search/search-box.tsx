"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { Dialog as Primitive } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { isSingleKey } from "@/components/dashboard/single-keys";
import type { SearchPlace } from "@/components/search/places";
import type { SearchTexts } from "@/components/search/search-panel";
import { askFor, type FrameControl } from "@/components/ui/asked-for";

const Panel = dynamic(() => import("@/components/search/search-panel").then(({ SearchPanel }) => SearchPanel), {
  ssr: false,
  loading: () => <div className="h-40" />,
});

interface SearchBoxProps {
  pages: readonly SearchPlace[];
  texts: SearchTexts & { open: string };
}

/** The same on every keyboard that is sold with Windows or Linux; ⌘ K works too. */
const SHORTCUT = "Ctrl K";
/** A list has a search of its own: there `/` goes to it. */
const LIST_SEARCH = 'input[type="search"][name="q"]';

export function SearchBox({ pages, texts }: SearchBoxProps) {
  const [isOpen, setIsOpen] = useState(false);
  /** What was typed since it was opened, until its field is there to take it; otherwise undefined. */
  const early = useRef<string | undefined>(undefined);
  const open = (isNow: boolean) => {
    early.current = isNow ? "" : undefined;
    setIsOpen(isNow);
  };
  const next = useRef<FrameControl>(undefined);
  const takeEarly = (): string => {
    const typed = early.current ?? "";
    early.current = undefined;
    return typed;
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (early.current !== undefined) {
        const next = withKey(early.current, event);
        if (next === undefined) return;
        early.current = next;
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      const isCommand = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey;
      const isSlash = event.key === "/" && isSingleKey(event);
      if (!isCommand && !isSlash) return;
      if (isSlash && document.querySelector(LIST_SEARCH)) return;
      event.preventDefault();
      early.current = "";
      setIsOpen(true);
    };
    document.addEventListener("keydown", press, true);
    return () => document.removeEventListener("keydown", press, true);
  }, []);
  return (
    <Primitive.Root open={isOpen} onOpenChange={open}>
      <Primitive.Trigger className="flex h-11 min-w-11 items-center gap-2 rounded-md px-3 text-ink-3 text-sm hover:text-ink sm:h-9 sm:w-72 sm:border sm:border-line-strong sm:bg-surface sm:shadow-sm">
        <Search aria-hidden className="size-4 max-sm:size-5 max-sm:text-ink-2" />
        <span className="max-sm:sr-only">{texts.open}</span>
        <kbd
          aria-hidden
          className="ml-auto hidden rounded-sm border border-line bg-sunken px-1.5 font-mono text-xs sm:inline"
        >
          {SHORTCUT}
        </kbd>
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 animate-fade bg-shade" />
        <Primitive.Content
          aria-describedby={undefined}
          // Once it is gone: it would take the focus back from what opens.
          onCloseAutoFocus={(event) => {
            if (!next.current) return;
            event.preventDefault();
            askFor(next.current);
            next.current = undefined;
          }}
          className="-translate-x-1/2 fixed top-[10dvh] left-1/2 z-50 w-[calc(100%-1.5rem)] max-w-2xl animate-fade overflow-hidden rounded-xl border border-line bg-raised shadow-lg"
        >
          <Primitive.Title className="sr-only">{texts.label}</Primitive.Title>
          <Panel
            pages={pages}
            texts={texts}
            takeEarly={takeEarly}
            onDone={(control) => {
              next.current = control;
              open(false);
            }}
          />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** A key that would have changed the field; undefined for any other. */
function withKey(typed: string, { key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === "Backspace") return typed.slice(0, -1);
  return [...key].length === 1 ? typed + key : undefined;
}
