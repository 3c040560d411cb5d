import { describe, expect, test } from "vitest";
import { captchaFrameUrl, framePage } from "@/lib/captcha/frame";

const SESSION = "0192f1c0-1111-7aaa-8bbb-000000000001";
const SETUP = { siteKey: "site", secret: "hidden", frameOrigin: "https://captcha.example" };
const turnstile = { provider: "turnstile", ...SETUP } as const;
const hcaptcha = { provider: "hcaptcha", ...SETUP } as const;

const page = (setup: typeof turnstile | typeof hcaptcha | { provider: "pow" }, query = `session=${SESSION}&lang=en`) =>
  framePage({
    setup,
    query: new URLSearchParams(query),
    nonce: "abc",
    checkout: "https://pay.example",
    script: "/checkout/captcha-frame.0123456789ab.js",
  });

describe("the frame of a captcha service", () => {
  test("has an address on its own origin, and none for our own proof of work", () => {
    expect(captchaFrameUrl(SESSION, "pt-BR", turnstile)).toBe(
      `https://captcha.example/captcha-frame?session=${SESSION}&lang=pt-BR`,
    );
    expect(captchaFrameUrl(SESSION, "pt-BR", { provider: "pow" })).toBeNull();
    expect(page({ provider: "pow" })).toBeUndefined();
  });

  test("may be shown by the checkout alone, and speaks to its service alone", () => {
    expect(page(turnstile)?.policy).toMatch(
      /frame-src https:\/\/challenges\.cloudflare\.com; frame-ancestors https:\/\/pay\.example;/,
    );
    expect(page(hcaptcha)?.policy).toMatch(
      /frame-src https:\/\/hcaptcha\.com https:\/\/\*\.hcaptcha\.com; frame-ancestors https:\/\/pay\.example;/,
    );
    for (const setup of [turnstile, hcaptcha])
      expect(page(setup)?.policy).toContain("default-src 'none'; script-src 'nonce-abc'");
  });

  test("is told the site key, the action and the link, and never the secret", () => {
    const { html = "" } = page(turnstile) ?? {};
    const data = JSON.parse(/id="data">([^<]*)</.exec(html)?.[1] ?? "{}");
    expect(data).toEqual({
      provider: "turnstile",
      siteKey: "site",
      action: "pay",
      session: SESSION,
      lang: "en",
      checkout: "https://pay.example",
    });
    expect(html).not.toContain("hidden");
  });

  test("shows nothing for what is no link, and takes no text from its address", () => {
    expect(page(turnstile, "session=x")).toBeUndefined();
    expect(page(turnstile, "")).toBeUndefined();
    expect(page(turnstile, `session=${SESSION}&lang=<script>`)?.html).toContain('<html lang="pt-BR">');
  });
});
