"use client";

import { Command } from "cmdk";
import {
  ArrowRight,
  type CreditCard,
  HandCoins,
  Link2,
  LoaderCircle,
  Plug,
  Repeat,
  Search,
  Split,
  Store,
  UserRound,
  WalletCards,
  X,
} from "lucide-react";
import { usePathname } from "next/navigation";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTravel } from "@/components/dashboard/use-travel";
import type { SearchAnswer, SearchGroup } from "@/components/search/answer";
import { footOf } from "@/components/search/foot";
import { placesMeant, type SearchPlace } from "@/components/search/places";
import type { FrameControl } from "@/components/ui/asked-for";
import { Button } from "@/components/ui/button";
import { useWords } from "@/components/ui/words";

const ADDRESS = "/dashboard/search";
/** Where the long placeholder would be cut off. */
const NARROW = "(max-width: 40rem)";
/** People type faster than they read. */
const PAUSE_MS = 90;

const ICONS: Record<SearchGroup["icon"], typeof CreditCard> = {
  payment: WalletCards,
  customer: UserRound,
  link: Link2,
  subscription: Repeat,
  seller: HandCoins,
  merchant: Store,
  provider: Plug,
  flow: Split,
};

export interface SearchTexts {
  label: string;
  placeholder: string;
  nothing: string;
  /** Leads to the list, which says what else the text may mean; for those who see payments. */
  inPayments: string | undefined;
  looking: string;
  stillLooking: string;
  failed: string;
  goTo: string;
  recent: string;
  keys: string;
}

interface SearchPanelProps {
  pages: readonly SearchPlace[];
  texts: SearchTexts;
  /** What was typed before this was loaded; only once. */
  takeEarly: () => string;
  /** What is used instead, if anything is. */
  onDone: (control?: FrameControl) => void;
}

const EMPTY: SearchAnswer = { groups: [], isPartial: false, note: undefined };

async function ask(query: { q: string; patient?: string }, signal: AbortSignal): Promise<SearchAnswer> {
  const reply = await fetch(`${ADDRESS}?${new URLSearchParams(query)}`, { signal });
  if (!reply.ok) throw new Error(String(reply.status));
  return reply.json();
}

