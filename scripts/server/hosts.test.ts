import { describe, expect, test } from "vitest";
import { placeOf } from "@/scripts/server/hosts";

const ID = "0192f1c0-1111-7aaa-8bbb-000000000001";
const ONE = {
  BASE_URL: "https://trilho.example",
  CHECKOUT_URL: "https://trilho.example",
  CAPTCHA_FRAME_ORIGIN: undefined,
};
const APART = { ...ONE, CHECKOUT_URL: "https://pay.example", CAPTCHA_FRAME_ORIGIN: "https://captcha.example" };

const at = (host: string, url: string, given: typeof ONE | typeof APART = APART) => {
  const placed = placeOf(host, url, given);
  return placed.kind === "serve" ? placed.url : placed.kind === "moved" ? `moved ${placed.to}` : "absent";
};

describe("the checkout with an origin of its own", () => {
  test.each([
    [`/${ID}`, `/pay/${ID}`],
    [`/${ID}?method=card&lang=en`, `/pay/${ID}?method=card&lang=en`],
    [`/${ID}/pix`, `/pay/${ID}/pix`],
    [`/${ID}/p/abcdefghijklmnopqrstuv/live`, `/pay/${ID}/p/abcdefghijklmnopqrstuv/live`],
    [`/s/${ID}?t=1.abc`, `/pay/s/${ID}?t=1.abc`],
    [`/s/${ID}/card?t=1.abc`, `/pay/s/${ID}/card?t=1.abc`],
    ["/nothing-at-all", "/pay/nothing-at-all"],
    ["/csp-reports", "/pay/csp-reports"],
    ["/checkout/core.79d26a59f90e.js", "/checkout/core.79d26a59f90e.js"],
    ["/files/logo/0192.png", "/files/logo/0192.png"],
    ["/embed.js", "/embed.js"],
    ["/icon.svg?x", "/icon.svg?x"],
  ])("%s is served", (url, expected) => expect(at("pay.example", url)).toBe(expected));

  test.each([
    "/",
    "/v1/charges",
    "/api/v1/charges",
    "/dashboard/payments",
    `/pay/${ID}`,
    "/docs/embed",
    "/checkout/inventory.json",
    "/_next/static/chunks/main.js",
    "/sandbox/3ds/x",
    "/sandbox/wallets/x",
    "/files/documents/x.pdf",
    "/dashboard/../v1/charges",
    "//evil.example",
  ])("%s is absent", (url) => expect(at("pay.example", url)).toBe("absent"));

  test("a page of the dashboard by one name is a link that does not exist", () => {
    expect(at("pay.example", "/dashboard")).toBe("/pay/dashboard");
  });

  test("links are not served beside the dashboard any more, and old addresses lead to the new ones", () => {
    expect(at("trilho.example", `/pay/${ID}?lang=en`)).toBe(`moved https://pay.example/${ID}?lang=en`);
    expect(at("trilho.example", "/dashboard")).toBe("/dashboard");
    expect(at("trilho.example", "/v1/charges")).toBe("/v1/charges");
  });

  test("the captcha's frame has its page and its script, and nothing else", () => {
    expect(at("captcha.example", `/captcha-frame?session=${ID}`)).toBe(`/captcha-frame?session=${ID}`);
    expect(at("captcha.example", "/checkout/captcha-frame.0123456789ab.js")).toContain("/checkout/");
    for (const url of ["/", "/v1/charges", `/pay/${ID}`, `/${ID}`, "/checkout/core.79d26a59f90e.js", "/dashboard"]) {
      expect(at("captcha.example", url)).toBe("absent");
    }
  });
});

test("with one origin everything is where it always was", () => {
  for (const url of ["/", `/pay/${ID}`, "/v1/charges", `/${ID}`]) expect(at("trilho.example", url, ONE)).toBe(url);
});
