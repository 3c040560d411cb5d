import { type CaptchaSetup, captchaSetup } from "@/lib/captcha/config";
import { CAPTCHA_ACTION, type ServiceSetup } from "@/lib/captcha/service";
import { isLocale, type Locale } from "@/lib/i18n/locales";
import { isUuid } from "@/lib/ids";

/** Where the frame of a captcha service lives, on its own origin. */
export const FRAME_PATH = "/captcha-frame";

/** The address a payment page shows in its frame; null while the proof of work is ours. */
export function captchaFrameUrl(
  sessionId: string,
  locale: Locale,
  setup: CaptchaSetup = captchaSetup(),
): string | null {
  if (setup.provider === "pow") return null;
  return `${setup.frameOrigin}${FRAME_PATH}?${new URLSearchParams({ session: sessionId, lang: locale })}`;
}

/** What the widget of each service is made of, and whom its own script may speak to. */
const SERVICES: Readonly<Record<ServiceSetup["provider"], { script: string; hosts: string; styles: string }>> = {
  turnstile: {
    script: "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit&onload=trilhoReady",
    hosts: "https://challenges.cloudflare.com",
    styles: "",
  },
  hcaptcha: {
    script: "https://js.hcaptcha.com/1/api.js?render=explicit&onload=trilhoReady",
    hosts: "https://hcaptcha.com https://*.hcaptcha.com",
    styles: " https://hcaptcha.com https://*.hcaptcha.com",
  },
};

/** What the script in the frame is told. */
export interface FrameData {
  readonly provider: ServiceSetup["provider"];
  readonly siteKey: string;
  readonly action: string;
  readonly session: string;
  readonly lang: Locale;
  /** The one page that hears of a token. */
  readonly checkout: string;
}

export interface FramePage {
  readonly html: string;
  readonly policy: string;
}

interface Given {
  readonly setup: CaptchaSetup;
  readonly query: URLSearchParams;
  readonly nonce: string;
  readonly checkout: string;
  /** Address of our own script for the frame. */
  readonly script: string;
}

/** The page in the frame: the service's script and ours, and nothing of a buyer. Undefined where none is set up. */
export function framePage({ setup, query, nonce, checkout, script }: Given): FramePage | undefined {
  const session = query.get("session") ?? "";
  const asked = query.get("lang") ?? undefined;
  if (setup.provider === "pow" || !isUuid(session)) return undefined;
  const { provider, siteKey } = setup;
  const service = SERVICES[provider];
  const lang = isLocale(asked) ? asked : "pt-BR";
  const data: FrameData = { provider, siteKey, action: CAPTCHA_ACTION, session, lang, checkout };
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic' ${service.hosts}`,
    `style-src 'nonce-${nonce}'${service.styles}`,
    "img-src 'self' data:",
    `connect-src 'self' ${service.hosts}`,
    `frame-src ${service.hosts}`,
    `frame-ancestors ${checkout}`,
    "form-action 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join("; ");
  return {
    policy,
    html:
      `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>Captcha</title>` +
      `<meta name="viewport" content="width=device-width"><style nonce="${nonce}">body{margin:0}</style>` +
      `<script type="application/json" id="data">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>` +
      `<script type="module" src="${script}" nonce="${nonce}"></script>` +
      `<script src="${service.script.replaceAll("&", "&amp;")}" nonce="${nonce}" defer></script>` +
      `</head><body><div id="widget"></div></body></html>`,
  };
}
