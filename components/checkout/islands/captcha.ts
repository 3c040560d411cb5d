import { all, one, openData, say } from "@/components/checkout/islands/page";

/** Solves the page's challenge beside the typing: from the first focus on, and again before it is too old. */

const { captcha, words } = openData();
const RENEW_MS = 4 * 60_000;
const root = document.documentElement;

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}
const types = (window as Window & { trustedTypes?: TrustedTypes }).trustedTypes;
const rules = {
  createScriptURL(url: string): string {
    if (url !== captcha.worker) throw new TypeError("no other script");
    return url;
  },
};
const policy = types?.createPolicy("trilho", rules) ?? rules;

function state(now: "working" | "done" | "failed", text: string): void {
  root.dataset.captcha = now;
  for (const line of all("[data-captcha=status]")) {
    // Once it is done there is nothing to wait for; its place stays, so that nothing jumps.
    line.hidden = now === "done";
    line.textContent = text;
  }
  if (now === "failed") say(text, "assertive");
  if (now !== "working") document.dispatchEvent(new Event("captcha"));
}

/** Came along with the answer that asks for it. */
function given(): unknown {
  const text = root.dataset.challenge;
  delete root.dataset.challenge;
  return text && JSON.parse(text);
}
const ask = async (): Promise<unknown> =>
  (await fetch(captcha.url, { headers: { accept: "application/json" } })).json();

async function solve(): Promise<void> {
  state("working", words.captchaWorking);
  try {
    const challenge: unknown = given() || (await ask());
    const worker = new Worker(policy.createScriptURL(captcha.worker), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<{ token?: string }>) => {
      if (!data.token) return;
      worker.terminate();
      for (const field of all<HTMLInputElement>("input[name=captcha]")) field.value = data.token;
      state("done", words.captchaDone);
    });
    worker.addEventListener("error", () => state("failed", words.captchaFailed));
    worker.postMessage(challenge);
  } catch {
    state("failed", words.captchaFailed);
  }
}

const FRAME_HEIGHT = "80";
const OPEN_HEIGHT = "560";

/** The service's widget, in its own frame and origin: of all it says, only a token counts. One for each form. */
function showFrame(form: HTMLFormElement, address: string): void {
  if (one("iframe", form)) return;
  const { origin } = new URL(address);
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
  frame.title = words.captchaWorking;
  frame.height = FRAME_HEIGHT;
  frame.src = address;
  one("button[type=submit]", form)?.before(frame);
  const field = one<HTMLInputElement>("input[name=captcha]", form);
  addEventListener("message", ({ origin: from, source, data: said }: MessageEvent) => {
    if (from !== origin || source !== frame.contentWindow || said?.source !== "trilho-captcha" || !field) return;
    if (typeof said.isOpen === "boolean") frame.height = said.isOpen ? OPEN_HEIGHT : FRAME_HEIGHT;
    if (said.failed === true) state("failed", words.captchaFailed);
    if (typeof said.token !== "string") return;
    field.value = said.token;
    if (said.token) state("done", words.captchaDone);
    else state("working", words.captchaWorking);
  });
  document.addEventListener("sent", () => {
    if (!field?.value) return;
    field.value = "";
    frame.contentWindow?.postMessage({ source: "trilho-captcha", reset: true }, origin);
  });
  state("working", words.captchaWorking);
}

function frames(address: string): void {
  const formOf = (target: EventTarget | null): void => {
    const form = target instanceof Element ? target.closest<HTMLFormElement>("form[data-form]") : null;
    if (form) showFrame(form, address);
  };
  document.addEventListener("focusin", ({ target }) => formOf(target));
  formOf(one("details[open] form[data-form], .only form[data-form]"));
}

let renewal = 0;
function begin(): void {
  clearInterval(renewal);
  void solve();
  renewal = window.setInterval(() => void solve(), RENEW_MS);
}
if (captcha.frame) frames(captcha.frame);
else {
  // A solution is taken once: the next send needs another.
  document.addEventListener("sent", begin);
  // Due only since a refusal: whoever presses to try again at once focuses no field first.
  if (!captcha.isDue || one(":focus")?.matches("input,select")) begin();
  else document.addEventListener("focusin", begin, { once: true });
}
