import { hasConnection } from "@/components/dashboard/connection";
import { mayLose } from "@/components/dashboard/unsaved";

/**
 * Asked before this tab goes to another address of ours, whoever takes it there: a link, a key, the palette. Without a
 * connection the framework would leave for the browser's own page of that, and what is on the screen would be lost.
 * Where something half filled in would be lost, the person is asked, and `again` follows once they discard it.
 */
export function mayLeave(href: string, again: () => void): boolean {
  return hasConnection() && mayLose(new URL(href, location.href), again);
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
