import type { FrameData } from "@/lib/captcha/frame";

/** In the captcha's own frame, on its own origin: shows the service's widget and hands its token to the checkout. */

interface Widget {
  render(place: HTMLElement | string, options: Record<string, unknown>): string | number;
  reset(widget?: string | number): void;
}
type Services = Window & { turnstile?: Widget; hcaptcha?: Widget; trilhoReady?: () => void };
const services = window as Services;

// Guarantee: the server writes this block for exactly this script.
const data = JSON.parse(document.querySelector("#data")?.textContent ?? "{}") as FrameData;

/** To the one page that shows this frame; the browser hands it to nobody else. */
const tell = (message: Record<string, unknown>): void =>
  parent.postMessage({ source: "trilho-captcha", ...message }, data.checkout);

function start(): void {
  const widget = data.provider === "turnstile" ? services.turnstile : services.hcaptcha;
  const place = document.querySelector<HTMLElement>("#widget");
  if (!widget || !place) {
    tell({ failed: true });
    return;
  }
  const id = widget.render(place, {
    sitekey: data.siteKey,
    action: data.action,
    cData: data.session,
    language: data.lang,
    hl: data.lang,
    size: data.provider === "turnstile" ? "flexible" : "normal",
    callback: (token: string) => tell({ token }),
    "expired-callback": () => tell({ token: "" }),
    "error-callback": () => tell({ failed: true }),
    // The pictures of a hard question need more room than the box.
    "open-callback": () => tell({ isOpen: true }),
    "close-callback": () => tell({ isOpen: false }),
  });
  addEventListener("message", ({ origin, source, data: said }: MessageEvent) => {
    if (origin === data.checkout && source === parent && said?.source === "trilho-captcha") widget.reset(id);
  });
}

services.trilhoReady = start;
