"use client";

import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { destinationOf, hasConnection, linkClickOf, mayLeave, NO_CONNECTION } from "@/components/dashboard/leaving";

/** Every link and search form of the dashboard asks whether the page may be left; says so where there is no connection. */
export function LeavingGuard({ text }: { text: string }) {
  const [isLost, setIsLost] = useState(false);
  useEffect(() => {
    const stay = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    const onClick = (event: MouseEvent) => {
      const click = event.defaultPrevented ? undefined : linkClickOf(event);
      const to = click && destinationOf(click, location.href);
      if (to && !mayLeave(to.href)) stay(event);
    };
    const onSubmit = (event: SubmitEvent) => {
      if (event.target instanceof HTMLFormElement && leadsToPage(event.target) && !hasConnection()) stay(event);
    };
    const lose = () => setIsLost(true);
    const find = () => setIsLost(false);
    // Before the framework hears of them.
    document.addEventListener("click", onClick, { capture: true });
    document.addEventListener("submit", onSubmit, { capture: true });
    window.addEventListener(NO_CONNECTION, lose);
    window.addEventListener("online", find);
    return () => {
      document.removeEventListener("click", onClick, { capture: true });
      document.removeEventListener("submit", onSubmit, { capture: true });
      window.removeEventListener(NO_CONNECTION, lose);
      window.removeEventListener("online", find);
    };
  }, []);
  if (!isLost) return null;
  return (
    <p
      ref={(note) => {
        // Above a dialog that is open.
        note?.togglePopover?.(true);
      }}
      popover="manual"
      role="alert"
      className="fixed inset-x-4 top-auto bottom-4 z-50 m-auto flex w-fit max-w-lg items-center gap-2.5 rounded-lg border border-line-strong bg-raised px-4 py-3 text-ink text-sm shadow-lg print:hidden"
    >
      <WifiOff aria-hidden className="size-4 shrink-0 text-warning" />
      {text}
    </p>
  );
}

/** A form that is a link with fields: those of actions tell of a lost connection themselves. */
const leadsToPage = (form: HTMLFormElement): boolean =>
  // As written: a field may be called action or method.
  form.getAttribute("action")?.startsWith("/") === true && form.getAttribute("method")?.toLowerCase() !== "post";
