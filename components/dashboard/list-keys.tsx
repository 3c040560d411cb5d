"use client";

import { useEffect } from "react";
import { isSingleKey } from "@/components/dashboard/single-keys";

interface ListKeysProps {
  /** The field that `/` goes to. */
  searchId: string;
}

const ROW = "a[data-row]";

/** j and k go through the rows, / to the search, f to the filters, v to the saved views; never while writing. Enter follows the link that has the focus. */
export function ListKeys({ searchId }: ListKeysProps) {
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
        const rows = [...document.querySelectorAll<HTMLElement>(ROW)].filter((row) => row.offsetParent !== null);
        const at = rows.findIndex((row) => row.matches(":focus"));
        const next = at < 0 ? 0 : at + (event.key === "j" ? 1 : -1);
        rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
      }
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [searchId]);
  return null;
}
