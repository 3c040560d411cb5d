const MESSAGE = "main [data-outcome]";
const HEADING = "main h1";

/**
 * What held the focus is gone with what was done: it goes to the message of that, else to the page's heading. Wherever
 * somebody has the focus, it stays.
 */
export function catchLostFocus(): void {
  const { activeElement, body } = document;
  if (activeElement !== null && activeElement !== body) return;
  const message = document.querySelector<HTMLElement>(MESSAGE);
  const place = message ?? document.querySelector<HTMLElement>(HEADING);
  if (!place) return;
  // No stop of the Tab key.
  place.tabIndex = -1;
  // A message is to be seen; whoever closed something without doing it stays where they were reading.
  place.focus({ preventScroll: message === null });
}
