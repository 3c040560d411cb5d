"use client";

import { Keyboard as Icon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { OPEN_ACCOUNTS } from "@/components/dashboard/account-switcher";
import { areSingleKeysOn, isSingleKey, switchSingleKeys } from "@/components/dashboard/single-keys";
import { useTravel } from "@/components/dashboard/use-travel";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogTrigger } from "@/components/ui/dialog";

export interface KeyGroup {
  title: string;
  keys: readonly { keys: string; text: string }[];
}

interface KeyboardProps {
  /** After `g`: the letter and where it leads. */
  places: readonly { letter: string; href: string }[];
  title: string;
  label: string;
  groups: readonly KeyGroup[];
  /** Of the switch that turns keys without Ctrl off. */
  single: { label: string; hint: string };
}

/** How long `g` waits for its letter. */
const SECOND_KEY_MS = 1_200;

/** Keys that press what stands on the page: the first of these that is there. */
const PRESSED: Record<string, readonly string[]> = {
  n: ["[data-new]"],
  e: ["[data-export=chosen]", "[data-export]"],
};
const ACCOUNTS_LETTER = "a";

const press = (selectors: readonly string[]): void =>
  selectors
    .flatMap((selector) => [...document.querySelectorAll<HTMLElement>(selector)])
    .find(({ offsetParent }) => offsetParent !== null)
    ?.click();

/**
 * `g` and a letter go somewhere, `?` shows all keys, `w` why the focused figure is so, `n` and `e` begin something new
 * and export; never while writing, and not at all where single keys were switched off.
 */
export function Keyboard({ places, title, label, groups, single }: KeyboardProps) {
  const travel = useTravel();
  const [isOpen, setIsOpen] = useState(false);
  const [areOn, setAreOn] = useState(true);
  // Times are counted from the page's own beginning: before any g there is none, rather than 0.
  const goAt = useRef<number | undefined>(undefined);
  useEffect(() => setAreOn(areSingleKeysOn()), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      if (!isSingleKey(event)) return;
      if (event.key === "?") {
        event.preventDefault();
        setIsOpen(true);
        return;
      }
      const isSecond = goAt.current !== undefined && event.timeStamp - goAt.current < SECOND_KEY_MS;
      if (event.key === "w" && !isSecond && target instanceof HTMLElement)
        target.closest<HTMLElement>("[data-why]")?.click();
      const place = isSecond ? places.find(({ letter }) => letter === event.key) : undefined;
      const isAccounts = isSecond && event.key === ACCOUNTS_LETTER;
      goAt.current = event.key === "g" ? event.timeStamp : undefined;
      const pressed = isSecond ? undefined : PRESSED[event.key];
      if (!place && !isAccounts && !pressed) return;
      // Ahead of the keys of the page itself: r alone refunds, g r goes to routing.
      event.preventDefault();
      event.stopImmediatePropagation();
      if (place) travel.push(place.href);
      else if (pressed) press(pressed);
      else window.dispatchEvent(new Event(OPEN_ACCOUNTS));
    };
    document.addEventListener("keydown", onKey, { capture: true });
    return () => document.removeEventListener("keydown", onKey, { capture: true });
  }, [places, travel]);
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>
        <Button tone="quiet" size="icon" aria-label={label} title={label} className="hidden md:inline-flex">
          <Icon aria-hidden />
        </Button>
      </DialogTrigger>
      <DialogContent title={title} isRead>
        <div className="gap-8 sm:columns-2">
          {groups.map((group) => (
            <section key={group.title} className="break-inside-avoid pb-5">
              <h3 className="mb-2 font-medium text-ink-2 text-xs">{group.title}</h3>
              <dl className="grid gap-1.5 text-sm">
                {group.keys.map(({ keys, text }) => (
                  <div key={keys} className="flex items-center justify-between gap-4">
                    <dt className="text-ink">{text}</dt>
                    <dd className="flex gap-1">
                      {keys.split(" ").map((key) => (
                        <kbd
                          key={key}
                          className="min-w-6 rounded-sm border border-line-strong bg-sunken px-1.5 text-center font-mono text-ink-2 text-xs"
                        >
                          {key}
                        </kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <label className="flex items-start gap-2.5 border-line border-t pt-4 pb-5 text-ink text-sm">
          <input
            type="checkbox"
            checked={areOn}
            onChange={({ currentTarget: { checked } }) => {
              switchSingleKeys(checked);
              setAreOn(checked);
            }}
            className="mt-0.5 size-4.5 accent-(--accent)"
          />
          <span>
            {single.label}
            <span className="block text-ink-2 text-xs">{single.hint}</span>
          </span>
        </label>
      </DialogContent>
    </Dialog>
  );
}
