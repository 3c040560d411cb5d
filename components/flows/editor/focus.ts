/** Where the focus goes once a step or a part of one is gone: what takes its place first. */
export const focusMark = (kind: "step" | "test" | "side", address: string): string => `remove ${kind} ${address}`;
export const addMark = (kind: "step" | "test" | "side", address: string): string => `add ${kind} ${address}`;

/** The next one stands at the same place now; without one, the one before. */
export const besideRemoved = (at: number): number[] => (at > 0 ? [at, at - 1] : [at]);

/** Once it is drawn, the first of these that is there and can be used. */
export function focusOneOf(marks: readonly string[]): void {
  requestAnimationFrame(() => {
    const controls = [...document.querySelectorAll<HTMLElement>("[data-mark]:not(:disabled)")];
    const found = marks.flatMap((mark) => controls.find((control) => control.dataset.mark === mark) ?? []);
    found[0]?.focus();
  });
}

/** The first field of the form of a step, which comes into sight with it. */
export function focusFormOf(address: string): void {
  requestAnimationFrame(() => {
    const form = [...document.querySelectorAll<HTMLElement>("[data-form]")].find((one) => one.dataset.form === address);
    const field = form?.querySelector<HTMLElement>("input:not(:disabled), select, textarea, summary, button");
    field?.focus({ preventScroll: true });
    form?.parentElement?.scrollIntoView({ block: "nearest" });
  });
}
