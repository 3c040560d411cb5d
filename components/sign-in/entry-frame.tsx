import Link from "next/link";
import type { ReactNode } from "react";
import { Wordmark } from "@/components/brand/wordmark";

interface EntryFrameProps {
  title: ReactNode;
  text?: ReactNode;
  preferences: ReactNode;
  children: ReactNode;
}

/** Pages before the door: one thing to do, in the middle. */
export function EntryFrame({ title, text, preferences, children }: EntryFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col px-5 sm:px-10">
      <header className="flex h-16 items-center justify-between">
        <Link href="/" className="rounded-md">
          <Wordmark />
        </Link>
        <div className="flex">{preferences}</div>
      </header>
      <main className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-12">
        <h1 className="break-words font-semibold text-2xl text-ink">{title}</h1>
        {text ? <div className="mt-3 text-ink-2">{text}</div> : null}
        <div className="mt-8">{children}</div>
      </main>
    </div>
  );
}
