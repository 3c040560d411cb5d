import { describe, expect, test } from "vitest";
import { renderMail } from "@/components/emails/render";
import { NO_COLOURS } from "@/lib/branding/palette";
import { LOCALES } from "@/lib/i18n/locales";
import { isOperatorTemplate, MAIL_TEMPLATES, type MailTemplate } from "@/lib/mail/templates";
import { OWN_BRAND, type ShopLook } from "@/lib/settings/brand";
import { MAIL_SAMPLES } from "@/lib/testing/mail-samples";

const SHOP: ShopLook = {
  name: "Padaria Aurora",
  logo: { url: "https://trilho.example/files/logo/9f.png", width: 400, height: 100 },
  siteUrl: "https://aurora.example",
  supportEmail: "contato@aurora.example",
  colours: { ...NO_COLOURS, mainColor: "#ffe600", secondaryColor: "#ffcc00", backgroundColor: "#fffbe0" },
};

const OF_SHOP = [SHOP.siteUrl, `mailto:${SHOP.supportEmail}`];

// Guarantee: the table's keys are the templates.
const names = Object.keys(MAIL_TEMPLATES) as MailTemplate[];
const cases = names.flatMap((template) =>
  LOCALES.flatMap((locale) =>
    MAIL_SAMPLES[template].map((data, number) => ({
      template,
      locale,
      data,
      name: `${template} ${number} in ${locale}`,
    })),
  ),
);

const written = (one: (typeof cases)[number], changes: Partial<{ brand: ShopLook; isTest: boolean }> = {}) =>
  renderMail({
    ...one,
    brand: isOperatorTemplate(one.template) ? OWN_BRAND : SHOP,
    isTest: false,
    ...changes,
  });

describe.each(cases)("$name", (one) => {
  test("says the same as when it was last read by a person", async () => {
    const { subject, text } = await written(one);
    expect(`${subject}\n\n${text}\n`).toMatchSnapshot();
  });

  test("names its language, loads nothing but the logo, and links only where its data says", async () => {
    const { html } = await written(one);
    expect(html).toMatch(new RegExp(`<html[^>]*lang="${one.locale}"`));
    const loaded = [...html.matchAll(/(?:src|background)="([^"]*)"|url\(([^)]*)\)/g)].map(
      (found) => found[1] ?? found[2],
    );
    expect(loaded.filter((url) => !url?.startsWith("cid:") && url !== SHOP.logo?.url)).toEqual([]);
    const given = JSON.stringify(one.data);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map((found) => found[1] ?? "");
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((url) => !OF_SHOP.includes(url) && !given.includes(`"${url}"`))).toEqual([]);
    expect(html).not.toContain("<script");
  });

  test("says in a sandbox account that no money moves", async () => {
    const [real, trial] = [await written(one), await written(one, { isTest: true })];
    expect(trial.text.length).toBeGreaterThan(real.text.length);
    expect(trial.text).toMatch(/teste|Test/);
  });
});

test("a bank's last failed try says whom to ask, and names no address where the shop has none", async () => {
  const data = MAIL_SAMPLES.subscription.find(({ isByBank, outlook }) => isByBank && outlook === "ended");
  if (!data) throw new Error("no sample of it");
  const brand = { ...SHOP, siteUrl: null, supportEmail: null };
  const { html, text } = await renderMail({ template: "subscription", locale: "en", data, brand, isTest: false });
  expect(text).toContain("Contact Padaria Aurora to keep your subscription.");
  expect(html).not.toMatch(/mailto:|Reply to this e-mail|href=/);
});

test("what somebody typed is shown as text", async () => {
  const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
  const { html, subject } = await renderMail({
    template: "new-link",
    locale: "en",
    data: { amount: 100, message: hostile, url: "https://pay.example/1" },
    brand: { ...SHOP, name: `Shop\r\nBcc: everybody@example.com ${hostile}`, logo: null },
    isTest: false,
  });
  expect(html).not.toMatch(/<script|<img src=x/);
  expect(subject).not.toMatch(/[\r\n]/);
});

test("a Pix code travels with its picture", async () => {
  const [data] = MAIL_SAMPLES["pix-code"];
  const { html, attachments } = await renderMail({
    template: "pix-code",
    locale: "pt-BR",
    data: data!,
    brand: SHOP,
    isTest: false,
  });
  expect(attachments.map(({ contentType, contentId }) => [contentType, contentId])).toEqual([["image/png", "pix-qr"]]);
  expect(attachments[0]?.content.subarray(1, 4).toString()).toBe("PNG");
  expect(html).toContain('src="cid:pix-qr"');
});

test("a notice says once what happened, and links to the page that turns such e-mails off", async () => {
  const [data] = MAIL_SAMPLES["operator-notice"];
  const mail = { template: "operator-notice", locale: "pt-BR", data: data!, brand: OWN_BRAND, isTest: false } as const;
  const { html, text, unsubscribeUrl } = await renderMail(mail);
  expect(text.match(/Nova contestação/g)).toHaveLength(1);
  expect(html).toContain('href="https://trilho.example/dashboard/notices/choices"');
  expect(unsubscribeUrl).toBe("https://trilho.example/dashboard/notices/choices");
});
