"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { isReachable } from "@/components/dashboard/connection";

const EVERY_MS = 8_000;
/** Nothing moves while somebody points at it, types or answers a question. */
const BUSY = "main table:hover, main [data-rows]:hover, dialog[open], input:focus, select:focus, textarea:focus";

/** What the page shows is read again, so that ages count and others' doings are seen. */
export function LiveRefresh() {
  const router = useRouter();
  useEffect(() => {
    const isFree = () => document.visibilityState === "visible" && !document.querySelector(BUSY);
    const timer = setInterval(async () => {
      // Without a connection the framework would leave for the browser's own page of that.
      if (isFree() && (await isReachable()) && isFree()) router.refresh();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [router]);
  return null;
}
