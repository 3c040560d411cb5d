import { brandOfDigits, cvvDigits, groupsOf, luhn, numberDigits } from "@/components/checkout/islands/brands";
import { expiryText, expiryTyped } from "@/components/checkout/islands/expiry";
import { mark } from "@/components/checkout/islands/mark";
import { all, fill, one, openData, say } from "@/components/checkout/islands/page";
import { digitsIn } from "@/components/checkout/islands/rules";

/** Card numbers in groups with their brand, expiry with its slash, a code as long as the brand's. */

const { cards: words } = openData();
const MOST_DIGITS = 19;
const MOST_CVV_DIGITS = 4;

const scopeOf = (input: HTMLElement): HTMLElement | null => input.closest<HTMLElement>("[data-card],form");

/** A value written again is laid out and painted again. */
function put(input: HTMLInputElement, value: string): void {
  if (input.value !== value) input.value = value;
}

function showBrand(input: HTMLInputElement, brand: string): void {
  const scope = scopeOf(input);
  if (!scope || scope.dataset.brand === brand) return;
  scope.dataset.brand = brand;
  const place = one("[data-brand]", input.parentElement ?? scope);
  const drawn = one<SVGElement>(`.hp [data-mark="${brand}"]`);
  place?.replaceChildren(...(drawn ? [drawn.cloneNode(true)] : []));
  if (brand) say(fill(words.brand, { brand }));
  fitCvv(scope, brand);
}

/** As long as the brand's, and said where it is found. */
function fitCvv(scope: HTMLElement, brand: string): void {
  const cvv = one<HTMLInputElement>("[data-field=cardCvv]", scope);
  if (!cvv) return;
  cvv.dataset.most = String(brand ? cvvDigits(brand) : MOST_CVV_DIGITS);
  const hint = document.getElementById(`${cvv.id}-hint`);
  const where = cvvDigits(brand) === 4 ? words.cvvAmex : words.cvv;
  if (hint && hint.textContent !== where) hint.textContent = where;
}

/** Told by its own field before anything is sent; the server asks again. */
function tellUntaken(input: HTMLInputElement, brand: string): void {
  const isUntaken = brand !== "" && !words.taken.includes(brand);
  if (!isUntaken && !input.dataset.untaken) return;
  input.dataset.untaken = isUntaken ? brand : "";
  mark(input, isUntaken, fill(words.untaken, { brand }));
}

function cardNumber(input: HTMLInputElement): void {
  const digits = digitsIn(input.value).slice(0, MOST_DIGITS);
  const brand = brandOfDigits(digits);
  const isAtEnd = input.selectionStart === input.value.length;
  // Somebody who corrects a digit in the middle keeps the cursor; the groups follow when the field is left.
  if (isAtEnd) put(input, groupsOf(digits, brand));
  showBrand(input, brand);
  if (digits.length >= numberDigits(brand) || input.dataset.untaken) tellUntaken(input, brand);
  if (isAtEnd && digits.length === numberDigits(brand) && brand) input.dataset.full = "1";
}

function expiry(input: HTMLInputElement): void {
  if (input.selectionStart !== input.value.length) return;
  const { value, dataset } = input;
  const was = dataset.was ?? "";
  // Pasted or filled in at once: whatever form it has.
  put(input, (value.length > was.length + 1 && expiryText(value)) || expiryTyped(value, was));
  dataset.was = input.value;
}

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.dataset.field === "cardNumber") cardNumber(target);
  if (target.dataset.field === "cardExpiration") expiry(target);
  if (target.dataset.field === "cardCvv") {
    put(target, digitsIn(target.value).slice(0, Number(target.dataset.most ?? MOST_CVV_DIGITS)));
  }
});
document.addEventListener("focusout", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.dataset.field === "cardExpiration") put(target, expiryText(target.value) || target.value);
  if (target.dataset.field !== "cardNumber") return;
  const digits = digitsIn(target.value);
  const brand = brandOfDigits(digits);
  put(target, groupsOf(digits, brand));
  if (luhn(digits)) tellUntaken(target, brand);
});

for (const input of all<HTMLInputElement>("[data-field=cardNumber]")) if (input.value) cardNumber(input);

/** What the bank of a challenged card is told of the screen. */
const { colorDepth, height, width } = window.screen;
const told = [colorDepth, height, width, new Date(performance.timeOrigin).getTimezoneOffset()].join();
for (const field of all<HTMLInputElement>("input[name=screen]")) field.value = told;

/** A saved card needs its code alone. */
function savedCards(form: HTMLElement): void {
  const choices = all<HTMLInputElement>("input[name^=savedCard]", form);
  if (choices.length === 0) return;
  const follow = () => {
    const saved = choices.find((choice) => choice.checked && choice.value !== "");
    for (const place of all<HTMLElement>(".fresh", form)) place.hidden = saved !== undefined;
    const typed = brandOfDigits(digitsIn(one<HTMLInputElement>("[data-field=cardNumber]", form)?.value ?? ""));
    form.dataset.brand = saved?.dataset.cardBrand ?? typed;
    fitCvv(form, form.dataset.brand);
  };
  for (const choice of choices) choice.addEventListener("change", follow);
  follow();
}
for (const scope of all("form[data-form=card],[data-card]")) savedCards(scope);
