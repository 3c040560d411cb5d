"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { catchLostFocus } from "@/components/ui/lost-focus";

/** What names the outcome in an address (`?done=…`). */
const DONE = "done";

/** Told once: neither a reload nor a copied address says it again. */
export function forgetDone(): void {
  const address = new URL(window.location.href);
  if (!address.searchParams.has(DONE)) return;
  address.searchParams.delete(DONE);
  window.history.replaceState(null, "", address);
}

interface OutcomeProps {
  /** Each new text takes the focus anew. */
  text: string;
  className: string;
  children: ReactNode;
}

/** The message of what was just done. Takes the focus that went with the button, so that it is read out and Tab goes on from here. */
export function Outcome({ text, className, children }: OutcomeProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another message
  useEffect(catchLostFocus, [text]);
  useEffect(forgetDone, []);
  return (
    <p role="status" data-outcome className={className}>
      {children}
    </p>
  );
}

interface NewsProps {
  /** Undefined while nothing is said; what is said from the beginning is no news. */
  text: string | undefined;
  children: ReactNode;
}

/** Around a message that stays in the page: only one that came while somebody looked takes the focus. */
export function News({ text, children }: NewsProps) {
  const said = useRef(text);
  useEffect(() => {
    if (text !== undefined && text !== said.current) catchLostFocus();
    said.current = text;
  }, [text]);
  return children;
}
