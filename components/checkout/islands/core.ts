import type { AlertText, SlotText } from "@/components/checkout/island-data";
import { afterPaint, alertPlace, growing, reveal, show, warn } from "@/components/checkout/islands/alert";
import { answerTo } from "@/components/checkout/islands/answer";
import { anotherCard, controlsOf, data, isUnused, judgeControl, messageOf } from "@/components/checkout/islands/checks";
import { isOfLanguage } from "@/components/checkout/islands/language";
import { findSent, keepSent, lookAgain } from "@/components/checkout/islands/link";
import { type Control, mark } from "@/components/checkout/islands/mark";
import { all, fill, make, one, openAlone, say } from "@/components/checkout/islands/page";

/** The forms of the link: checks while one types, sends without leaving the page, and says what became of it. */

const SLOW_MS = 8_000;
const REACHED_MS = 4_000;
const WATCH_MS = 900;
/** From here on the payment has a page of its own, where nothing can be paid again. */
const CONFIRMING_MS = 25_000;

interface Answer {
  next?: string;
  /** The cards run now; their progress is shown here and nothing typed is lost. */
  watch?: string;
  attempt?: string;
  alert?: AlertText;
  message?: string;
  fields?: { name: string; message: string }[];
  heading?: string;
  captcha?: boolean;
  challenge?: object;
  /** What the buyer presses who wants to pay once more. */
  again?: string;
  receipt?: { href: string; label: string };
}

function summary(wrong: { control: Control; message: string }[], heading = ""): void {
  const told = wrong.length === 1 ? data.words.one : fill(data.words.several, { count: wrong.length });
  const box = warn(heading || told, []);
  const list = make("ul");
  for (const { control, message } of wrong) {
    const card = control.closest<HTMLElement>("[data-card]")?.dataset.card;
    const link = make("a", card ? fill(data.words.onCard, { number: Number(card) + 1, message }) : message);
    link.href = `#${control.id}`;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      control.focus();
    });
    const item = make("li");
    item.append(link);
    list.append(item);
  }
  box.append(list);
  show(box, wrong[0]?.control ?? box);
}

/** One payment at a time: while one form is sent, no button of another can be pressed. */
function busy(form: HTMLFormElement, isBusy: boolean): void {
  form.toggleAttribute("data-busy", isBusy);
  if (!isBusy) {
    say("");
    for (const line of captchaLines(form)) if (line.textContent === data.words.slow) line.hidden = true;
  }
  for (const button of all("[data-form] [type=submit]")) button.setAttribute("aria-disabled", String(isBusy));
}

function openMethod(method: string): HTMLElement | null {
  const details = one<HTMLDetailsElement>(`details[data-method=${method}]`);
  if (details) openAlone(details);
  return details;
}

const ELSEWHERE: Readonly<Record<string, string>> = { name: "cardHolderName", cardHolderName: "name" };
/** Never asked for twice: what was typed for one method stands in the next one too, but for the code of a card. */
function carry(to: HTMLElement, declined: number | null = null): void {
  for (const control of all<HTMLInputElement>("input[data-field]", to)) {
    const field = control.dataset.field ?? "";
    const card = control.closest<HTMLElement>("[data-card]")?.dataset.card ?? "0";
    if (control.value || card !== "0" || field === "cardCvv" || field === "amount") continue;
    const typed = [field, ELSEWHERE[field]].flatMap((name) =>
      name ? all<HTMLInputElement>(`[data-field=${name}]`) : [],
    );
    const found = typed.find((each) => each.value !== "" && !each.closest(`[data-card="${declined}"]`));
    if (!found) continue;
    control.value = found.value;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || !target.open || !target.dataset.method) return;
    // What was wrong in one form says nothing of another.
    const wrong = one<HTMLAnchorElement>("#alert li a");
    if (wrong && !one(wrong.hash, target)) show(null, null);
    openAlone(target);
    carry(target);
  },
  true,
);

