import { all, one, openData } from "@/components/checkout/islands/page";
import { RULES } from "@/components/checkout/islands/rules";
import { stateOfCep } from "@/lib/brazil/cep";
import { maskTaxId } from "@/lib/brazil/cpf-cnpj";

/** Fields that are checked when they are left, and corrected while one types. */

const data = openData();

export type Control = HTMLInputElement | HTMLSelectElement;

export const controlsOf = (form: HTMLFormElement): Control[] => all<Control>("[data-field]", form);
const ruleOf = (control: Control) => RULES[control.dataset.field ?? ""];
export const isUnused = (control: Control): boolean => Boolean(control.closest("[hidden]"));

function check(control: Control): boolean {
  const rule = ruleOf(control);
  if (!rule || isUnused(control) || control.value === control.dataset.kept) return true;
  if (!control.required && control.value.trim() === "") return true;
  return rule(control.value, control.closest<HTMLElement>("[data-card],form")?.dataset.brand ?? "");
}

export function mark(control: Control, isWrong: boolean, message?: string): void {
  const line = document.getElementById(`${control.id}-error`);
  control.toggleAttribute("aria-invalid", isWrong);
  if (isWrong) control.setAttribute("aria-invalid", "true");
  if (line) {
    line.hidden = !isWrong;
    if (message) line.textContent = message;
  }
  const described = (control.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .filter((id) => id && id !== `${control.id}-error` && id !== "refused");
  if (isWrong) described.push(`${control.id}-error`);
  if (described.length > 0) control.setAttribute("aria-describedby", described.join(" "));
  else control.removeAttribute("aria-describedby");
}

/** What a field says of itself: asked for while it is empty, wrong otherwise. */
export const messageOf = ({ value, dataset: { field = "" } }: Control): string =>
  (value.trim() === "" && data.empty[field]) || (data.errors[field] ?? "");

export function judge(control: Control): boolean {
  const isGood = check(control);
  mark(control, !isGood, messageOf(control));
  return isGood;
}

document.addEventListener("focusout", ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement) || !target.dataset.field) return;
  if (target.dataset.field === "document") target.value = maskTaxId(target.value);
  if (target.dataset.field === "zipCode") target.value = target.value.replace(/^\s*(\d{5})\D?(\d{3})\s*$/, "$1-$2");
  if (target.value.trim() !== "") judge(target);
});
// What is known of a buyer stands there masked: the first key replaces all of it.
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLInputElement && target.value && target.value === target.dataset.kept) target.select();
});
document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
  if (target.getAttribute("aria-invalid") === "true" && check(target)) mark(target, false);
  if (target.dataset.field === "zipCode") placeState(target);
});

/** The state that the CEP lies in, unless somebody chose another. */
let placed = "";
function placeState(zipCode: Control): void {
  const select = zipCode.form && one<HTMLSelectElement>("[data-field=state]", zipCode.form);
  const state = stateOfCep(zipCode.value);
  if (!select || !state || (select.value !== "" && select.value !== placed)) return;
  select.value = placed = state;
  mark(select, false);
}
