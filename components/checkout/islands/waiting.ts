import type { AlertText } from "@/components/checkout/island-data";
import { fill, one } from "@/components/checkout/islands/page";

type Waiting = Pick<AlertText["actions"][number], "label" | "opensInSeconds" | "opens">;
/** A bank that did not answer gets half a minute. Answers what ends the wait before. */
export function wait(button: HTMLElement, { label, opensInSeconds, opens }: Waiting, place = button): () => void {
  let left = opensInSeconds;
  if (left <= 0) return () => undefined;
  button.setAttribute("aria-disabled", "true");
  const tick = () => {
    // As high as its longer text, also when that is over.
    if (button.isConnected) button.style.minHeight = `${button.offsetHeight}px`;
    place.textContent = left > 0 ? `${label} · ${fill(opens, { seconds: left })}` : label;
    if (left-- <= 0) {
      button.removeAttribute("aria-disabled");
      clearInterval(timer);
    }
  };
  const timer = setInterval(tick, 1_000);
  tick();
  return () => {
    left = 0;
    tick();
  };
}

export const payButton = (form: HTMLFormElement) => one("button[type=submit]", form);
let endWait = (): void => undefined;
/** The form's own button waits as long as the offer to try again: both send the same card. Another card need not wait. */
export function waitToPay(form: HTMLFormElement, { actions }: AlertText): void {
  endWait();
  const button = payButton(form);
  const place = button && one("span:last-of-type", button);
  const retry = actions.find(({ kind }) => kind === "retry");
  if (!button || !place || !retry) return;
  const end = wait(button, { ...retry, label: place.textContent ?? "" }, place);
  const onInput = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement && /^(cardNumber|savedCard)/.test(target.name)) endWait();
  };
  form.addEventListener("input", onInput);
  endWait = () => {
    form.removeEventListener("input", onInput);
    endWait = () => undefined;
    end();
  };
}
