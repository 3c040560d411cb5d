"use client";

import { ArrowUp } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";

interface LiveNoticeProps {
  /** Answers how many came since the list was read. */
  source: string;
  /** The list from its beginning. */
  href: string;
  /** With {count}. */
  texts: { one: string; other: string };
}

const EVERY_MS = 8_000;

/** Says how many are new; the rows stay where they are until somebody asks for them. */
export function LiveNotice({ source, href, texts }: LiveNoticeProps) {
  // Of another reading of the list the count says nothing.
  const [seen, setSeen] = useState({ source, count: 0 });
  const count = seen.source === source ? seen.count : 0;
  useEffect(() => {
    const abort = new AbortController();
    const ask = async () => {
      if (document.visibilityState === "hidden") return;
      try {
        const answer = await fetch(source, { signal: abort.signal });
        if (!answer.ok) return;
        const body: unknown = await answer.json();
        if (typeof body === "object" && body !== null && "count" in body && typeof body.count === "number")
          setSeen({ source, count: body.count });
      } catch {
        // Asked again in a moment.
      }
    };
    const timer = setInterval(ask, EVERY_MS);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [source]);
  return (
    <span role="status">
      {count > 0 ? (
        <Link
          href={href}
          prefetch={false}
          onClick={() => setSeen({ source, count: 0 })}
          className="inline-flex min-h-6 pointer-coarse:min-h-11 items-center gap-1.5 rounded-full bg-accent-soft px-2.5 font-medium text-accent-ink text-xs"
        >
          <ArrowUp aria-hidden className="size-3.5" />
          {(count === 1 ? texts.one : texts.other).replace("{count}", String(count))}
        </Link>
      ) : null}
    </span>
  );
}
