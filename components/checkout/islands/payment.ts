import { all, one, readPaymentData, say } from "@/components/checkout/islands/page";

/** Copy, print and the heading that is read out after a change. */

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

if (location.hash === "#heading") one("#heading")?.focus();
