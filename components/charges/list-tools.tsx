"use client";

import { ExternalLink, RefreshCw, X } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { rememberList } from "@/components/charges/list-memory";
import { RowMenu } from "@/components/charges/row-menu";
import { isSingleKey } from "@/components/dashboard/single-keys";
import { useTravel } from "@/components/dashboard/use-travel";
import { Button } from "@/components/ui/button";

export type Rechecked = "asked" | "nothing" | "failed";

export interface ListToolsTexts {
  /** With {count}. */
  selected: { one: string; other: string };
  recheck: string;
  open: string;
  clear: string;
  /** With {done} and {count}. */
  progress: string;
  /** With {asked}, {nothing} and {failed}. */
  result: string;
  menu: { open: string; newTab: string; copyId: string; copyLink: string; select: string };
}

interface ListToolsProps {
  texts: ListToolsTexts;
  /** Absent for people who may not ask. */
  onRecheck: ((id: string, key: string) => Promise<Rechecked>) | undefined;
}

type Work = { kind: "idle" } | { kind: "working"; done: number; count: number } | { kind: "done"; text: string };

const BOXES = "input[data-select]:not([data-select=''])";
const boxes = (): HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>(BOXES)];
const filled = (text: string, values: Record<string, number>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** Selection by x and Shift x, what can be done to all that is selected, and the menu of a row. */
export function ListTools({ texts, onRecheck }: ListToolsProps) {
  const travel = useTravel();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [work, setWork] = useState<Work>({ kind: "idle" });
  const last = useRef<number>(undefined);

  const count = useCallback(() => {
    const all = boxes();
    const ids = all.flatMap((box) => (box.checked ? [box.dataset.select ?? ""] : []));
    const master = document.querySelector<HTMLInputElement>("input[data-select-all]");
    if (master) {
      master.checked = all.length > 0 && ids.length === all.length;
      master.indeterminate = ids.length > 0 && ids.length < all.length;
    }
    setSelected(ids);
    if (ids.length > 0) setWork((now) => (now.kind === "done" ? { kind: "idle" } : now));
  }, []);

  const clear = useCallback(() => {
    for (const box of boxes()) box.checked = false;
    last.current = undefined;
    count();
  }, [count]);

  useEffect(() => {
    const hrefs = [...document.querySelectorAll<HTMLAnchorElement>("table a[data-row]")].map(
      (link) => link.getAttribute("href") ?? "",
    );
    rememberList({ address: `${location.pathname}${location.search}`, hrefs });
    const change = ({ target }: Event) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.dataset.selectAll !== undefined) for (const box of boxes()) box.checked = target.checked;
      else if (!target.dataset.select) return;
      count();
    };
    const press = (event: KeyboardEvent) => {
      if ((event.key !== "x" && event.key !== "X") || !isSingleKey(event)) return;
      const row = document.activeElement?.closest("[data-item]");
      const all = boxes();
      const at = all.findIndex((box) => box.closest("[data-item]") === row);
      const box = all[at];
      if (!row || !box) return;
      event.preventDefault();
      if (event.key === "X" && last.current !== undefined) {
        const [from, until] = [Math.min(last.current, at), Math.max(last.current, at)];
        for (const each of all.slice(from, until + 1)) each.checked = true;
      } else box.checked = !box.checked;
      last.current = at;
      count();
    };
    document.addEventListener("change", change);
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("change", change);
      document.removeEventListener("keydown", press);
    };
  }, [count]);

  async function recheck(ids: readonly string[]): Promise<void> {
    if (!onRecheck) return;
    const came: Record<Rechecked, number> = { asked: 0, nothing: 0, failed: 0 };
    for (const [index, id] of ids.entries()) {
      setWork({ kind: "working", done: index, count: ids.length });
      came[await onRecheck(id, crypto.randomUUID()).catch((): Rechecked => "failed")] += 1;
    }
    clear();
    setWork({ kind: "done", text: filled(texts.result, came) });
    travel.refresh();
  }

  const isShown = selected.length > 0 || work.kind !== "idle";
  return (
    <>
      <RowMenu
        texts={texts.menu}
        onSelect={(id) => {
          const box = boxes().find((each) => each.dataset.select === id);
          if (box) box.checked = true;
          count();
        }}
      />
      <div
        role="status"
        data-bar={isShown ? "" : undefined}
        className={isShown ? "sticky bottom-4 z-20 mt-4 flex justify-center" : "sr-only"}
      >
        {isShown ? (
          <div className="flex max-w-full flex-wrap items-center gap-2 rounded-xl border border-line-strong bg-raised py-2 pr-2 pl-4 text-sm shadow-lg">
            <span className="font-medium text-ink tabular-nums">
              {work.kind === "working"
                ? filled(texts.progress, { done: work.done, count: work.count })
                : work.kind === "done"
                  ? work.text
                  : filled(selected.length === 1 ? texts.selected.one : texts.selected.other, {
                      count: selected.length,
                    })}
            </span>
            {work.kind === "idle" ? (
              <>
                {onRecheck ? (
                  <Button tone="primary" size="sm" onClick={() => recheck(selected)}>
                    <RefreshCw aria-hidden />
                    {texts.recheck}
                  </Button>
                ) : null}
                <Button
                  size="sm"
                  onClick={() => {
                    const chosen = new Set(selected);
                    for (const link of document.querySelectorAll<HTMLAnchorElement>("table a[data-row]"))
                      if (chosen.has(link.dataset.row ?? "")) window.open(link.href, "_blank", "noopener");
                  }}
                >
                  <ExternalLink aria-hidden />
                  {texts.open}
                </Button>
              </>
            ) : null}
            {work.kind === "working" ? null : (
              <Button
                tone="quiet"
                size="icon"
                aria-label={texts.clear}
                title={texts.clear}
                onClick={() => {
                  clear();
                  setWork({ kind: "idle" });
                }}
              >
                <X aria-hidden />
              </Button>
            )}
          </div>
        ) : null}
      </div>
    </>
  );
}
