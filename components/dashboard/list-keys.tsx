"use client";

import { useEffect, useRef } from "react";
import { rememberRow, takeRow } from "@/components/dashboard/list-place";
import { isSingleKey } from "@/components/dashboard/single-keys";

interface ListKeysProps {
  /** The field that `/` goes to. */
  searchId: string;
}

const ROW = "a[data-row]";
/** Rows come after their page. */
const ROWS_COME_WITHIN_MS = 10_000;

const rowsInSight = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(ROW)].filter((row) => row.offsetParent !== null);

/**
 * j and k go through the rows, / to the search, f to the filters, v to the saved views; never while writing. Enter
 * follows the link that has the focus, and whoever comes back stands on that row again.
 */
export function ListKeys({ searchId }: ListKeysProps) {
  /** Where j and k go on from when nothing of the list has the focus. */
  const last = useRef<string | undefined>(undefined);
  useEffect(() => {
    const path = location.pathname;
    const leave = ({ target, ctrlKey, metaKey }: MouseEvent) => {
      if (ctrlKey || metaKey) return;
      const row = target instanceof Element ? target.closest(ROW) : null;
      const href = row?.getAttribute("href");
      if (href) rememberRow(path, href);
    };
    document.addEventListener("click", leave, { capture: true });
    const left = takeRow(path);
    last.current = left;
    const stop = left ? whenThere(left) : undefined;
    return () => {
      document.removeEventListener("click", leave, { capture: true });
      stop?.();
    };
  }, []);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isSingleKey(event)) return;
      if (event.key === "/") {
        event.preventDefault();
        document.getElementById(searchId)?.focus();
      }
      if (event.key === "f") {
        const more = document.querySelector<HTMLDetailsElement>("details[data-filters]");
        if (more) {
          event.preventDefault();
          more.open = true;
          more.querySelector<HTMLElement>("select, input")?.focus();
        }
      }
      if (event.key === "v") document.querySelector<HTMLElement>("[data-views] a, [data-views] button")?.focus();
      if (event.key === "j" || event.key === "k") {
        const rows = rowsInSight();
        const at = rows.findIndex((row) => row.matches(":focus"));
        const before = rows.findIndex((row) => row.getAttribute("href") === last.current);
        const next = at < 0 ? before : at + (event.key === "j" ? 1 : -1);
        const row = rows[Math.min(Math.max(next, 0), rows.length - 1)];
        last.current = row?.getAttribute("href") ?? undefined;
        row?.focus();
      }
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [searchId]);
  return null;
}

/** Gives the row the focus once it is there, unless somebody does something else first. */
function whenThere(href: string): () => void {
  const watcher = new MutationObserver(() => look());
  const timer = setTimeout(() => stop(), ROWS_COME_WITHIN_MS);
  const stop = () => {
    watcher.disconnect();
    clearTimeout(timer);
    document.removeEventListener("keydown", stop);
    document.removeEventListener("pointerdown", stop);
  };
  const look = () => {
    const row = rowsInSight().find((each) => each.getAttribute("href") === href);
    if (!row) return;
    stop();
    const { activeElement, body } = document;
    if (activeElement !== null && activeElement !== body) return;
    row.focus({ preventScroll: true });
    const { top, bottom } = row.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) row.scrollIntoView({ block: "center" });
  };
  watcher.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("keydown", stop);
  document.addEventListener("pointerdown", stop);
  look();
  return stop;
}
