import { describe, expect, test } from "vitest";
import { renderMail } from "@/components/emails/render";
import { NO_COLOURS } from "@/lib/branding/palette";
import { LOCALES, type Locale } from "@/lib/i18n/locales";
import { type Messages, messages } from "@/lib/i18n/messages";
import type { MailData, MailTemplate } from "@/lib/mail/templates";
import type { ShopLook } from "@/lib/settings/brand";
import { MAIL_SAMPLES } from "@/lib/testing/mail-samples";

const SHOP: ShopLook = { name: "Aurora", logo: null, siteUrl: null, supportEmail: null, colours: NO_COLOURS };

const written = <T extends MailTemplate>(template: T, data: MailData<T>, locale: Locale = "en", isTest = false) =>
  renderMail({ template, data, locale, brand: SHOP, isTest });

const first = <T extends MailTemplate>(template: T): MailData<T> => {
  const [data] = MAIL_SAMPLES[template];
  if (!data) throw new Error("no sample");
  return data;
};
const letter = (kind: MailData<"subscription">["kind"], changes: Partial<MailData<"subscription">> = {}) => ({
  ...first("subscription"),
  kind,
  ...changes,
});

describe("a subscription that ends by itself", () => {
  test.each(["started", "trialEnds"] as const)("says how many charges there are: %s", async (kind) => {
    expect((await written("subscription", letter(kind, { cycles: 3 }))).text).toMatch(/Charges +3 in all/);
    expect((await written("subscription", letter(kind, { cycles: null }))).text).not.toContain("in all");
  });
});

describe("before the first charge of a trial its buyer reads how to cancel", () => {
  test.each(["started", "trialEnds"] as const)("%s", async (kind) => {
    const shops = await written("subscription", letter(kind, { cancel: "shop" }));
    expect(shops.text).toContain("To cancel your subscription, contact Aurora.");
    const own = await written("subscription", letter(kind, { cancel: "page" }));
    expect(own.text).toContain("To cancel, open your subscription with the button below.");
    expect(own.text).not.toContain("contact Aurora");
    const byBank = await written("subscription", letter(kind, { isByBank: true, url: null }));
    expect(byBank.text).toContain("go to Pix Automático");
  });
});

test("a receipt of Pix Automático has the ID of its transaction", async () => {
  const payment = { id: "p", at: "2026-11-20T14:03:07.120Z", endToEndId: "E123" };
  const { text } = await written("subscription", letter("receipt", { payment, isByBank: true, url: null }));
  expect(text).toMatch(/Transaction ID +E123/);
});

test("a receipt says what the shop wrote of the order and the name on the card's statement", async () => {
  const { text } = await written("receipt", {
    ...first("receipt"),
    about: "Size 42, blue",
    statement: "LOJA AZUL",
  });
  expect(text).toMatch(/Details +Size 42, blue/);
  expect(text).toContain("On the card's statement the purchase shows as LOJA AZUL.");
});

test("a refunded card is named with its brand, and its buyer reads what the page says of it", async () => {
  for (const locale of LOCALES) {
    const { text } = await written("refund", { ...first("refund"), brand: "Visa", last4: "0003" }, locale);
    expect(text).toContain(locale === "en" ? "Visa ending in 0003" : "Visa final 0003");
    expect(text.replaceAll(/\s+/g, " ")).toContain(messages[locale].checkout.pay.refunded.card);
    const cards = ["0002", "0007"].map((last4) => ({ brand: "Visa", last4, amount: 1_000 }));
    const several = await written("refund", { ...first("refund"), method: "cards", cards }, locale);
    expect(several.text.replaceAll(/\s+/g, " ")).toContain(messages[locale].checkout.pay.refunded.cards);
  }
});

test.each(LOCALES)("one sentence says of a sandbox what it is, in mails as on pages (%s)", async (locale) => {
  const told: Messages["checkout"]["page"]["sandbox"] = messages[locale].checkout.page.sandbox;
  expect((await written("pix-code", first("pix-code"), locale, true)).text).toContain(told);
});

test.each([false, true])("a boleto's due date stands once in the body (reminder: %s)", async (isReminder) => {
  const { html, text } = await written("boleto", { ...first("boleto"), isReminder, dueOn: "2026-11-30" });
  expect(text.match(/30 Nov 2026|Nov 30, 2026|November 30, 2026/g)).toHaveLength(1);
  expect(html.match(/30 Nov 2026|Nov 30, 2026|November 30, 2026/g)).toHaveLength(1);
});

describe("what a buyer is written of a payment says which one it is", () => {
  const about = { orderId: "3003", title: "Uniforme do time" };
  const ORDER = /Order +3003\s+Description +Uniforme do time/;

  const told = <T extends MailTemplate>(template: T) => written(template, { ...first(template), ...about });

  test.each([
    "pix-code",
    "boleto",
    "confirming",
    "confirmation",
    "holds-released",
    "refund",
    "late-pix-returned",
    "new-link",
  ] as const)("%s", async (template) => {
    expect((await told(template)).text).toMatch(ORDER);
  });

  test("and a refund names its payment", async () => {
    expect((await written("refund", { ...first("refund"), paymentId: "0192f220-9" })).text).toMatch(
      /Payment ID +0192f220-9/,
    );
  });
});

test.each(["pix-code", "boleto"] as const)(
  "no QR code, which plain text has not, is spoken of there: %s",
  async (name) => {
    for (const locale of LOCALES) {
      const { html, text } = await written(name, first(name), locale);
      expect(html).toContain("cid:pix-qr");
      expect(html).toContain(messages[locale].mail.pixScan);
      expect(text).not.toContain("QR");
    }
  },
);

test("a code to type is large, and its digits apart", async () => {
  const { html } = await written("buyer-code", first("buyer-code"));
  const size = /font-size:(\d+)px[^>]*>\s*\d{6}</.exec(html)?.[1];
  expect(Number(size)).toBeGreaterThanOrEqual(28);
});

test("a telephone shows a mail at its own width", async () => {
  const { html } = await written("receipt", first("receipt"));
  expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1"/>');
});