/** Offers of the server after a refusal, acted on in place. */
function act(form: HTMLFormElement, kind: string, card: number | null): boolean {
  const within: ParentNode = card === null ? form : (one(`[data-card="${card}"]`, form) ?? form);
  const field = (name: string) => one<Control>(`[data-field=${name}]`, within);
  if (kind === "retry") {
    form.requestSubmit();
    return true;
  }
  if (kind === "card" || kind === "parts" || kind === "amounts") {
    if (form.dataset.form !== "card" && form.dataset.form !== "cards") openMethod("card");
    if (kind === "card") anotherCard(within);
    const control = field({ card: "cardNumber", parts: "installments", amounts: "amount" }[kind]);
    if (control instanceof HTMLInputElement) control.select();
    control?.focus();
    // Browsers of phones wait for their keyboard before they scroll.
    control?.scrollIntoView({ block: "center" });
    return control !== null;
  }
  if (kind === "single") {
    // The cards that were not declined are as good by themselves.
    const alone = one("form[data-form=card]");
    if (alone) carry(alone, card);
  }
  const details = openMethod({ split: "cards", single: "card", pixAutomatic: "pix" }[kind] ?? kind);
  one<HTMLElement>("[data-field]", details ?? document)?.focus();
  return details !== null;
}

function refuse(form: HTMLFormElement, alert: AlertText): void {
  const box = warn(alert.heading, alert.lines);
  box.dataset.refused = "";
  const within: ParentNode = alert.card === null ? form : (one(`[data-card="${alert.card}"]`, form) ?? form);
  const control = (name: string | null) => (name ? one<Control>(`[data-field=${name}]`, within) : null);
  const emptied = control(alert.empties);
  // Of the instalments the first choice is the one at once: a hurried press does not pay so before anybody looked.
  if (emptied instanceof HTMLSelectElement) {
    emptied.selectedIndex = 0;
    emptied.dataset.unseen = alert.reason;
    judgeControl(emptied);
  } else if (emptied) emptied.value = "";
  const stack = make("div", "", "stack");
  for (const [index, action] of alert.actions.entries()) {
    const button = make("button", action.label, index === 0 ? "btn" : "btn two");
    button.type = "button";
    button.dataset.action = action.kind;
    wait(button, action);
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") === "true") return;
      if (!act(form, action.kind, alert.card)) location.assign(action.href);
    });
    stack.append(button);
  }
  if (alert.actions.length > 0) box.append(stack);
  isSameCard = true;
  const asked = control(alert.focus);
  const focused = asked && !isUnused(asked) ? asked : null;
  if (focused) mark(focused, true, alert.reason);
  const line = focused && document.getElementById(`${focused.id}-error`);
  if (line) line.hidden = true;
  show(box, focused ?? one("button", box) ?? box);
  // A small screen shows the field and no box: the reason stands by it too, once the page has scrolled there.
  const place = line?.parentElement;
  if (!focused || !place) return;
  afterPaint(() =>
    afterPaint(() => {
      growing(place, () => {
        line.hidden = focused.getAttribute("aria-invalid") !== "true";
      });
      reveal(box, place);
    }),
  );
}

let isSameCard = false;
document.addEventListener("input", ({ target }) => {
  // Guarantee: nothing but controls of forms tells of it on this page.
  if (/^(cardN|saved)/.test((target as Control).name)) isSameCard = false;
});

/** A bank that did not answer gets half a minute. */
function wait(button: HTMLButtonElement, { label, opensInSeconds, opens }: AlertText["actions"][number]): void {
  let left = opensInSeconds;
  if (left <= 0) return;
  button.setAttribute("aria-disabled", "true");
  const tick = () => {
    // As high as its longer text, also when that is over.
    if (button.isConnected) button.style.minHeight = `${button.offsetHeight}px`;
    button.textContent = left > 0 ? `${label} · ${fill(opens, { seconds: left })}` : label;
    if (left-- <= 0) {
      button.removeAttribute("aria-disabled");
      clearInterval(timer);
    }
  };
  const timer = setInterval(tick, 1_000);
  tick();
}

