const PLACE = "trilho.single-keys";
const OFF = "off";

/** In these a letter is a letter. */
const WRITING =
  "input:not([type=checkbox]), textarea, select, dialog, [role=dialog], [role=menu], [contenteditable=true]";

/** Whether a key alone does something; kept in this browser, on until somebody switches it off (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(PLACE) !== OFF;
  } catch {
    return true;
  }
}

export function switchSingleKeys(areOn: boolean): void {
  try {
    if (areOn) localStorage.removeItem(PLACE);
    else localStorage.setItem(PLACE, OFF);
  } catch {
    // A browser that keeps nothing asks again.
  }
}

/** A key alone, that is nobody's text, and nothing stands in front of the page. */
export function isSingleKey(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (target instanceof HTMLElement && target.closest(WRITING)) return false;
  return document.querySelector("dialog[open]") === null && areSingleKeysOn();
}
