import { all, one, readPaymentData, say } from "@/components/checkout/islands/page";

/** Copy, print, the heading that is read out after a change, and a receipt that was left open. */

const data = readPaymentData();
const COPIED_MS = 4_000;

for (const button of all<HTMLButtonElement>("[data-copy]")) {
  // The place is kept for it from the first picture on; where nothing can be copied it is given up.
  if (!navigator.clipboard) {
    button.remove();
    continue;
  }
  button.hidden = false;
  const label = one("span", button);
  const before = label?.textContent ?? "";
  button.addEventListener("click", async () => {
    const text = button.dataset.copy === "line" ? data.copy.line : data.copy.code;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      one<HTMLTextAreaElement>("#code")?.select();
      return;
    }
    if (label) label.textContent = button.dataset.copied ?? before;
    say(button.dataset.copied ?? "");
    setTimeout(() => {
      if (label) label.textContent = before;
    }, COPIED_MS);
  });
}
const code = one<HTMLTextAreaElement>("#code");
const selectAll = (): void => {
  if (code && code.selectionStart === code.selectionEnd) code.select();
};
code?.addEventListener("focus", selectAll);
// Safari takes the selection away again once the press is over.
code?.addEventListener("click", () => setTimeout(selectAll));

const print = one("[data-print]");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}

/** Asked whenever it is looked at again: a refund is made when nobody waits for it. */
async function lookAgain(): Promise<void> {
  const response = await fetch(data.status, { headers: { accept: "application/json" } });
  if (!response.ok || (await response.json()).signature === data.signature) return;
  history.replaceState(null, "", "#heading");
  location.reload();
}
// Without a line it stays as it is until the next time.
const whenSeen = (): unknown => document.hidden || lookAgain().catch(() => undefined);
if (data.isReceipt) {
  document.addEventListener("visibilitychange", whenSeen);
  addEventListener("pageshow", ({ persisted }) => persisted && whenSeen());
}

if (location.hash === "#heading") one("#heading")?.focus();
