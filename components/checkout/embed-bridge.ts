/** In a frame on the shop's page: tells it the size, the state and the outcome, and nothing about the buyer. */

const PAID: Readonly<Record<string, string>> = { paid: "paid", authorised: "authorized", started: "started" };
const FAILED = ["declined", "released"];

const embedder = document.querySelector<HTMLMetaElement>('meta[name="trilho-embedder"]')?.content;
/** The token of the payment, when this is its page. */
const payment = /\/p\/([\w-]+)$/.exec(location.pathname)?.[1] ?? null;

/** To the one page that may frame this one; the browser hands it to nobody else. */
function tell(message: Record<string, unknown>): void {
  if (embedder && parent !== window) parent.postMessage({ source: "trilho", ...message }, embedder);
}

/** The page is as high as what stands on it, not as the frame it is given: so that it can shrink again. */
const heightOf = (): number =>
  Math.ceil(Math.max(0, ...Array.from(document.body.children, (child) => child.getBoundingClientRect().bottom))) +
  Math.ceil(scrollY);

let told = 0;
function tellSize(): void {
  const height = heightOf();
  if (height === told) return;
  told = height;
  tell({ type: "size", height });
}

function tellState(): void {
  const { state } = document.body.dataset;
  tell({ type: "state", state });
  if (state === undefined || payment === null) return;
  if (PAID[state]) tell({ type: "success", payment, status: PAID[state] });
  if (FAILED.includes(state)) tell({ type: "failure", payment, code: "refused" });
}

/** A refusal on the page of the link itself, where the buyer tries again at once. */
function tellRefusal(): void {
  const box = document.querySelector("#alert [data-refused]");
  if (box && payment === null) tell({ type: "failure", payment: null, code: "refused" });
}

/** Where the shop's page is, for a bank that sends the buyer back to it. */
addEventListener("message", ({ origin, source, data }: MessageEvent) => {
  if (origin !== embedder || source !== parent || data?.source !== "trilho" || typeof data.from !== "string") return;
  for (const field of document.querySelectorAll<HTMLInputElement>("input[name=from]")) field.value = data.from;
});

tell({ type: "ready" });
tellSize();
tellState();
tellRefusal();

const sized = new ResizeObserver(tellSize);
for (const child of document.body.children) sized.observe(child);
new MutationObserver(tellState).observe(document.body, { attributes: true, attributeFilter: ["data-state"] });
const alerts = document.querySelector("#alert");
if (alerts) new MutationObserver(tellRefusal).observe(alerts, { childList: true });
