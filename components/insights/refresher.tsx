"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const EVERY_MS = 20_000;

/** Reads the page again now and then while somebody looks at it; what is focused or open stays so. */
export function Refresher({ everyMs = EVERY_MS }: { everyMs?: number }) {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      // Without a connection the framework would leave for the browser's own page of that.
      if (navigator.onLine && document.visibilityState === "visible") router.refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [router, everyMs]);
  return null;
}
