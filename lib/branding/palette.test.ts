import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { themeCss } from "@/lib/branding/css";
import { contrast, fromOklch, normalColour, toOklch } from "@/lib/branding/oklch";
import {
  type BrandColours,
  colourAdjustments,
  NO_COLOURS,
  OWN_COLOURS,
  schemesOf,
  solvePalette,
} from "@/lib/branding/palette";

const SEED = 20_261_121;
const PALETTES = 10_000;

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
const short = fc.integer({ min: 0, max: 0xfff }).map((value) => `#${value.toString(16).padStart(3, "0")}`);
const any = fc.oneof(
  { weight: 6, arbitrary: colour },
  { weight: 1, arbitrary: short },
  { weight: 1, arbitrary: fc.constant(null) },
);
const palettes: fc.Arbitrary<BrandColours> = fc.record({
  mainColor: any,
  secondaryColor: any,
  attentionColor: any,
  errorColor: any,
  successColor: any,
  backgroundColor: any,
});

const TEXTS = ["text", "muted", "link", "attention", "error", "success"] as const;
const CONTROLS = ["primary", "border"] as const;

/** What the page promises of every palette (design/checkout.md section 11). */
function broken(colours: BrandColours): string[] {
  return schemesOf(colours).flatMap((scheme) => {
    const tokens = solvePalette(colours, scheme);
    const grounds = [tokens.background, tokens.surface];
    const ratios = [
      ...TEXTS.flatMap((name) => grounds.map((ground) => [name, contrast(tokens[name], ground), 4.5] as const)),
      // Whatever stands in a box or a notice: its heading, its words, what is said in small print, its links.
      ...(["error", "attention", "success"] as const).flatMap((tone) =>
        ([tone, "text", "muted", "link"] as const).map(
          (name) => [`${name} on ${tone}`, contrast(tokens[name], tokens[`${tone}Surface`]), 4.5] as const,
        ),
      ),
      ...CONTROLS.flatMap((name) => grounds.map((ground) => [name, contrast(tokens[name], ground), 3] as const)),
      ["label", contrast(tokens.onPrimary, tokens.primary), 4.5] as const,
      ...grounds.map(
        (ground) =>
          ["focus", Math.max(contrast(tokens.focusInner, ground), contrast(tokens.focusOuter, ground)), 3] as const,
      ),
      [
        "focus on the button",
        Math.max(contrast(tokens.focusInner, tokens.primary), contrast(tokens.focusOuter, tokens.primary)),
        3,
      ] as const,
    ];
    return [
      ...ratios.flatMap(([name, ratio, needed]) => (ratio < needed ? [`${scheme} ${name}: ${ratio}`] : [])),
      ...Object.entries(tokens).flatMap(([name, value]) => (/^#[0-9a-f]{6}$/.test(value) ? [] : [`${name}: ${value}`])),
    ];
  });
}

test("10,000 palettes are readable, light and dark, whatever was set", () => {
  fc.assert(
    fc.property(palettes, (colours) => {
      const problems = broken(colours);
      if (problems.length > 0) throw new Error(problems.join("; "));
    }),
    { numRuns: PALETTES, seed: SEED },
  );
}, 60_000);

test("so are the backgrounds on which black and white are equally bad, with everything in their own colour", () => {
  for (let grey = 90; grey <= 140; grey++) {
    const same = `#${grey.toString(16).repeat(3)}`;
    expect(
      broken({
        mainColor: same,
        secondaryColor: same,
        attentionColor: same,
        errorColor: same,
        successColor: same,
        backgroundColor: same,
      }),
    ).toEqual([]);
  }
});

test("Trilho's own look needs no help, in either scheme", () => {
  expect(broken(NO_COLOURS)).toEqual([]);
  expect(colourAdjustments({ ...OWN_COLOURS }).filter(({ isChanged }) => isChanged)).toEqual([]);
});

describe("what is changed", () => {
  test("a colour that can be read is left as it is", () => {
    const { primary, link, background } = solvePalette({
      ...NO_COLOURS,
      mainColor: "#1B4DFF",
      secondaryColor: "#0B1F66",
      backgroundColor: "#FFF",
    });
    expect([primary, link, background]).toEqual(["#1b4dff", "#0b1f66", "#ffffff"]);
  });

  test("a colour that cannot keeps its hue and moves as little as needed", () => {
    const asked = "#ffe600";
    const { primary } = solvePalette({ ...NO_COLOURS, mainColor: asked, backgroundColor: "#ffffff" });
    const [before, after] = [toOklch(asked), toOklch(primary)];
    expect(Math.abs(before.h - after.h)).toBeLessThan(0.05);
    expect(after.l).toBeLessThan(before.l);
    expect(contrast(primary, "#ffffff")).toBeLessThan(3.6);
  });

  test("a dark background makes light text, and no dark scheme besides", () => {
    const colours = { ...NO_COLOURS, backgroundColor: "#101820" };
    expect(schemesOf(colours)).toEqual(["dark"]);
    expect(contrast(solvePalette(colours).text, "#ffffff")).toBeLessThan(1.5);
  });

  test("the merchant is told each colour that was set, what became of it, and the ratio", () => {
    const told = colourAdjustments({
      ...NO_COLOURS,
      mainColor: "#FFE600",
      errorColor: "#b3261e",
      backgroundColor: "#fff",
    });
    expect(told.map(({ field, asked, isChanged }) => [field, asked, isChanged])).toEqual([
      ["mainColor", "#ffe600", true],
      ["errorColor", "#b3261e", false],
      ["backgroundColor", "#ffffff", false],
    ]);
    for (const { ratio, needed } of told) expect(ratio).toBeGreaterThanOrEqual(needed);
  });
});

test("colours survive the way to OKLCH and back", () => {
  fc.assert(
    fc.property(colour, (given) => {
      expect(fromOklch(toOklch(given))).toBe(given);
    }),
    { numRuns: 2_000, seed: SEED },
  );
});

test("what no screen can show becomes what it can, and contrast is what WCAG says", () => {
  expect(fromOklch({ l: 0.7, c: 0.9, h: 1 })).toMatch(/^#[0-9a-f]{6}$/);
  expect(contrast("#000", "#fff")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(normalColour("#AbC")).toBe("#aabbcc");
  for (const wrong of ["red", "#12345", "#fff;}", "", "#ggg"])
    expect(() => normalColour(wrong)).toThrow("not a colour");
});

test("the style block holds nothing but names and colours", () => {
  fc.assert(
    fc.property(palettes, (colours) => {
      expect(themeCss(colours)).toMatch(
        /^:root\{color-scheme:(?:light|dark)(?:;--brand-[a-z-]+:#[0-9a-f]{6}){16}\}(?:@media \(prefers-color-scheme:dark\)\{:root\{color-scheme:dark(?:;--brand-[a-z-]+:#[0-9a-f]{6}){16}\}\})?$/,
      );
    }),
    { numRuns: 500, seed: SEED },
  );
});
