import { all, one, openData, say } from "@/components/checkout/islands/page";
import { RULES } from "@/components/checkout/islands/rules";
import { cityOfCep, maskCep, stateOfCep } from "@/lib/brazil/cep";
import { maskTaxId, typedTaxId } from "@/lib/brazil/cpf-cnpj";
import { withoutDirectionMarks } from "@/lib/direction-marks";

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
    .filter((id) => id && id !== `${control.id}-error`);
  if (isWrong) described.push(`${control.id}-error`);
  if (described.length > 0) control.setAttribute("aria-describedby", described.join(" "));
  else control.removeAttribute("aria-describedby");
}

/** What a field says of itself: asked for while it is empty, wrong otherwise. */
export const messageOf = ({ value, dataset: { field = "" } }: Control): string =>
  (value.trim() === "" && data.empty[field]) || (data.errors[field] ?? "");

export function judgeControl(control: Control): boolean {
  const isGood = check(control);
  mark(control, !isGood, messageOf(control));
  return isGood;
}

/** What is no document stays as it was typed. */
function maskedDocument(text: string): string {
  const masked = maskTaxId(typedTaxId(text));
  return /\W/.test(masked) ? masked : text;
}

document.addEventListener("focusout", ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement) || !target.dataset.field) return;
  if (target instanceof HTMLInputElement) target.value = withoutDirectionMarks(target.value);
  if (target.dataset.field === "document") target.value = maskedDocument(target.value);
  if (target.dataset.field === "zipCode") target.value = maskCep(target.value);
  if (target.value.trim() !== "") judgeControl(target);
});
// What is known of a buyer stands there masked: the first key replaces all of it.
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLInputElement && target.value && target.value === target.dataset.kept) target.select();
});
document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
  if (target.getAttribute("aria-invalid") === "true" && check(target)) mark(target, false);
  if (target.dataset.field !== "zipCode") return;
  const told = [
    place("state", target, stateOfCep(target.value)),
    place("city", target, cityOfCep(target.value)),
  ].filter(Boolean);
  if (told.length > 0) say(told.join(", "));
});

/** Where the CEP lies, unless somebody wrote or chose something else. Answers what there is to say of it. */
const placed: Record<string, string> = {};
function place(name: "state" | "city", zipCode: Control, found: string): string {
  const control = zipCode.form && one<Control>(`[data-field=${name}]`, zipCode.form);
  if (!control || control.value === found || (control.value !== "" && control.value !== placed[name])) return "";
  // What an earlier CEP brought is not left to the next one.
  control.value = placed[name] = found;
  if (found === "") return "";
  mark(control, false);
  return `${control.labels?.[0]?.textContent}: ${found}`;
}

/** What another card has of its own: its number is typed over the old one. */
export function anotherCard(within: ParentNode): void {
  one<HTMLInputElement>("input[name^=savedCard][value='']", within)?.click();
  for (const name of ["cardExpiration", "cardCvv"]) {
    const control = one<HTMLInputElement>(`[data-field=${name}]`, within);
    if (!control) continue;
    control.value = "";
    mark(control, false);
  }
}
