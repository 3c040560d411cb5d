import { type Control, mark } from "@/components/checkout/islands/mark";
import { one, say } from "@/components/checkout/islands/page";
import { cityOfCep, maskCep, stateOfCep } from "@/lib/brazil/cep";

/** Writes a CEP as it is written, and fills in what it says. */

document.addEventListener("focusout", ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset.field === "zipCode") target.value = maskCep(target.value);
});
document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.dataset.field !== "zipCode") return;
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
