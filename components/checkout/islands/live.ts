import type { SlotText } from "@/components/checkout/island-data";
import { isSpoken } from "@/components/checkout/islands/moments";
import { all, fill, make, one, readPaymentData, say } from "@/components/checkout/islands/page";

/** Follows a payment until it ends: the server tells, or is asked, and the page shows itself anew. */

const data = readPaymentData();
const POLL_FAST_MS = 2_000;
const POLL_SLOW_MS = 10_000;
const POLL_HIDDEN_MS = 30_000;
/** On a line that is dead nothing fails by itself. */
const REACHED_MS = 5_000;
const FAST_FOR_MS = 60_000;
const SLOW_TEXT_MS = 8_000;
const ROUNDING_MS = 200;

interface Status {
  signature: string;
  slots?: SlotText[];
}

let isLeaving = false;

function take(status: Status): void {
  if (isLeaving) return;
  if (data.signature === "") data.signature = status.signature;
  for (const slot of status.slots ?? []) {
    const output = one(`[data-slot="${slot.index}"] output`);
    if (!output || output.dataset.word === slot.word) continue;
    output.dataset.word = slot.word;
    output.textContent = slot.label;
    output.className =
      { held: "good", paid: "good", declined: "bad", waiting: "", released: "" }[slot.word as string] ?? "warn";
    say(`${slot.name}: ${slot.label}`);
  }
  // Without a line the browser would show its own page instead: it is asked again once there is one.
  if (status.signature !== data.signature && navigator.onLine) {
    isLeaving = true;
    // The fragment makes the page that follows read its heading out.
    history.replaceState(null, "", "#heading");
    location.reload();
  }
}

const offline = make("p", data.words.offline, "box warn go");
/** Said where it is read first, and only while it is so. */
function tellReached(isReached: boolean): void {
  if (isReached || offline.isConnected) {
    if (isReached) offline.remove();
    return;
  }
  one("#heading")?.after(offline);
  say(data.words.offline);
}

async function poll(): Promise<void> {
  try {
    const response = await fetch(data.status, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(REACHED_MS),
    });
    tellReached(true);
    if (response.ok) take(await response.json());
  } catch {
    // The next round asks again.
    tellReached(false);
  }
}

const startedAt = performance.now();
let timer = 0;
function schedule(): void {
  clearTimeout(timer);
  const isFresh = offline.isConnected || performance.now() - startedAt < FAST_FOR_MS;
  const pause = document.hidden ? POLL_HIDDEN_MS : isFresh ? POLL_FAST_MS : POLL_SLOW_MS;
  timer = window.setTimeout(look, pause);
}
const look = (): void =>
  void poll().then(() => {
    if (source.readyState !== EventSource.OPEN) schedule();
  });

let source: EventSource;
function listen(): void {
  source = new EventSource(data.live);
  source.addEventListener("message", ({ data: text }) => {
    tellReached(navigator.onLine);
    take(JSON.parse(String(text)));
    clearTimeout(timer);
  });
  source.addEventListener("error", schedule);
}
listen();
addEventListener("offline", () => tellReached(false));
// A stream that was cut may take a minute to notice: it begins anew, and is asked beside.
addEventListener("online", () => {
  source.close();
  listen();
  look();
});

// Buyers come back from the bank's app: what happened meanwhile is asked at once.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void poll();
});
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  isLeaving = false;
  void poll();
});
// What a press changes is told here at once: loading the page anew for it would take the place of the press's answer.
document.addEventListener("submit", ({ target, submitter }) => {
  const elsewhere = submitter instanceof HTMLButtonElement && submitter.formTarget;
  if (target instanceof HTMLFormElement && !target.target && !elsewhere) isLeaving = true;
});

const slow = one("#slow");
if (slow)
  setTimeout(() => {
    slow.hidden = false;
    // Its place stays: nothing below it moves.
    const soon = one("#soon");
    if (soon) soon.style.visibility = "hidden";
    say(slow.textContent ?? "");
  }, SLOW_TEXT_MS);

if (data.confirmingInSeconds !== null) setTimeout(() => void poll(), data.confirmingInSeconds * 1_000 + ROUNDING_MS);

function countDown({ secondsLeft, lifeSeconds, left, minutes, seconds }: NonNullable<typeof data.timer>): void {
  const line = one("#timer");
  const endsAt = performance.now() + secondsLeft * 1_000;
  const tick = () => {
    const rest = Math.max(0, Math.ceil((endsAt - performance.now()) / 1_000));
    if (line && rest <= lifeSeconds / 4 && rest < 86_400) {
      line.hidden = false;
      const clock = `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}`;
      line.textContent = fill(left, { time: clock });
    }
    const spoken = rest % 60 === 0 ? minutes[String(rest / 60)] : seconds[String(rest)];
    if (spoken && isSpoken(rest)) say(spoken);
    if (rest === 0) {
      clearInterval(interval);
      for (const text of all("[data-live-text]")) text.textContent = data.words.checking;
      say(data.words.checking);
      void fetch(data.check, { method: "POST", headers: { accept: "application/json" } })
        .then((response) => response.json())
        .then(take)
        .catch(schedule);
    }
  };
  const interval = setInterval(tick, 1_000);
  tick();
}
if (data.timer) countDown(data.timer);
