import { useEffect } from "react";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export const isControl = (element: unknown): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

/** Forms whose fields are work, and not a search: those that say so, and whatever stands in a dialog. */
const WORK = "form[data-work], dialog form";

/** What fields began with, once somebody changed them. */
const begun = new Map<Control, string>();
/** On their way to the server: lost only if it refuses them, and then they are asked about again. */
const sending = new WeakSet<HTMLFormElement>();
/** Changes that no field holds, such as the order of rows. */
const others = new Set<object>();
let lastTyped: Control | undefined;

/** What is asked before changes are lost, and what follows. */
export interface LeavingQuestion {
  isTyped: boolean;
  onDiscard: () => void;
  onKeep: () => void;
}
let ask: ((question: LeavingQuestion) => void) | undefined;

const isTicked = (control: Control): boolean => control.type === "checkbox" || control.type === "radio";

function startOf(control: Control): string {
  if ("options" in control) {
    const options = [...control.options];
    return (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? "";
  }
  return "defaultChecked" in control && isTicked(control) ? String(control.defaultChecked) : control.defaultValue;
}

const heldBy = (control: Control): string =>
  "checked" in control && isTicked(control) ? String(control.checked) : control.value;

const isChanged = (control: Control): boolean =>
  control.form?.isConnected === true && !sending.has(control.form) && heldBy(control) !== begun.get(control);

const changed = (): Control[] => [...begun.keys()].filter(isChanged);

/** A dialog is gone at any other address; a page's form stays while the page does, with or without a dialog over it. */
export function isLostBy(to: URL, here: URL, isInDialog: boolean): boolean {
  if (to.pathname !== here.pathname) return true;
  if (isInDialog) return to.search !== here.search;
  if (to.searchParams.has("do") || here.searchParams.has("do")) return false;
  return withoutDone(to) !== withoutDone(here);
}

/** The message of what was done comes and goes above the same page. */
function withoutDone({ searchParams }: URL): string {
  const kept = new URLSearchParams(searchParams);
  kept.delete("done");
  return String(kept);
}

/** Whether something in a dialog would be lost with it. */
export const isUnsavedIn = (dialog: Element): boolean => changed().some((control) => dialog.contains(control));

const isUnsaved = (): boolean => others.size > 0 || changed().length > 0;

/** In the browser's own words, of which there is one question. */
const onUnload = (event: BeforeUnloadEvent): void => {
  if (isUnsaved()) event.preventDefault();
};

/** Only while there is something to lose: a page that listens for this is slower to come back to. */
function watchUnload(): void {
  if (ask && isUnsaved()) window.addEventListener("beforeunload", onUnload);
  else window.removeEventListener("beforeunload", onUnload);
}

/** Whoever shows the question; where nobody does, nothing is asked. */
export function askWith(show: (question: LeavingQuestion) => void): () => void {
  ask = show;
  return () => {
    ask = undefined;
    watchUnload();
  };
}

/** Heard from every field of the page; of a password that is known anyway nobody is sorry, and browsers fill it in. */
export function noteTyped({ target }: Event): void {
  if (!isControl(target) || !target.form?.matches(WORK) || target.autocomplete === "current-password") return;
  for (const control of begun.keys()) if (!control.isConnected) begun.delete(control);
  if (!begun.has(target)) begun.set(target, startOf(target));
  lastTyped = target;
  watchUnload();
}

export function forgetTyped(form: HTMLFormElement): void {
  for (const control of begun.keys()) if (control.form === form) begun.delete(control);
  sending.delete(form);
  watchUnload();
}

export function sendTyped(form: HTMLFormElement): void {
  sending.add(form);
  watchUnload();
}

/** It was refused, and can be sent again. */
export function keepTyped(form: HTMLFormElement): void {
  sending.delete(form);
  watchUnload();
}

/** Whether an address may be gone to without asking; otherwise it is asked, and `again` goes there once all is discarded. */
export function mayLose(to: URL, again: () => void): boolean {
  const here = new URL(location.href);
  const lost = changed().filter((control) => isLostBy(to, here, Boolean(control.closest("dialog"))));
  const isOther = others.size > 0 && isLostBy(to, here, false);
  if (!ask || (lost.length === 0 && !isOther)) return true;
  ask({
    isTyped: lost.some((control) => !("options" in control || isTicked(control) || control.type === "file")),
    onDiscard() {
      begun.clear();
      others.clear();
      watchUnload();
      again();
    },
    onKeep() {
      if (lastTyped?.isConnected && lastTyped.checkVisibility()) lastTyped.focus();
    },
  });
  return false;
}

/** For changes that no field holds, while there are any. */
export function useUnsaved(isUnsavedNow: boolean): void {
  useEffect(() => {
    if (!isUnsavedNow) return;
    const mine = {};
    others.add(mine);
    watchUnload();
    return () => {
      others.delete(mine);
      watchUnload();
    };
  }, [isUnsavedNow]);
}
