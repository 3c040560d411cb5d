import { type Control, mark } from "@/components/checkout/islands/mark";
import { fill, one, openData, say } from "@/components/checkout/islands/page";
import { cityOfCep, maskCep, otherCityOfCep, otherStateOfCep, stateOfCep } from "@/lib/brazil/cep";
import { cpfOk, typedTaxId } from "@/lib/brazil/cpf-cnpj";
import { isFullName } from "@/lib/checkout/full-name";

/** Writes a CEP as it is written, fills in what it says, and tells what contradicts it. */

const { words } = openData();
const fieldOf = (form: HTMLFormElement, name: string): Control | null => one<Control>(`[data-field=${name}]`, form);
const slipOf = (target: EventTarget | null): HTMLFormElement | null =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement
    ? (target.form?.closest<HTMLFormElement>("[data-form=boleto]") ?? null)
    : null;

document.addEventListener("focusout", ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset.field === "zipCode") target.value = maskCep(target.value);
  tellAll(slipOf(target), false);
});
document.addEventListener("input", ({ target }) => {
  // What no longer holds goes at once; what is new waits until the field is left.
  tellAll(slipOf(target), true);
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
  const control = zipCode.form && fieldOf(zipCode.form, name);
  if (!control || control.value === found || (control.value !== "" && control.value !== placed[name])) return "";
  // What an earlier CEP brought is not left to the next one.
  control.value = placed[name] = found;
  if (found === "") return "";
  mark(control, false);
  return `${control.labels?.[0]?.textContent}: ${found}`;
}

/** What the server would refuse: a place elsewhere than the CEP's, and a person by one name alone. */
function tellAll(form: HTMLFormElement | null, isOnlyLess: boolean): void {
  if (!form) return;
  const typed = (name: string): string => {
    const control = fieldOf(form, name);
    return control && control.value !== control.dataset.kept ? control.value.trim() : "";
  };
  const [cep, name] = [typed("zipCode"), typed("name")];
  const inState = otherStateOfCep(cep, typed("state"));
  const inCity = inState ? "" : otherCityOfCep(cep, typed("city"));
  const isOneName = name !== "" && !isFullName(name) && cpfOk(typedTaxId(typed("document")));
  const tell = (field: string, message: string): void => {
    const control = fieldOf(form, field);
    if (!control || (message === "" ? !control.dataset.unseen : isOnlyLess)) return;
    if (message) control.dataset.unseen = message;
    else delete control.dataset.unseen;
    mark(control, message !== "", message);
  };
  tell("state", inState && fill(words.cepState, { place: inState }));
  tell("city", inCity && fill(words.cepCity, { place: inCity }));
  tell("name", isOneName ? words.fullName : "");
}
