import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { darkCss } from "@/components/emails/dark";
import { renderMail } from "@/components/emails/render";
import { contrast } from "@/lib/branding/oklch";
import { type BrandColours, NO_COLOURS } from "@/lib/branding/palette";
import { isOperatorTemplate, MAIL_TEMPLATES, type MailTemplate } from "@/lib/mail/templates";
import { OWN_BRAND, type ShopLook } from "@/lib/settings/brand";
import { MAIL_SAMPLES } from "@/lib/testing/mail-samples";

const shopIn = (colours: BrandColours): ShopLook => ({
  ...OWN_BRAND,
  name: "Padaria Aurora",
  logo: { url: "https://trilho.example/files/logo/9f.png", width: 400, height: 100 },
  siteUrl: "https://aurora.example",
  supportEmail: "contato@aurora.example",
  colours,
});

const written = async (colours: BrandColours, template: MailTemplate = "pix-code", brand = shopIn(colours)) => {
  const mails = MAIL_SAMPLES[template].map((data) => renderMail({ template, data, locale: "en", brand, isTest: true }));
  return (await Promise.all(mails)).map(({ html }) => html).join("\n");
};

const metas = (html: string) =>
  [...html.matchAll(/<meta name="((?:supported-)?color-schemes?)" content="([^"]*)"/g)].map((found) => found.slice(1));

/** `.class{property:value!important}` of the block for clients that ask the system. */
function darkRules(html: string) {
  const [, block = ""] = /<style>@media \(prefers-color-scheme:dark\)\{(.*?)\}<\/style>/.exec(html) ?? [];
  return new Map(
    [...block.matchAll(/\.([a-z]+)\{([a-z-]+):([^!]+)!/g)].map((found) => [`${found[1]} ${found[2]}`, found[3] ?? ""]),
  );
}

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
const palettes: fc.Arbitrary<BrandColours> = fc.record({
  mainColor: colour,
  secondaryColor: colour,
  attentionColor: colour,
  errorColor: colour,
  successColor: colour,
  backgroundColor: fc.option(colour),
});

test("an e-mail says that it knows both schemes", async () => {
  expect(metas(await written(NO_COLOURS))).toEqual([
    ["color-scheme", "light dark"],
    ["supported-color-schemes", "light dark"],
  ]);
});

test("a shop's own light background gives way at night, and stands by day and behind the logo", async () => {
  const html = await written({ ...NO_COLOURS, backgroundColor: "#fffbe0" });
  expect(metas(html).map(([, schemes]) => schemes)).toEqual(["light dark", "light dark"]);
  expect(html).toMatch(/style="[^"]*background-color:#fffbe0/);
  const dark = darkRules(html);
  for (const ground of ["ground", "panel", "code"])
    expect(contrast(dark.get(`${ground} background-color`) ?? "", "#ffffff")).toBeGreaterThan(10);
  expect(dark.get("logo background-color")).toBe("#fffbe0");
});

test("an e-mail that is dark by day stays as it is", async () => {
  const html = await written({ ...NO_COLOURS, backgroundColor: "#101820" });
  expect(metas(html)[0]).toEqual(["color-scheme", "dark"]);
  expect(html).not.toContain("<style");
});

test("buttons and texts can be read in the dark, whatever colours the shop has", () => {
  fc.assert(
    fc.property(palettes, (colours) => {
      // What is dark by day already has no other colours.
      const { backgroundColor: own } = colours;
      fc.pre(own === null || contrast("#000000", own) > contrast("#ffffff", own));
      const dark = darkRules(`<style>${darkCss(colours)[0]}</style>`);
      const at = (name: string) => dark.get(name) ?? "none";
      expect(contrast(at("button color"), at("button background-color"))).toBeGreaterThanOrEqual(4.5);
      for (const ground of ["ground", "panel", "code"].map((name) => at(`${name} background-color`))) {
        for (const text of ["ground", "text", "muted", "link", "warning", "code"])
          expect(contrast(at(`${text} color`), ground)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(at("button background-color"), ground)).toBeGreaterThanOrEqual(3);
      }
    }),
    { numRuns: 300, seed: 20_261_121 },
  );
});

test("Outlook is told the same colours by its own marks, in a block of its own", async () => {
  const html = await written(NO_COLOURS);
  const outlook = /<style>(\[data-ogs[^<]*)<\/style>/.exec(html)?.[1] ?? "";
  for (const [name, value] of darkRules(html)) {
    const [owner, property] = name.split(" ");
    const mark = property === "background-color" ? "ogsb" : "ogsc";
    expect(outlook).toContain(`[data-${mark}] .${owner}{${property}:${value}!important`);
  }
});

test("a logo keeps a light ground", async () => {
  const html = await written(NO_COLOURS);
  expect(html).toMatch(/<img[^>]*class="logo"/);
  expect(darkRules(html).get("logo background-color")).toBe("#ffffff");
});

// Guarantee: the table's keys are the templates.
const names = Object.keys(MAIL_TEMPLATES) as MailTemplate[];

describe.each(names)("%s", (template) => {
  test("has no colour that the dark scheme leaves as it is", async () => {
    const colours = { ...NO_COLOURS, backgroundColor: "#fffbe0" };
    const html = await written(colours, template, isOperatorTemplate(template) ? OWN_BRAND : undefined);
    const known = darkRules(html);
    const left = [...html.matchAll(/<[a-z0-9]+ [^>]*style="[^"]*"[^>]*>/g)].flatMap(([tag]) => {
      const [owner] = /class="([a-z]+)/.exec(tag)?.slice(1) ?? [];
      const style = /style="([^"]*)"/.exec(tag)?.[1] ?? "";
      const worn = [...style.matchAll(/(?:^|;)(color|background-color|border(?=[^;]*#)[a-z-]*):/g)].map((found) =>
        found[1]?.startsWith("border") ? "border-color" : found[1],
      );
      return worn.filter((property) => !known.has(`${owner} ${property}`)).map((property) => `${property} of ${tag}`);
    });
    // A QR code is black on white in every theme, and the words in a logo's place stand on its light ground.
    expect(left.filter((each) => !/^background-color of <img[^>]*cid:|^color of <img/.test(each))).toEqual([]);
  });
});
