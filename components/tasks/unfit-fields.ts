import type { Words } from "@/components/ui/words";

const isControl = (element: Element): element is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

/** What the browser would refuse of the fields that are shown, by their names; undefined where it would send all of it. */
export function unfitFields(
  form: HTMLFormElement,
  words: Pick<Words, "fillIn" | "fillInEmail" | "fillInWhole">,
): Record<string, string> | undefined {
  const problems = [...form.elements]
    .filter(isControl)
    .filter((control) => control.name && !control.validity.valid && control.checkVisibility())
    .map((control) => {
      const { valueMissing, typeMismatch, badInput } = control.validity;
      if (badInput) return [control.name, words.fillInWhole];
      if (valueMissing) return [control.name, words.fillIn];
      return [control.name, typeMismatch && control.type === "email" ? words.fillInEmail : control.validationMessage];
    });
  return problems.length > 0 ? Object.fromEntries(problems) : undefined;
}
