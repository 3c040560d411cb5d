import { all, fill, one, openData } from "@/components/checkout/islands/page";

/** Amounts of several cards that add up whatever is moved. */

const { cards: words, locale, currency } = openData();
const form = one<HTMLFormElement>("form[data-form=cards]");
const LEAST = 100;
const SLIDER_STEP = 100;
const PAGE_STEP = 1_000;

const format = new Intl.NumberFormat(locale, { style: "currency", currency });
const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false });
const money = (cents: number): string => format.format(cents / 100);

function centsOf(text: string): number | undefined {
  const bare = text.replace(/[^\d.,]/g, "").replace(/[.,](?=\d{3}(\D|$))/g, "");
  const [, whole, part = ""] = /^(\d+)(?:[.,](\d{0,2}))?$/.exec(bare) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(part.padEnd(2, "0"));
}

function partsText(total: number, count: number): string {
  const others = Math.floor(total / count);
  const first = total - others * (count - 1);
  const shown = { count, first: money(first), others: count - 1, part: money(others), total: money(total) };
  return fill(count === 1 ? words.one : first === others ? words.even : words.uneven, shown);
}

function start(within: HTMLFormElement): void {
  const total = Number(within.dataset.total);
  const inputs = all<HTMLInputElement>("[data-field=amount]", within);
  const sliders = all<HTMLInputElement>("[data-slider]", within);
  const summary = one("[data-summary]", within);
  const most = total - LEAST * (inputs.length - 1);
  let amounts = inputs.map((input) => centsOf(input.value) ?? LEAST);
  /** Card by card, the one touched last at the end. */
  let touched: number[] = [];

  // Both texts have their place from the first picture on.
  for (const text of all("[data-intro] span", within)) text.hidden = !text.hidden;

  function give(index: number, asked: number): void {
    touched = [...touched.filter((each) => each !== index), index];
    const others = amounts.map((_, each) => each).filter((each) => each !== index);
    // The card nobody touched takes the difference; with none, the one touched longest ago.
    const order = others.toSorted((a, b) => touched.indexOf(a) - touched.indexOf(b));
    const next = [...amounts];
    next[index] = Math.min(most, Math.max(LEAST, asked));
    let rest = total - next.reduce((sum, amount) => sum + amount, 0);
    for (const other of order) {
      const before = next[other] ?? 0;
      const after = Math.max(LEAST, before + rest);
      next[other] = after;
      rest -= after - before;
    }
    if (rest !== 0) next[index] = (next[index] ?? 0) + rest;
    amounts = next;
    draw(index);
  }

  function draw(typedIn?: number): void {
    for (const [index, amount] of amounts.entries()) {
      const input = inputs[index];
      if (input && (index !== typedIn || document.activeElement !== input)) input.value = plain.format(amount / 100);
      const slider = sliders[index];
      if (slider) {
        slider.value = String(amount);
        slider.setAttribute("aria-valuetext", money(amount));
      }
      for (const option of all<HTMLOptionElement>(`[name=installments${index}] option`, within)) {
        option.textContent = partsText(amount, Number(option.value));
      }
    }
    if (summary) {
      summary.hidden = false;
      summary.textContent = amounts
        .map((amount, index) => fill(words.summary, { number: index + 1, amount: money(amount) }))
        .join(" · ");
    }
  }

  for (const [index, slider] of sliders.entries()) {
    slider.hidden = false;
    Object.assign(slider, { min: String(LEAST), max: String(most), step: "1" });
    slider.addEventListener("input", () => {
      const value = Number(slider.value);
      give(index, value === most ? value : Math.round(value / SLIDER_STEP) * SLIDER_STEP);
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
      give(index, (amounts[index] ?? 0) + step);
    });
  }
  for (const [index, input] of inputs.entries()) {
    input.addEventListener("input", () => {
      const cents = centsOf(input.value);
      if (cents !== undefined && cents >= LEAST && cents <= most) give(index, cents);
    });
    input.addEventListener("focusout", () => {
      give(index, centsOf(input.value) ?? amounts[index] ?? LEAST);
      input.value = plain.format((amounts[index] ?? LEAST) / 100);
    });
  }
  draw();
}

if (form) start(form);
