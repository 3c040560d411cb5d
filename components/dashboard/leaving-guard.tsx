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
import { LeavingQuestion, type LeavingTexts } from "@/components/dashboard/leaving-question";
import { forgetTyped, mayLose, noteTyped } from "@/components/dashboard/unsaved";

const ASK_AGAIN_MS = 5_000;

interface LeavingGuardProps {
  /** Where there is no connection. */
  text: string;
  question: LeavingTexts;
}

/**
 * Every link and search form of the dashboard asks whether the page may be left, and so do the back and forward buttons
 * where the browser lets a page answer; says so where there is no connection.
 */
export function LeavingGuard({ text, question }: LeavingGuardProps) {
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
      if (!mayBeLost()) return mayLeave(to.href, () => follow(link)) ? undefined : stay(event);
      stay(event);
      // Pressed again once there is an answer: who would lose something is asked then.
      if (!closeDialogOf(link) && hasConnection()) void whenReachable(() => link.click());
    };
    const onSubmit = (event: SubmitEvent) => {
      const { target: form, submitter } = event;
      if (!(form instanceof HTMLFormElement && leadsToPage(form))) return;
      if (!hasConnection()) return stay(event);
      // What stands in it goes with it.
      if (!mayBeLost()) return forgetTyped(form);
      stay(event);
      void whenReachable(() => form.requestSubmit(submitter));
    };
    const onNavigate = (event: NavigateEvent) => {
      // The browser lets a page refuse only what it can: one step back or forward after each action of a person.
      if (event.navigationType !== "traverse" || !event.cancelable) return;
      const { key, url } = event.destination;
      const to = new URL(url);
      if (to.origin === location.origin && !mayLose(to, () => history?.traverseTo(key))) event.preventDefault();
    };
    const history = "navigation" in window ? window.navigation : undefined;
    const lose = () => setIsLost(true);
    const find = () => setIsLost(false);
    // Before the framework hears of them.
    document.addEventListener("click", onClick, { capture: true });
    document.addEventListener("submit", onSubmit, { capture: true });
    document.addEventListener("input", noteTyped, { capture: true });
    history?.addEventListener("navigate", onNavigate);
    window.addEventListener(NO_CONNECTION, lose);
    window.addEventListener("online", find);
    window.addEventListener(CONNECTION_FOUND, find);
    return () => {
      document.removeEventListener("click", onClick, { capture: true });
      document.removeEventListener("submit", onSubmit, { capture: true });
      document.removeEventListener("input", noteTyped, { capture: true });
      history?.removeEventListener("navigate", onNavigate);
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
  return (
    <>
      <LeavingQuestion texts={question} />
      {isLost ? <LostNote text={text} /> : null}
    </>
  );
}

function LostNote({ text }: { text: string }) {
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

/** Pressed again; a menu that it stood in may be closed by now. */
function follow(link: HTMLAnchorElement): void {
  if (link.isConnected) link.click();
  else location.assign(link.href);
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
