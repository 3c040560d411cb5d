import {
  LEAST_CENTS as LEAST,
  summed,
  withAmount,
  withCards,
  withRemainder,
} from "@/components/checkout/islands/amounts";
import { all, fill, make, one, openData, say } from "@/components/checkout/islands/page";
import { sharedAmount } from "@/lib/checkout/shared-amount";

/** Amounts of several cards that add up whatever is moved; what was typed is changed by nobody but who typed it. */

const { cards: words, errors, locale, currency } = openData();
const form = one<HTMLFormElement>("form[data-form=cards]");
const SLIDER_STEP = 100;
const PAGE_STEP = 1_000;

const format = new Intl.NumberFormat(locale, { style: "currency", currency });
const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const money = (cents: number): string => format.format(cents / 100);

const centsOf = (text: string): number | undefined => sharedAmount(text, locale);

function partsOf(total: number, count: number): { first: number; others: number } {
  const others = Math.floor(total / count);
  return { first: total - others * (count - 1), others };
}

function choiceText(total: number, count: number): string {
  const { first, others } = partsOf(total, count);
  const shown = { count, total: money(total), first: money(first), part: money(others) };
  return fill(count === 1 ? words.one : first === others ? words.some : words.someFirst, shown);
}

/** Of each choice whose first part is another than the rest. */
function showExact(select: HTMLSelectElement, total: number): void {
  const list = one("[data-exact] ul", select.closest("[data-card]") ?? select);
  const lines = [...select.options].flatMap(({ value, disabled }) => {
    const count = Number(value);
    const { first, others } = partsOf(total, count);
    const shown = { count, first: money(first), others: count - 1, part: money(others) };
    return disabled || first === others ? [] : [make("li", fill(words.exact, shown))];
  });
  list?.replaceChildren(...lines);
}

/** What this card's amount can be divided into; a choice that still holds is kept, another goes to the next that does. */
function narrow(select: HTMLSelectElement, amount: number, leastPart: number): void {
  for (const option of select.options) {
    const count = Number(option.value);
    option.textContent = choiceText(amount, count);
    option.hidden = option.disabled = count > 1 && Math.floor(amount / count) < leastPart;
  }
  while (select.selectedIndex > 0 && select.options[select.selectedIndex]?.disabled) select.selectedIndex--;
}

