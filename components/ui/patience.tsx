"use client";

import { type ReactNode, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { useWords } from "@/components/ui/words";

const SAYS_SO_MS = 3_000;
const OFFERS_RETRY_MS = 10_000;

/**
 * Round the skeleton of what is coming: after three seconds a sentence, after ten a way to try again. Both lie over the
 * skeleton, so nothing moves.
 */
export function Patience({ children }: { children: ReactNode }) {
  const words = useWords();
  const [waited, setWaited] = useState<"briefly" | "a while" | "too long">("briefly");
  useEffect(() => {
    const timers = [
      setTimeout(() => setWaited("a while"), SAYS_SO_MS),
      setTimeout(() => setWaited("too long"), OFFERS_RETRY_MS),
    ];
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <div className="relative">
      {children}
      <div
        aria-live="polite"
        className="pointer-events-none absolute inset-0 flex flex-wrap items-center justify-center gap-3 empty:hidden"
      >
        {waited === "briefly" ? null : (
          <p className="rounded-full border border-line bg-raised px-3 py-1 text-ink-2 text-sm shadow-sm">
            {waited === "a while" ? words.stillLoading : words.slowLoading}
          </p>
        )}
        {waited === "too long" ? (
          <Button size="sm" className="pointer-events-auto" onClick={() => window.location.reload()}>
            {words.retry}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
