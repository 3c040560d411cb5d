"use client";

import { Keyboard as Icon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
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
}

const WRITING = "input, textarea, select, dialog, [role=dialog], [role=menu], [contenteditable=true]";
/** How long `g` waits for its letter. */
const SECOND_KEY_MS = 1_200;

/** `g` and a letter go somewhere, `?` shows all keys, `w` why the focused figure is so; never while writing. */
export function Keyboard({ places, title, label, groups }: KeyboardProps) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const goAt = useRef(0);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target instanceof HTMLElement && target.closest(WRITING)) return;
      if (event.key === "?") {
        event.preventDefault();
        setIsOpen(true);
        return;
      }
      if (event.key === "w" && target instanceof HTMLElement) target.closest<HTMLElement>("[data-why]")?.click();
      const place = event.timeStamp - goAt.current < SECOND_KEY_MS && places.find(({ letter }) => letter === event.key);
      goAt.current = event.key === "g" ? event.timeStamp : 0;
      if (!place) return;
      // Ahead of the keys of the page itself: r alone refunds, g r goes to routing.
      event.preventDefault();
      event.stopImmediatePropagation();
      router.push(place.href);
    };
    document.addEventListener("keydown", press, { capture: true });
    return () => document.removeEventListener("keydown", press, { capture: true });
  }, [places, router]);
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen}>
      <DialogTrigger asChild>
        <Button tone="quiet" size="icon" aria-label={label} title={label} className="hidden md:inline-flex">
          <Icon aria-hidden />
        </Button>
      </DialogTrigger>
      <DialogContent title={title}>
        <div className="grid gap-5 pb-5 sm:grid-cols-2">
          {groups.map((group) => (
            <section key={group.title}>
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
      </DialogContent>
    </Dialog>
  );
}
