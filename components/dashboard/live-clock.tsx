"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";

const LOOK_EVERY_MS = 1_000;
const WHOLE = 100;

/** Of a move that is under way. */
export interface ClockProgress {
  /** How far it has come. */
  said: string;
  /** What is worked on. */
  work: string;
  /** From 0 to 1. */
  share: number;
}

export interface ClockReading {
  text: string;
  progress: ClockProgress | null;
}

/**
 * A clock as it was read, and read again while somebody looks: how far a long move has come. When a move begins or ends
 * the page is read anew, with what came of it.
 */
export function LiveClock({ reading, url, label }: { reading: ClockReading; url: string; label: string }) {
  const router = useRouter();
  const [{ text, progress }, setShown] = useState(reading);
  useEffect(() => {
    setShown(reading);
    const stop = new AbortController();
    let wasMoving = reading.progress !== null;
    const look = async (): Promise<void> => {
      if (document.visibilityState !== "visible") return;
      const answer = await fetch(url, { signal: stop.signal }).catch(() => undefined);
      const now = answer?.ok ? await readingIn(answer) : undefined;
      if (!now || stop.signal.aborted) return;
      setShown(now);
      const isMoving = now.progress !== null;
      if (isMoving !== wasMoving) router.refresh();
      wasMoving = isMoving;
    };
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [reading, url, router]);
  return (
    <div className="min-w-0">
      <p className="font-semibold text-ink text-xl tabular-nums">{text}</p>
      {progress ? (
        <div className="mt-2 grid gap-1.5 text-ink-2 text-sm">
          <p role="status" className="font-medium text-ink tabular-nums">
            {progress.said}
          </p>
          <progress
            aria-label={label}
            value={Math.round(progress.share * WHOLE)}
            max={WHOLE}
            className="h-2 w-full max-w-md accent-(--accent)"
          />
          <p>{progress.work}</p>
        </div>
      ) : null}
    </div>
  );
}

async function readingIn(answer: Response): Promise<ClockReading | undefined> {
  // Guarantee: our own route answers this, or nothing that is JSON.
  const read: unknown = await answer.json().catch(() => undefined);
  return typeof read === "object" && read !== null && "text" in read ? (read as ClockReading) : undefined;
}
