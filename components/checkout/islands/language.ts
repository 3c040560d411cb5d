import { one } from "@/components/checkout/islands/page";

/** The page in another language is asked for with what stands in the form that is open now. */

export const isOfLanguage = (pressed: EventTarget | null): pressed is HTMLButtonElement =>
  pressed instanceof HTMLButtonElement && pressed.name === "to";

document.addEventListener("click", ({ target }) => {
  const open = one<HTMLFormElement>("details[data-method][open] form");
  if (!open || !isOfLanguage(target) || !target.form?.dataset.form) return;
  target.setAttribute("form", open.id);
  target.formAction = open.action + new URL(target.formAction).search;
});
