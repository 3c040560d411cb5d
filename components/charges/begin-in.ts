const FIELD = "input:not([type=hidden]), select, textarea";

/**
 * A dialog begins in its first field; of choices without a field, in the first. On a phone what is to be read above it
 * stays in view.
 */
export function beginIn(dialog: HTMLElement | null, isRead: boolean): void {
  const field =
    dialog?.querySelector<HTMLElement>(FIELD) ??
    (isRead ? undefined : dialog?.querySelector<HTMLElement>("li > a[href]"));
  field?.focus({ preventScroll: !matchMedia("(pointer: fine)").matches });
}
