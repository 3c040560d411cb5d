import { one } from "@/components/checkout/islands/page";

/** Shows the bank's hidden page and goes on when it has led to ours, or has taken too long (EMV 3-D Secure: ten seconds). */

const LONGEST_MS = 10_000;

const frame = one<HTMLIFrameElement>("iframe[name=device]");
const next = one<HTMLFormElement>("[data-device-next]");

let isOver = false;
function goOn(seen: "Y" | "N"): void {
  if (isOver || !next) return;
  isOver = true;
  const field = next.elements.namedItem("seen");
  if (field instanceof HTMLInputElement) field.value = seen;
  next.submit();
}

/** While the bank's page is shown its address cannot be read. */
function isBackHere(): boolean {
  try {
    return frame?.contentWindow?.location.pathname.endsWith("/device") === true;
  } catch {
    return false;
  }
}

frame?.addEventListener("load", () => {
  if (isBackHere()) goOn("Y");
});
// Once: a page that is still at this step afterwards waits for its buyer, and does not go round in circles.
if (!new URLSearchParams(location.search).has("looked")) {
  setTimeout(() => goOn("N"), LONGEST_MS);
  one<HTMLFormElement>("[data-device]")?.submit();
}