function start(within: HTMLFormElement): void {
  const total = Number(within.dataset.total);
  const leastPart = Number(within.dataset.least);
  const cards = all<HTMLFieldSetElement>("[data-card]", within);
  const inputs = all<HTMLInputElement>("[data-field=amount]", within);
  const sliders = all<HTMLInputElement>("[data-slider]", within);
  const summary = one("[data-summary]", within);
  let amounts = cards.filter(({ hidden }) => !hidden).map((_, index) => centsOf(inputs[index]?.value ?? "") ?? LEAST);
  /** Card by card, the one touched last at the end. */
  let touched: number[] = [];
  const typed = new Set<number>();
  /** Also what was given up since. */
  const everTyped = new Set<number>();
  /** Of two cards: says that it gave way. */
  const isTold = new Set<number>();
  /** Fields with something that is no amount: it stands, to be seen beside what is said of it. */
  const unread = new Set([...amounts.keys()].filter((index) => centsOf(inputs[index]?.value || "1") === undefined));
  if (unread.size > 0) amounts = withRemainder(amounts, [...unread], total);
  let drawn = 0;
  const most = (): number => total - LEAST * (amounts.length - 1);

  // Both texts have their place from the first picture on.
  for (const text of all("[data-intro] span", within)) text.hidden = !text.hidden;

  /** The last card that nobody touched takes the difference; with none, the one moved longest ago. */
  const takersBut = (index: number): number[] =>
    amounts
      .map((_, each) => each)
      .filter((each) => each !== index && !typed.has(each))
      .sort((a, b) => touched.indexOf(a) - touched.indexOf(b) || b - a);

  function move(index: number, asked: number): void {
    touched = [...touched.filter((each) => each !== index), index];
    typed.delete(index);
    unread.delete(index);
    amounts = withAmount(amounts, index, asked, takersBut(index), total);
    draw(index);
  }

  function type(index: number, asked: number): void {
    // Of two cards the other one is always what is left.
    if (amounts.length === 2) typed.clear();
    typed.add(index);
    unread.delete(index);
    everTyped.add(index);
    const limited = Math.min(most(), Math.max(LEAST, asked));
    const given = amounts.map((amount, each) => (each === index ? limited : amount));
    const before = amounts;
    amounts = withRemainder(given, takersBut(index), total);
    draw(index);
    const other = 1 - index;
    // Two amounts were typed, and only one can stand.
    if (amounts.length === 2 && everTyped.has(other) && (isTold.has(other) || before[other] !== amounts[other])) {
      isTold.add(other);
      isTold.delete(index);
      tell(inputs[other], fill(words.rest, { amount: money(amounts[other] ?? 0), total: money(total) }));
    }
  }

  /** By the field whose amount was changed, until one changes again. */
  function tell(input: HTMLInputElement | undefined, text: string): void {
    const line = input && document.getElementById(`${input.id}-error`);
    if (!line) return;
    const told = drawn;
    // After the check of a field that is left, which finds nothing wrong with an amount.
    setTimeout(() => {
      // Another amount has changed meanwhile.
      if (told !== drawn) return;
      line.textContent = text;
      line.hidden = false;
    });
    say(text);
  }

  function tellLimit(input: HTMLInputElement, cents: number): void {
    if (cents >= LEAST && cents <= most()) return;
    tell(input, cents < LEAST ? (errors.amount ?? "") : fill(words.most, { amount: money(most()) }));
  }

  /** Another number of cards, here on the page: what was typed stays. Without this the link loads the page anew. */
  function use(count: number): void {
    for (const index of typed) if (index >= count) typed.delete(index);
    for (const index of unread) if (index >= count) unread.delete(index);
    const before = amounts;
    amounts = withCards(amounts, count, total, typed);
    // Given up, it is nobody's wish any more.
    for (const index of typed) if (amounts[index] !== before[index]) typed.delete(index);
    touched = touched.filter((index) => index < count);
    for (const [index, card] of cards.entries()) card.hidden = card.disabled = index >= count;
    const sent = one<HTMLInputElement>("[name=count]", within);
    if (sent) sent.value = String(count);
    for (const link of links) {
      const isChosen = Number(link.dataset.cards) === count;
      link.toggleAttribute("aria-current", isChosen);
      if (!isChosen) continue;
      link.setAttribute("aria-current", "true");
      history.replaceState(null, "", link.href);
      const label = one("button[type=submit] span:last-of-type", within);
      if (label) label.textContent = link.dataset.pay ?? "";
    }
    draw();
  }
  const links = all<HTMLAnchorElement>("a[data-cards]", within.parentElement ?? document);
  for (const link of links) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (!within.hasAttribute("data-busy")) use(Number(link.dataset.cards));
    });
  }

  function draw(typedIn?: number): void {
    drawn++;
    for (const [index, amount] of amounts.entries()) {
      const input = inputs[index];
      const line = input && document.getElementById(`${input.id}-error`);
      if (line && !unread.has(index)) line.hidden = true;
      // The check of the whole form finds it as well (components/checkout/islands/checks.ts).
      if (input && unread.has(index)) input.dataset.unseen = words.unread;
      else if (input) delete input.dataset.unseen;
      if (input && !unread.has(index) && (index !== typedIn || document.activeElement !== input))
        input.value = plain.format(amount / 100);
      const slider = sliders[index];
      if (slider) {
        slider.max = String(most());
        slider.value = String(amount);
        slider.setAttribute("aria-valuetext", money(amount));
      }
      const parts = one<HTMLSelectElement>(`[name=installments${index}]`, within);
      if (parts) {
        narrow(parts, amount, leastPart);
        showExact(parts, amount);
      }
    }
    if (summary) showSum(summary);
  }

  function showSum(line: HTMLElement): void {
    const told = summed(amounts, unread, total);
    line.hidden = told.kind === "unread";
    if (told.kind === "unread") return;
    line.className = told.kind === "shared" ? "note" : "err";
    line.textContent =
      told.kind === "shared"
        ? amounts.map((amount, index) => fill(words.summary, { number: index + 1, amount: money(amount) })).join(" · ")
        : fill(words[told.kind], {
            sum: money(told.sum),
            missing: money(told.off),
            over: money(told.off),
            total: money(total),
          });
  }

  for (const [index, slider] of sliders.entries()) {
    slider.hidden = false;
    Object.assign(slider, { min: String(LEAST), step: "1" });
    slider.addEventListener("input", () => {
      const value = Number(slider.value);
      move(index, value === most() ? value : Math.round(value / SLIDER_STEP) * SLIDER_STEP);
    });
    slider.addEventListener("keydown", (event) => {
      const steps: Record<string, number> = {
        ArrowRight: SLIDER_STEP,
        ArrowUp: SLIDER_STEP,
        ArrowLeft: -SLIDER_STEP,
        ArrowDown: -SLIDER_STEP,
        PageUp: PAGE_STEP,
        PageDown: -PAGE_STEP,
      };
      const step = steps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      move(index, (amounts[index] ?? 0) + step);
    });
  }
  for (const [index, input] of inputs.entries()) {
    let isTyping = false;
    input.addEventListener("input", () => {
      const cents = centsOf(input.value);
      if (cents !== undefined && cents >= LEAST && cents <= most()) type(index, cents);
      else if (cents !== undefined && cents > most()) tellLimit(input, cents);
      isTyping = true;
    });
    // A field that was only passed through was not typed into, and one that was emptied takes what the others leave.
    input.addEventListener("focusout", () => {
      const asked = centsOf(input.value);
      if (isTyping && asked !== undefined) {
        type(index, asked);
        tellLimit(input, asked);
      } else if (isTyping && input.value.trim()) {
        unread.add(index);
        draw();
        tell(input, words.unread);
      } else if (isTyping) {
        typed.delete(index);
        unread.delete(index);
        amounts = withRemainder(amounts, [index], total);
        draw();
      }
      isTyping = false;
      if (!unread.has(index)) input.value = plain.format((amounts[index] ?? LEAST) / 100);
    });
  }
  // One holder is asked for: the name stands on the other cards too, until somebody writes another.
  const names = all<HTMLInputElement>("[data-field=cardHolderName]", within);
  names[0]?.addEventListener("focusout", () => {
    for (const name of names) name.value ||= names[0]?.value ?? "";
  });
  draw();
}

if (form) start(form);
