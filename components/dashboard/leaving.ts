import { useEffect } from "react";
import { hasConnection } from "@/components/dashboard/connection";

type Guard = (to: URL) => boolean;
const guards = new Set<Guard>();

/**
 * Asked before this tab goes to another address of ours, whoever takes it there: a link, a key, the palette. Without a
 * connection the framework would leave for the browser's own page of that, and what is on the screen would be lost.
 */
export function mayLeave(href: string): boolean {
  if (!hasConnection()) return false;
  const to = new URL(href, location.href);
  return [...guards].every((guard) => guard(to));
}

/** Asks whoever would lose something; answers how to stop it. */
export function guardLeaving(guard: Guard): () => void {
  guards.add(guard);
  return () => {
    guards.delete(guard);
  };
}

/** What a click and the link under it say about where the page goes. */
export interface LinkClick {
  button: number;
  hasModifier: boolean;
  href: string;
  /** The attribute as written; empty where it is missing. */
  target: string;
  isDownload: boolean;
}

/** Where a click takes this tab among our own pages; of another origin the browser asks by itself. */
export function destinationOf(click: LinkClick, here: string): URL | undefined {
  const { button, hasModifier, href, target, isDownload } = click;
  if (button !== 0 || hasModifier || isDownload) return undefined;
  if (target !== "" && target !== "_self") return undefined;
  if (!URL.canParse(href, here)) return undefined;
  const [to, from] = [new URL(href, here), new URL(here)];
  const isPlaceOfPage = to.hash !== "" && to.pathname === from.pathname && to.search === from.search;
  return to.origin === from.origin && !isPlaceOfPage ? to : undefined;
}

export function linkOf({ target }: MouseEvent): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest("a[href]") : null;
  return link instanceof HTMLAnchorElement ? link : undefined;
}

export function linkClickOf(event: MouseEvent): LinkClick | undefined {
  const link = linkOf(event);
  return (
    link && {
      button: event.button,
      hasModifier: event.metaKey || event.ctrlKey || event.shiftKey || event.altKey,
      href: link.href,
      target: link.target,
      isDownload: link.hasAttribute("download"),
    }
  );
}

/** What stays on the same path keeps a form as it is. */
export const isOtherPage = (to: URL, here: string): boolean => to.pathname !== new URL(here).pathname;

/**
 * Asks before unsaved work is lost: by closing or reloading the tab in the browser's words, by whatever asks `mayLeave`
 * and by the back and forward buttons with `question`. A browser without the navigation API asks nothing when going back
 * inside the app.
 */
export function useLeaving(isUnsaved: boolean, question: string): void {
  useEffect(() => {
    if (!isUnsaved) return;
    // Whoever agreed to leave is not asked again by the browser when the link loads a whole page.
    let hasAgreed = false;
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!hasAgreed) event.preventDefault();
    };
    const stop = guardLeaving((to) => {
      hasAgreed = isOtherPage(to, location.href) && window.confirm(question);
      return hasAgreed || !isOtherPage(to, location.href);
    });
    const onNavigate = (event: NavigateEvent) => {
      // The browser lets a page refuse only what it can: one step back or forward after each action of a person.
      if (event.navigationType !== "traverse" || !event.cancelable) return;
      const to = new URL(event.destination.url);
      const isOurs = to.origin === location.origin;
      if (!isOurs || !isOtherPage(to, location.href) || window.confirm(question)) return;
      event.preventDefault();
    };
    const history = "navigation" in window ? window.navigation : undefined;
    window.addEventListener("beforeunload", onUnload);
    history?.addEventListener("navigate", onNavigate);
    return () => {
      stop();
      window.removeEventListener("beforeunload", onUnload);
      history?.removeEventListener("navigate", onNavigate);
    };
  }, [isUnsaved, question]);
}
