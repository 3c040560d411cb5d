"use client";

import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import {
  CONNECTION_FOUND,
  hasConnection,
  isReachable,
  mayBeLost,
  NO_CONNECTION,
  whenReachable,
} from "@/components/dashboard/connection";
import { destinationOf, linkClickOf, linkOf, mayLeave } from "@/components/dashboard/leaving";

const ASK_AGAIN_MS = 5_000;

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
      const link = to && linkOf(event);
      if (!link) return;
      if (!mayBeLost()) return mayLeave(to.href) ? undefined : stay(event);
      stay(event);
      // Pressed again once there is an answer: who would lose something is asked then.
      if (!closeDialogOf(link) && hasConnection()) void whenReachable(() => link.click());
    };
    const onSubmit = (event: SubmitEvent) => {
      const { target: form, submitter } = event;
      if (!(form instanceof HTMLFormElement && leadsToPage(form))) return;
      if (!hasConnection()) return stay(event);
      if (!mayBeLost()) return;
      stay(event);
      void whenReachable(() => form.requestSubmit(submitter));
    };
    const lose = () => setIsLost(true);
    const find = () => setIsLost(false);
    // Before the framework hears of them.
    document.addEventListener("click", onClick, { capture: true });
    document.addEventListener("submit", onSubmit, { capture: true });
    window.addEventListener(NO_CONNECTION, lose);
    window.addEventListener("online", find);
    window.addEventListener(CONNECTION_FOUND, find);
    return () => {
      document.removeEventListener("click", onClick, { capture: true });
      document.removeEventListener("submit", onSubmit, { capture: true });
      window.removeEventListener(NO_CONNECTION, lose);
      window.removeEventListener("online", find);
      window.removeEventListener(CONNECTION_FOUND, find);
    };
  }, []);
  // A network that only looked alive comes back without the browser's saying so.
  useEffect(() => {
    if (!isLost) return;
    const timer = setInterval(isReachable, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isLost]);
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

/** What is under a dialog is on the page already: it closes as by Escape, which asks no server. */
function closeDialogOf(link: HTMLAnchorElement): boolean {
  const dialog = link.closest<HTMLDialogElement>("dialog[data-close-href]");
  if (!dialog || dialog.dataset.closeHref !== link.getAttribute("href")) return false;
  dialog.dispatchEvent(new Event("cancel", { cancelable: true }));
  return true;
}
