import { show } from "@/components/checkout/islands/alert";
import { type Control, mark } from "@/components/checkout/islands/mark";
import { all, fill, one, openData } from "@/components/checkout/islands/page";
import { isCardAsName, ruleOf } from "@/components/checkout/islands/rules";
import { maskTaxId, typedTaxId } from "@/lib/brazil/cpf-cnpj";
import { withoutDirectionMarks } from "@/lib/direction-marks";

/** Fields that are checked when they are left, and corrected while one types. */

export const data = openData();

export const controlsOf = (form: HTMLFormElement): Control[] => all<Control>("[data-field]", form);
export const isUnused = (control: Control): boolean => Boolean(control.closest("[hidden]"));

function check(control: Control): boolean {
  if (isUnused(control) || control.value === control.dataset.kept) return true;
  if (control.dataset.untaken || control.dataset.unseen) return false;
  if (!control.required && control.value.trim() === "") return true;
  return ruleOf(control.dataset.field)(
    control.value,
    control.closest<HTMLElement>("[data-card],form")?.dataset.brand ?? "",
  );
}

/** What a field says of itself: asked for while it is empty, wrong otherwise. */
export const messageOf = ({ value, dataset: { field = "", untaken: brand, unseen } }: Control): string =>
  unseen ??
  (brand
    ? fill(data.cards.untaken, { brand })
    : isCardAsName(field, value)
      ? data.words.cardAsName
      : (value.trim() === "" && data.empty[field]) || (data.errors[field] ?? ""));

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
  if (target.value.trim() !== "") judgeControl(target);
});
// What is known of a buyer stands there masked: the first key replaces all of it.
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLSelectElement) delete target.dataset.unseen;
  if (target instanceof HTMLInputElement && target.value && target.value === target.dataset.kept) target.select();
});
document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
  if (target.getAttribute("aria-invalid") === "true" && check(target)) mark(target, false);
});

/** Another card has another code, and what was wrong with that of the last one says nothing of it. */
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.name.startsWith("savedCard")) return;
  const within = target.closest("[data-card],form");
  const cvv = within && one<HTMLInputElement>("[data-field=cardCvv]", within);
  if (!cvv) return;
  cvv.value = "";
  mark(cvv, false);
  if (all<HTMLAnchorElement>("#alert li a").some(({ hash }) => one(hash, within))) show(null, null);
});

/** What another card has of its own. */
export function anotherCard(within: ParentNode): void {
  one<HTMLInputElement>("input[name^=savedCard][value='']", within)?.click();
  for (const name of ["cardNumber", "cardExpiration", "cardCvv"]) {
    const control = one<HTMLInputElement>(`[data-field=${name}]`, within);
    if (!control) continue;
    control.value = "";
    mark(control, false);
    // Its brand goes with it.
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