const TONES: Record<string, string> = { held: "good", paid: "good", declined: "bad", waiting: "", released: "" };

let isSlow = false;
function showSlots({ slots = [], heading, body }: Progress, isFirst: boolean): void {
  const box = make("div", "", "box");
  box.append(make("h2", heading), make("p", body));
  const list = make("ul", "", "slots");
  for (const { word, label, name } of slots) {
    const line = make("li");
    line.append(make("span", name), make("output", label, TONES[word] ?? "warn"));
    list.append(line);
  }
  box.append(list);
  if (isSlow) box.append(make("p", data.words.slow));
  show(box, null, isFirst);
}

/** Follows cards that run, on this page: what was typed stays for a repair. */
async function watch(form: HTMLFormElement, url: string): Promise<void> {
  let said = "";
  let wasSlow = false;
  for (;;) {
    // Guarantee: what stands for no answer is a word, which has none of these members.
    const status = (await answerTo<Progress>(fetch(url, { headers: { accept: "application/json" } }))) as Progress;
    if (status.slots) {
      const line = status.slots.map(({ name, label }) => `${name}: ${label}`).join(". ");
      if (line !== said || isSlow !== wasSlow) {
        showSlots(status, said === "");
        if (line !== said) say(line);
        said = line;
        wasSlow = isSlow;
      }
    }
    if (status.answer) return settle(form, status.answer);
    await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  }
}

interface Progress {
  slots?: SlotText[];
  heading?: string;
  body?: string;
  answer?: Answer;
}

async function settle(form: HTMLFormElement, answer: Answer): Promise<void> {
  if (answer.attempt) {
    const key = one<HTMLInputElement>("input[name=attempt]", form);
    if (key) key.value = answer.attempt;
  }
  if (answer.challenge) document.documentElement.dataset.challenge = JSON.stringify(answer.challenge);
  if (answer.captcha) solver = import(data.scripts.captcha);
  if (answer.watch) return watch(form, answer.watch);
  if (answer.next) {
    location.assign(answer.next);
    return;
  }
  busy(form, false);
  if (answer.alert) return refuse(form, answer.alert);
  if (answer.fields?.length) {
    const wrong = answer.fields.flatMap(({ name, message }) => {
      const control = one<Control>(`[name="${name}"]`, form);
      return control ? [{ control, message }] : [];
    });
    for (const { control, message } of wrong) mark(control, true, message);
    return summary(wrong, answer.heading);
  }
  const box = warn(answer.heading ?? "", [answer.message ?? data.words.failed]);
  if (answer.again) askAgain(form, box, answer.again, answer.receipt);
  show(box, one("a", box) ?? box);
}

/** Whether to pay once more: the receipt is the first answer, to pay the second. */
function askAgain(form: HTMLFormElement, box: HTMLElement, label: string, receipt: Answer["receipt"]): void {
  box.className = "box warn";
  const asked = one<HTMLInputElement>("input[name=again]", form);
  if (asked) asked.value = "1";
  const stack = make("div", "", "stack");
  if (receipt) {
    const link = make("a", receipt.label, "btn");
    link.href = receipt.href;
    stack.append(link);
  }
  const button = make("button", label, "btn two");
  button.type = "button";
  button.addEventListener("click", () => form.requestSubmit());
  stack.append(button);
  box.append(stack);
}

