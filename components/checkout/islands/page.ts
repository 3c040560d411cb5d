import type { IslandData, PaymentData } from "@/components/checkout/island-data";

/** Small words for the document. Islands write text only: nothing here makes HTML of a string. */
export const one = <E extends Element = HTMLElement>(selector: string, within: ParentNode = document): E | null =>
  within.querySelector<E>(selector);
export const all = <E extends Element = HTMLElement>(selector: string, within: ParentNode = document): E[] => [
  ...within.querySelectorAll<E>(selector),
];

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text = "",
  className = "",
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  return element;
}

// Guarantee: the server writes this block for exactly the scripts it names on the page.
const read = (): unknown => JSON.parse(one("#data")?.textContent ?? "{}");
export const openData = (): IslandData => read() as IslandData;
export const readPaymentData = (): PaymentData => read() as PaymentData;

/** Said once, to those who listen instead of looking. */
export function say(text: string, how: "polite" | "assertive" = "polite"): void {
  const region = one(`#${how}`);
  if (region) region.textContent = text;
}

/** Replaces `{name}` in a message by its value. */
export const fill = (message: string, values: Record<string, string | number>): string =>
  message.replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ""));

/** Browsers older than `<details name>` (Safari 17.2, Chrome 120, Firefox 130) leave open what once was. */
export function openAlone(details: HTMLDetailsElement): void {
  details.open = true;
  for (const other of all<HTMLDetailsElement>("details[data-method]")) if (other !== details) other.open = false;
}
