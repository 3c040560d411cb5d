import { growing } from "@/components/checkout/islands/alert";
import { data } from "@/components/checkout/islands/checks";
import { one, say } from "@/components/checkout/islands/page";
import { followElsewhere } from "@/components/checkout/islands/stale";

/** What became of the link meanwhile: of a payment of this page that it never heard of again, or of somebody else's. */

/** Of a mark that a payment was sent: later its page is found by the link itself. */
const SENT_FOR_MS = 25_000;
const FIND_PAUSES_MS = [300, 700, 1_000, 2_000, 3_000];
const FOLLOW_MS = 4_000;

// An answer to a form would be sent for anew on the way back to it.
if (data.address) history.replaceState(null, "", data.address);

const SENT = `sent ${data.base}`;
const nowMs = (): number => performance.timeOrigin + performance.now();
/** That a payment was sent and not answered yet, which is nothing about the buyer, for a page that is loaded again meanwhile. */
export function keepSent(isSent: boolean): void {
  try {
    sessionStorage.setItem(SENT, String(isSent ? nowMs() : 0));
  } catch {
    // Without a memory of its own the page is what the server knew when it was loaded.
  }
}

function isSent(): boolean {
  try {
    return nowMs() - Number(sessionStorage.getItem(SENT)) < SENT_FOR_MS;
  } catch {
    return false;
  }
}

/** The link as it is now. */
export async function lookAgain(): Promise<{ url: string; html: string; state: string } | undefined> {
  try {
    const response = await fetch(data.again);
    if (response.status >= 500) return undefined;
    const html = await response.text();
    return { url: response.url, html, state: /<body data-state="(\w+)"/.exec(html)?.[1] ?? "" };
  } catch {
    // Without a network, or while the server fails, the next round looks again.
    return undefined;
  }
}

const running = one("#running");
const isSending = (): boolean => one("form[data-busy]") !== null;

/** Somebody pays on this link, or a code of it waits beside these forms: the page shows how that ends. */
async function followOther(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));
    const link = document.hidden || isSending() ? undefined : await lookAgain();
    // What is sent meanwhile has an answer of its own.
    if (!link || link.state === "in_use" || isSending()) continue;
    if (link.state !== document.body.dataset.state) return location.replace(link.url);
    if (link.html.includes('id="running"')) continue;
    // The code is gone and nothing was paid: the forms stay as they were filled in.
    if (running) growing(running, () => running.remove());
    return;
  }
}
if (running || document.body.dataset.state === "in_use") void followOther();
followElsewhere({ look: lookAgain, isSending, isSent: isSent() });

/** Answers whether the page is left for what was found. Loaded again so soon after the press that the server had not begun: nobody is asked for the card a second time. */
export async function findSent(setBusy: (isBusy: boolean) => void): Promise<boolean> {
  if (!isSent() || document.body.dataset.state !== "open") return false;
  setBusy(true);
  say(data.words.sending);
  for (const pause of FIND_PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const link = await lookAgain();
    if (!link) continue;
    // Another attempt than the forms' own: the one that was sent has ended, and this page knows nothing of it.
    const isSame = link.html.includes(one<HTMLInputElement>("input[name=attempt]")?.value ?? "");
    if (link.state === "open" && isSame) continue;
    keepSent(false);
    if (link.state === "open") location.reload();
    else location.replace(link.url);
    return true;
  }
  keepSent(false);
  setBusy(false);
  return false;
}
