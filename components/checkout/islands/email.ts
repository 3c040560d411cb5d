import { all, fill, make, one, say } from "@/components/checkout/islands/page";
import { likelyEmail } from "@/lib/checkout/likely-email";

/** Asks beneath an e-mail of a mistyped domain whether another was meant: one press takes it, and nothing waits for it. */

function ask(input: HTMLInputElement): void {
  const place = one("[data-meant]", input.closest(".f") ?? input);
  if (!place) return;
  const email = input.value === input.dataset.kept ? "" : likelyEmail(input.value);
  place.hidden = email === "";
  if (email === "") return;
  const text = fill(place.dataset.meant ?? "", { email });
  if (place.textContent !== text) say(text);
  const button = make("button", text);
  button.type = "button";
  button.addEventListener("click", () => {
    input.value = email;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.focus();
  });
  place.replaceChildren(button);
}

const isEmail = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.dataset.field === "email";
document.addEventListener("focusout", ({ target }) => {
  if (isEmail(target)) ask(target);
});
// While it is corrected nothing is asked; a question that holds no more goes.
document.addEventListener("input", ({ target }) => {
  const place = isEmail(target) && one("[data-meant]:not([hidden])", target.closest(".f") ?? target);
  if (place) place.hidden = true;
});
for (const input of all<HTMLInputElement>("[data-field=email]")) ask(input);
