"use client";

import { Download, ExternalLink, RefreshCw, X } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { rememberList } from "@/components/charges/list-memory";
import { actsOf, type RowAct, RowMenu, type RowMenuTexts } from "@/components/charges/row-menu";
import { isSingleKey } from "@/components/dashboard/single-keys";
import { useTravel } from "@/components/dashboard/use-travel";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";

export type Rechecked = "asked" | "nothing" | "failed";

export interface ListToolsTexts {
  /** With {count}. */
  selected: { one: string; other: string };
  recheck: string;
  open: string;
  /** With {count}. */
  export: { one: string; other: string };
  exported: { one: string; other: string; all: string };
  clear: string;
  /** With {done} and {count}. */
  progress: string;
  /** With {asked}, {nothing} and {failed}. */
  result: string;
  menu: RowMenuTexts;
}

interface ListToolsProps {
  texts: ListToolsTexts;
  /** Where the whole list is exported, with its filters. */
  exportHref: string;
  /** Absent for people who may not ask. */
  onRecheck: ((id: string, key: string) => Promise<Rechecked>) | undefined;
}

type Work = { kind: "idle" } | { kind: "working"; done: number; count: number } | { kind: "done"; text: string };

const BOXES = "input[data-select]:not([data-select=''])";
/** Each row is there twice, for a wide and for a narrow screen. */
const boxes = (): HTMLInputElement[] =>
  [...document.querySelectorAll<HTMLInputElement>(BOXES)].filter(({ offsetParent }) => offsetParent !== null);
const rowOf = (box: Element | undefined): HTMLAnchorElement | null | undefined =>
  box?.closest("[data-item]")?.querySelector<HTMLAnchorElement>("a[data-row]");
const oneOrMore = (count: number, { one, other }: { one: string; other: string }): string =>
  filled(count === 1 ? one : other, { count });
const filled = (text: string, values: Record<string, number>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** Selection by x and Shift x, b to what can be done to all that is selected, and the menu of a row. */
export function ListTools({ texts, exportHref, onRecheck }: ListToolsProps) {
  const travel = useTravel();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [work, setWork] = useState<Work>({ kind: "idle" });
  const last = useRef<number>(undefined);
  const bar = useRef<HTMLDivElement>(null);

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

  /** From the bar to the row that was chosen last. */
  const goBack = useCallback(() => {
    if (last.current !== undefined) rowOf(boxes()[last.current])?.focus();
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
      if (event.key === "b" && isSingleKey(event)) bar.current?.querySelector<HTMLElement>("button, a")?.focus();
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
    const click = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || !target.closest("a[data-export]")) return;
      const { length } = boxes().filter(({ checked }) => checked);
      const isOfChosen = target.closest("[data-export=chosen]") !== null;
      setWork({ kind: "done", text: isOfChosen ? oneOrMore(length, texts.exported) : texts.exported.all });
    };
    document.addEventListener("click", click);
    document.addEventListener("change", change);
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("click", click);
      document.removeEventListener("change", change);
      document.removeEventListener("keydown", press);
    };
  }, [count, texts.exported]);

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

  const only = selected.length === 1 ? boxes().find(({ checked }) => checked) : undefined;
  const acts = actsOf(only?.closest("[data-item]")?.querySelector<HTMLElement>("[data-row-menu]"));
  const isShown = selected.length > 0 || work.kind !== "idle";
  return (
    <>
      <RowMenu
        texts={texts.menu}
        isSelected={(id) => boxes().some((each) => each.dataset.select === id && each.checked)}
        onSelect={(id) => {
          const all = boxes();
          const at = all.findIndex((each) => each.dataset.select === id);
          const box = all[at];
          if (box) box.checked = !box.checked;
          last.current = at;
          count();
        }}
      />
      <div
        ref={bar}
        role="status"
        data-bar={isShown ? "" : undefined}
        className={isShown ? "sticky bottom-4 z-20 order-last mt-4 flex justify-center" : "sr-only"}
        onKeyDown={({ key }) => {
          if (key === "Escape") goBack();
        }}
      >
        {isShown ? (
          <div className="flex max-w-full flex-wrap items-center gap-2 rounded-xl border border-line-strong bg-raised py-2 pr-2 pl-4 text-sm shadow-lg">
            <span className="font-medium text-ink tabular-nums">
              {work.kind === "working"
                ? filled(texts.progress, { done: work.done, count: work.count })
                : work.kind === "done"
                  ? work.text
                  : oneOrMore(selected.length, texts.selected)}
            </span>
            {selected.length > 0 && work.kind !== "working" ? (
              <>
                {acts.map((act: RowAct) => (
                  <LinkButton key={act} href={`${rowOf(only)?.getAttribute("href")}?do=${act}`} size="sm">
                    {texts.menu[act]}
                  </LinkButton>
                ))}
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
                <LinkButton
                  href={withIds(exportHref, selected)}
                  size="sm"
                  data-export="chosen"
                  download
                  prefetch={false}
                >
                  <Download aria-hidden />
                  {oneOrMore(selected.length, texts.export)}
                </LinkButton>
              </>
            ) : null}
            {work.kind === "working" ? null : (
              <Button
                tone="quiet"
                size="icon"
                aria-label={texts.clear}
                title={texts.clear}
                onClick={() => {
                  goBack();
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

const withIds = (href: string, ids: readonly string[]): string =>
  `${href}${href.includes("?") ? "&" : "?"}${new URLSearchParams(ids.map((id) => ["id", id]))}`;
