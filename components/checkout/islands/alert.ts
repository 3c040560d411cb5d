import { make, one } from "@/components/checkout/islands/page";

/** The place above the forms where it is said what became of a press. */

export const alertPlace = one("#alert");

/** Paints the page as it is now, then goes on. */
export const afterPaint = (act: () => void): void => {
  requestAnimationFrame(() => requestAnimationFrame(act));
};

/**
 * What is told may come long after the press: what stands below keeps its place on the screen. Nothing jumps away under
 * a finger.
 */
export function growing(place: HTMLElement, change: () => void): void {
  const page = one(".page");
  const { height } = place.getBoundingClientRect();
  change();
  const grown = place.getBoundingClientRect().height - height;
  // A page that fits the screen is given the room that it scrolls by; a frame is as high as its page, and cannot scroll.
  const { clientHeight, scrollHeight } = document.documentElement;
  if (page && parent === window && scrollY + grown + clientHeight > scrollHeight)
    page.style.minHeight = `${grown + clientHeight - page.getBoundingClientRect().top}px`;
  // At the top nothing can move up: the place stays as high as it was.
  if (scrollY + grown < 0) place.style.minHeight = `${height - scrollY}px`;
  scrollBy(0, Math.max(grown, -scrollY));
}

/** Only when it stands there does the page scroll to what is new. */
export const reveal = (box: HTMLElement | null, focused: HTMLElement | null): void =>
  afterPaint(() => {
    box?.scrollIntoView({ block: "nearest" });
    if (!focused || !box?.contains(focused)) focused?.scrollIntoView({ block: "nearest" });
  });

export function show(box: HTMLElement | null, focused: HTMLElement | null, isFollowed = true): void {
  if (!alertPlace) return;
  growing(alertPlace, () => {
    alertPlace.style.minHeight = "";
    alertPlace.replaceChildren(...(box ? [box] : []));
  });
  focused?.focus({ preventScroll: true });
  if (isFollowed) reveal(box, focused);
}

export function warn(heading: string, lines: string[]): HTMLElement {
  const box = make("div", "", "box bad");
  box.setAttribute("role", "alert");
  box.tabIndex = -1;
  if (heading) box.append(make("h2", heading));
  for (const line of lines) box.append(make("p", line));
  return box;
}