export function SearchPanel({ pages, texts, takeEarly, onDone }: SearchPanelProps) {
  const travel = useTravel();
  const words = useWords();
  const [isNarrow] = useState(() => matchMedia(NARROW).matches);
  const [typed, setTyped] = useState("");
  const [answer, setAnswer] = useState<SearchAnswer>(EMPTY);
  const [state, setState] = useState<"asking" | "answered" | "failed">("asking");
  /** The text that the answer is of. */
  const [answered, setAnswered] = useState<string>();
  const [chosen, setChosen] = useState("");
  /** Enter came before what was asked for: what is there by then is of another text. */
  const isEntered = useRef(false);
  // Before anything else can be typed: from here on the field takes the keys.
  useLayoutEffect(() => {
    const before = takeEarly();
    if (before) setTyped(before);
  }, [takeEarly]);
  const go = (href: string) => {
    onDone();
    travel.push(href);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each text that is typed.
  useEffect(() => {
    const abort = new AbortController();
    setState("asking");
    isEntered.current = false;
    const show = (found: SearchAnswer) => {
      setAnswer(found);
      setAnswered(typed);
      const first = isEntered.current ? found.groups[0]?.items[0] : undefined;
      if (first) go(first.href);
    };
    const timer = setTimeout(async () => {
      try {
        const soon = await ask({ q: typed }, abort.signal);
        show(soon);
        // What was there in time is shown; what was left out is waited for.
        if (soon.isPartial) show(await ask({ q: typed, patient: "1" }, abort.signal));
        setState("answered");
      } catch {
        if (!abort.signal.aborted) setState("failed");
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [typed]);
  const path = usePathname();
  const shownPages = placesMeant(pages, typed, path);
  const isEmpty = answer.groups.length === 0 && shownPages.length === 0;
  const foot = footOf({
    state,
    found: answer.groups.length,
    pages: shownPages.length,
    isPartial: answer.isPartial,
  });
  const isNothing = state === "answered" && isEmpty && !answer.isPartial && typed.trim() !== "";
  const list =
    isNothing && texts.inPayments
      ? { href: `/dashboard/payments?${new URLSearchParams({ q: typed })}`, text: texts.inPayments }
      : undefined;
  const shown = [
    ...shownPages.map(({ href }) => href),
    ...answer.groups.flatMap(({ items, all }) => [...items, ...(all ? [all] : [])].map(({ href }) => href)),
    ...(list ? [list.href] : []),
  ];
  return (
    <Command
      label={texts.label}
      shouldFilter={false}
      loop
      className="flex min-h-0 flex-col"
      // The first is chosen as long as nobody chose another: what was there before may be gone.
      value={shown.includes(chosen) ? chosen : (shown[0] ?? "")}
      onValueChange={setChosen}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || answered === typed || typed === "" || shownPages.length > 0) return;
        event.preventDefault();
        isEntered.current = true;
      }}
    >
      <div className="flex items-center gap-3 border-line border-b px-4">
        {state === "asking" && typed !== "" ? (
          <LoaderCircle aria-hidden className="size-4 animate-spin text-ink-3" />
        ) : (
          <Search aria-hidden className="size-4 text-ink-3" />
        )}
        <Command.Input
          value={typed}
          onValueChange={(text) => {
            setTyped(text);
            setChosen("");
          }}
          placeholder={isNarrow ? texts.label : texts.placeholder}
          aria-label={texts.label}
          autoFocus
          className="h-13 w-full min-w-0 bg-transparent text-[1rem] text-ink outline-none placeholder:text-ink-3"
        />
        <Button
          tone="quiet"
          size="icon"
          aria-label={words.close}
          onClick={() => onDone()}
          className="-mr-2 hidden max-sm:inline-flex pointer-coarse:inline-flex"
        >
          <X aria-hidden />
        </Button>
      </div>
      <Command.List
        aria-label={texts.label}
        className="max-h-[min(26rem,60dvh)] overflow-y-auto overscroll-contain border-line [&:has([cmdk-item])]:border-b [&:has([cmdk-item])]:p-2"
      >
        {shownPages.length > 0 ? (
          <Command.Group heading={texts.goTo} className={GROUP}>
            {shownPages.map(({ href, text, control }) => (
              <Command.Item
                key={href}
                value={href}
                onSelect={() => (control ? onDone(control) : go(href))}
                className={ITEM}
              >
                <ArrowRight aria-hidden className="size-4 text-ink-3" />
                {text}
              </Command.Item>
            ))}
          </Command.Group>
        ) : null}
        {answer.groups.map(({ title, icon, items, all }) => {
          const Icon = ICONS[icon];
          return (
            <Command.Group key={title} heading={typed === "" ? texts.recent : title} className={GROUP}>
              {items.map((item) => (
                <Command.Item key={item.href} value={item.href} onSelect={() => go(item.href)} className={ITEM}>
                  <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
                  <span className="grid min-w-0 flex-1 py-1 leading-4">
                    <span className="truncate font-medium">{item.who ?? (item.at ? item.detail : item.title)}</span>
                    <span className="truncate text-ink-3 text-xs">
                      {[item.status, item.who || !item.at ? item.detail : undefined].filter(Boolean).join(" · ")}
                    </span>
                  </span>
                  {item.at ? (
                    <span className="grid shrink-0 justify-items-end py-1 leading-4 tabular-nums">
                      <span className="whitespace-nowrap font-medium">{item.title}</span>
                      <span className="whitespace-nowrap text-ink-3 text-xs">{item.at}</span>
                    </span>
                  ) : null}
                </Command.Item>
              ))}
              {all ? (
                <Command.Item value={all.href} onSelect={() => go(all.href)} className={ITEM}>
                  <ArrowRight aria-hidden className="size-4 shrink-0 text-ink-3" />
                  <span className="text-accent-ink">{all.text}</span>
                </Command.Item>
              ) : null}
            </Command.Group>
          );
        })}
        {list ? (
          <Command.Item value={list.href} onSelect={() => go(list.href)} className={ITEM}>
            <ArrowRight aria-hidden className="size-4 shrink-0 text-ink-3" />
            <span className="text-accent-ink">{list.text}</span>
          </Command.Item>
        ) : null}
      </Command.List>
      <p role="status" className="min-h-9 px-4 py-2 text-ink-3 text-xs">
        {foot === "hint" ? (answer.note ?? <span className="pointer-coarse:hidden">{texts.keys}</span>) : texts[foot]}
      </p>
    </Command>
  );
}

const GROUP =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-ink-3 [&_[cmdk-group-heading]]:text-xs";
const ITEM =
  "flex min-h-10 cursor-default select-none items-center gap-2.5 rounded-md px-2 text-ink text-sm outline-focus -outline-offset-2 data-[selected=true]:bg-sunken data-[selected=true]:outline-2";
