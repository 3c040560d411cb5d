"use client";

import { useEffect, useState } from "react";

const LOOK_EVERY_MS = 1_000;

/** A moment as it was read, and read again while somebody looks: how far a long move of the clock has come. */
export function LiveClock({ text, url }: { text: string; url: string }) {
  const [shown, setShown] = useState(text);
  useEffect(() => {
    setShown(text);
    const stop = new AbortController();
    const look = async (): Promise<void> => {
      if (document.visibilityState !== "visible") return;
      const answer = await fetch(url, { signal: stop.signal }).catch(() => undefined);
      if (!answer?.ok) return;
      const { text: now } = await answer.json();
      if (typeof now === "string" && !stop.signal.aborted) setShown(now);
    };
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [text, url]);
  return <p className="font-semibold text-ink text-xl tabular-nums">{shown}</p>;
}
