import { one } from "@/components/checkout/islands/page";

const ASK_MS = 3_000;
const ASKED_TIMES = 10;

interface Elsewhere {
  readonly look: () => Promise<{ url: string; state: string } | undefined>;
  readonly isSending: () => boolean;
  /** A press was not answered before this page was loaded. */
  readonly isSent: boolean;
}

/**
 * What a refusal says is true until the link is paid in another tab, or by a press of which the server had recorded
 * nothing when this page was drawn. The page is left for a payment alone: nothing that is typed here matters then.
 */
export function followElsewhere({ look, isSending, isSent }: Elsewhere): void {
  const isRefused = (): boolean => one("[data-refused]") !== null;
  const ask = async (): Promise<void> => {
    if (document.hidden || isSending()) return;
    const link = await look();
    if (link && !isSending() && (link.url.includes("/p/") || /^(paid|limit)/.test(link.state)))
      location.replace(link.url);
  };
  const whenSeen = (): void => {
    if (isRefused()) void ask();
  };
  document.addEventListener("visibilitychange", whenSeen);
  for (const event of ["focus", "pageshow"]) addEventListener(event, whenSeen);
  let left = isSent || isRefused() ? ASKED_TIMES : 0;
  const timer = setInterval(() => {
    if (left-- > 0) void ask();
    else clearInterval(timer);
  }, ASK_MS);
}
