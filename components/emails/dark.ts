import { type BrandColours, type Scheme, schemesOf, solvePalette, type Tokens } from "@/lib/branding/palette";

type Property = "color" | "background-color" | "border-color";

/** What each class of an e-mail wears in the dark: the panel a little lighter than the page around it. */
const WORN: readonly (readonly [name: string, property: Property, token: keyof Tokens])[] = [
  ["ground", "background-color", "background"],
  ["ground", "color", "text"],
  ["panel", "background-color", "surface"],
  ["panel", "border-color", "border"],
  ["text", "color", "text"],
  ["muted", "color", "muted"],
  ["link", "color", "link"],
  ["warning", "color", "attention"],
  ["warning", "border-color", "attention"],
  ["button", "background-color", "primary"],
  ["button", "color", "onPrimary"],
  ["code", "background-color", "background"],
  ["code", "color", "text"],
  ["code", "border-color", "border"],
  ["rule", "border-color", "border"],
];

/** Outlook changes colours by itself and marks what it changed: texts with one attribute, grounds with another. */
const OUTLOOK: Record<Property, string> = {
  color: "[data-ogsc]",
  "border-color": "[data-ogsc]",
  "background-color": "[data-ogsb]",
};

/**
 * Unlike a page, an e-mail is shown among others and darkened by clients that find no dark colours in it: a shop's own
 * background is its background by day.
 */
const mailSchemesOf = (colours: BrandColours): Scheme[] =>
  schemesOf(colours)[0] === "dark" ? ["dark"] : ["light", "dark"];

/** For the metas of an e-mail. */
export const schemeList = (colours: BrandColours): string => mailSchemesOf(colours).join(" ");

/**
 * The colours of the dark scheme over the inline ones, once for clients that ask the system and once for Outlook: apart,
 * because Gmail drops a whole block for one selector it does not know. Nothing where there is no dark scheme besides.
 */
export function darkCss(colours: BrandColours): string[] {
  if (mailSchemesOf(colours).length === 1) return [];
  const [light, dark] = [solvePalette(colours, "light"), solvePalette({ ...colours, backgroundColor: null }, "dark")];
  // A logo was drawn for the light page, so it keeps a piece of it.
  const logo = `.logo{background-color:${light.background}!important;padding:8px 12px!important;border-radius:8px!important}`;
  const rules = WORN.map(([name, property, token]) => ({
    property,
    rule: `.${name}{${property}:${dark[token]}!important}`,
  }));
  return [
    `@media (prefers-color-scheme:dark){${[...rules.map(({ rule }) => rule), logo].join("")}}`,
    [...rules.map(({ property, rule }) => `${OUTLOOK[property]} ${rule}`), `[data-ogsb] ${logo}`].join(""),
  ];
}
