"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { isReachable } from "@/components/dashboard/connection";

const EVERY_MS = 20_000;

/** Reads the page again now and then while somebody looks at it; what is focused or open stays so. */
export function Refresher({ everyMs = EVERY_MS }: { everyMs?: number }) {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(async () => {
      // Without a connection the framework would leave for the browser's own page of that.
      if (document.visibilityState === "visible" && (await isReachable())) router.refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [router, everyMs]);
  return null;
}
