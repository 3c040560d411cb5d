import { env } from "@/lib/env";

/** Who asks whether the buyer is a person: we ourselves, or a service whose widget stays in a frame of its own. */
export type CaptchaSetup =
  | { provider: "pow" }
  | { provider: "turnstile" | "hcaptcha"; siteKey: string; secret: string; frameOrigin: string };

export function captchaSetup(): CaptchaSetup {
  const { CAPTCHA_PROVIDER, CAPTCHA_SITE_KEY, CAPTCHA_SECRET, CAPTCHA_FRAME_ORIGIN } = env();
  if (CAPTCHA_PROVIDER === "pow") return { provider: "pow" };
  if (!CAPTCHA_SITE_KEY || !CAPTCHA_SECRET || !CAPTCHA_FRAME_ORIGIN) {
    throw new Error("parseEnv refuses a captcha service without its keys");
  }
  return {
    provider: CAPTCHA_PROVIDER,
    siteKey: CAPTCHA_SITE_KEY,
    secret: CAPTCHA_SECRET,
    frameOrigin: CAPTCHA_FRAME_ORIGIN,
  };
}
