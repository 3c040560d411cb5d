import { useEffect } from "react";

/** What a click and the link under it say about where the page goes. */
export interface LinkClick {
  button: number;
  hasModifier: boolean;
  href: string;
  /** The attribute as written; empty where it is missing. */
  target: string;
  isDownload: boolean;
}

/** Whether the click takes this tab to another page; what stays on the same path keeps the editor as it is. */
export function leavesPage({ button, hasModifier, href, target, isDownload }: LinkClick, here: string): boolean {
  if (button !== 0 || hasModifier || isDownload) return false;
  if (target !== "" && target !== "_self") return false;
  return isOtherPage(href, here);
}

/** Of another origin the browser asks by itself. */
function isOtherPage(href: string, here: string): boolean {
  if (!URL.canParse(href, here)) return false;
  const [to, from] = [new URL(href, here), new URL(here)];
  return to.origin === from.origin && to.pathname !== from.pathname;
}

/**
 * Asks before unsaved work is lost: by closing or reloading the tab in the browser's words, by a link or by the back and
 * forward buttons with `question`. A browser without the navigation API asks nothing when going back inside the app.
 */
export function useLeaving(isUnsaved: boolean, question: string): void {
  useEffect(() => {
    if (!isUnsaved) return;
    // Whoever agreed to leave is not asked again by the browser when the link loads a whole page.
    let hasAgreed = false;
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!hasAgreed) event.preventDefault();
    };
    const onClick = (event: MouseEvent) => {
      hasAgreed = false;
      const click = linkClickOf(event);
      if (!click || !leavesPage(click, location.href)) return;
      if (window.confirm(question)) {
        hasAgreed = true;
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    };
    const onNavigate = (event: NavigateEvent) => {
      // The browser lets a page refuse only what it can: one step back or forward after each action of a person.
      if (event.navigationType !== "traverse" || !event.cancelable) return;
      if (!isOtherPage(event.destination.url, location.href) || window.confirm(question)) return;
      event.preventDefault();
    };
    const history = "navigation" in window ? window.navigation : undefined;
    window.addEventListener("beforeunload", onUnload);
    document.addEventListener("click", onClick, { capture: true });
    history?.addEventListener("navigate", onNavigate);
    return () => {
      window.removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, { capture: true });
      history?.removeEventListener("navigate", onNavigate);
    };
  }, [isUnsaved, question]);
}

function linkClickOf(event: MouseEvent): LinkClick | undefined {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (event.defaultPrevented || !(link instanceof HTMLAnchorElement)) return undefined;
  return {
    button: event.button,
    hasModifier: event.metaKey || event.ctrlKey || event.shiftKey || event.altKey,
    href: link.href,
    target: link.target,
    isDownload: link.hasAttribute("download"),
  };
}