const CAPTCHA_MS = 30_000;
let solver: Promise<unknown> = Promise.resolve();
/** The proof of work is usually done before anybody has typed a card number. */
const captchaReady = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, CAPTCHA_MS);
    void solver.then(() => {
      if (document.documentElement.dataset.captcha !== "working") resolve();
      else document.addEventListener("captcha", () => resolve(), { once: true });
    }, resolve);
  });

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.dataset.form || isOfLanguage(event.submitter)) return;
  event.preventDefault();
  if (one("form[data-busy]")) return;
  // The same card waits as long as the offer to try it again; another one need not.
  const waiting = one("#alert [data-action=retry][aria-disabled=true]");
  if (waiting && isSameCard) return waiting.focus();
  const wrong = controlsOf(form).filter((control) => !judgeControl(control));
  if (wrong.length > 0) {
    summary(wrong.map((control) => ({ control, message: messageOf(control) })));
    return;
  }
  void send(form);
});

/** Where the captcha says how far it is, which is done by now; cards that run say it in their own place. */
const captchaLines = (form: HTMLFormElement): HTMLElement[] => all("[data-captcha=status]", form);
function tellSlow(form: HTMLFormElement): void {
  isSlow = true;
  for (const line of captchaLines(form)) {
    line.hidden = false;
    line.textContent = data.words.slow;
  }
  say(data.words.slow);
}

async function send(form: HTMLFormElement): Promise<void> {
  busy(form, true);
  // What was wrong before says nothing of what is on its way now; what was pressed in it goes with it.
  const isPressedThere = alertPlace?.contains(document.activeElement);
  show(null, isPressedThere ? one("button[type=submit]", form) : null);
  say(data.words.sending);
  keepSent(true);
  isSlow = false;
  // What is sent without a network never leaves: only then is it certain that nothing was charged.
  const isOff = !navigator.onLine;
  const cut = new AbortController();
  const slow = setTimeout(() => {
    tellSlow(form);
    // It may be the line that is dead, and not the bank that is slow.
    fetch(data.again, { signal: AbortSignal.timeout(REACHED_MS) }).catch(() => cut.abort());
  }, SLOW_MS);
  const confirming = setTimeout(async () => {
    // Where the link cannot be loaded, what was typed would go with the page.
    if (await lookAgain()) location.assign(data.again);
  }, CONFIRMING_MS);
  // A decline asks for a proof of work: its scripts come while the bank is asked, and no buyer waits for them.
  if (form.dataset.form?.startsWith("card")) for (const url of data.captcha.ahead) fetch(url).catch(() => undefined);
  // The press is answered on the screen first.
  await new Promise((painted) => setTimeout(painted));
  await captchaReady();
  const answer = await answerTo<Answer>(
    fetch(form.action, {
      method: "POST",
      signal: cut.signal,
      headers: { accept: "application/json" },
      body: new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])),
    }),
  );
  try {
    if (typeof answer !== "string") {
      keepSent(false);
      return await settle(form, answer);
    }
    // What failed on our side may have paid all the same: that is looked for before anybody is told to try again.
    if (answer === "failed" && (await findSent((isBusy) => busy(form, isBusy)))) return;
    await settle(form, { message: data.words[isOff && answer === "network" ? "offline" : answer] });
  } finally {
    clearTimeout(slow);
    clearTimeout(confirming);
    document.dispatchEvent(new Event("sent"));
  }
}

/** Forms come back from the browser's memory as they were left. */
addEventListener("pageshow", () => {
  const setBusy = (isBusy: boolean) => {
    for (const form of all<HTMLFormElement>("[data-form]")) busy(form, isBusy);
  };
  setBusy(false);
  void findSent(setBusy);
});

function whenOpened(): void {
  const details = one<HTMLDetailsElement>("details[data-method=cards]");
  const load = () => void import(data.scripts.splitter);
  if (!details) {
    if (one("form[data-form=cards]")) load();
    return;
  }
  if (details.open) load();
  details.addEventListener("toggle", load, { once: true });
}
whenOpened();
if (data.captcha.isDue) solver = import(data.scripts.captcha);
// Whoever began to type before this had come goes on where they are.
if (document.activeElement === document.body) one("#alert [role=alert]")?.focus();
