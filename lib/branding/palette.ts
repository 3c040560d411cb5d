import { contrast, fromOklch, luminance, mixedFlat, normalColour, ratioOf, toOklch } from "@/lib/branding/oklch";

/** What a merchant sets; null takes Trilho's own. */
export interface BrandColours {
  mainColor: string | null;
  secondaryColor: string | null;
  attentionColor: string | null;
  errorColor: string | null;
  successColor: string | null;
  backgroundColor: string | null;
}
export type BrandColour = keyof BrandColours;
export type Scheme = "light" | "dark";

export const BRAND_COLOURS = [
  "mainColor",
  "secondaryColor",
  "backgroundColor",
  "attentionColor",
  "errorColor",
  "successColor",
] as const satisfies readonly BrandColour[];

/** Trilho's look, where nothing else was set. */
export const OWN_COLOURS = {
  mainColor: "#0f6b4f",
  secondaryColor: "#0f6b4f",
  attentionColor: "#8a5a00",
  errorColor: "#b3261e",
  successColor: "#1b7a43",
  backgroundColor: "#ffffff",
} as const satisfies Record<BrandColour, string>;
export const NO_COLOURS: BrandColours = {
  mainColor: null,
  secondaryColor: null,
  attentionColor: null,
  errorColor: null,
  successColor: null,
  backgroundColor: null,
};
const DARK_BACKGROUND = "#101513";

/** WCAG 2.2: body text, and what must be seen but not read. */
export const TEXT_RATIO = 4.5;
export const CONTROL_RATIO = 3;
/** Text of the page is better than it has to be, where the background lets it. */
const AIMED_TEXT_RATIO = 7;
const LIGHTNESS_STEP = 0.01;
const SURFACE_SHARE = 0.04;
const MUTED_SHARE = 0.3;
const TINT_SHARE = 0.07;
const BLACK = "#000000";
const WHITE = "#ffffff";

export interface Tokens {
  background: string;
  /** Of a panel on the background. */
  surface: string;
  text: string;
  muted: string;
  primary: string;
  onPrimary: string;
  link: string;
  attention: string;
  error: string;
  success: string;
  border: string;
  /** Of boxes that tell of an error, a warning, a success: whatever stands in them can be read. */
  errorSurface: string;
  attentionSurface: string;
  successSurface: string;
  /** Two rings: one of them is visible on anything. */
  focusInner: string;
  focusOuter: string;
}

/** A dark page only where the merchant chose no background: theirs is theirs at night too. */
export function schemesOf({ backgroundColor }: BrandColours): Scheme[] {
  return backgroundColor === null ? ["light", "dark"] : [schemeOf(backgroundColor)];
}

const schemeOf = (background: string): Scheme => (inkOn(background) === BLACK ? "light" : "dark");

/** Whichever of black and white stands out more: at least 4.58:1 on any colour. */
const inkOn = (colour: string): string => (contrast(BLACK, colour) >= contrast(WHITE, colour) ? BLACK : WHITE);

/** Colours that can be read whatever was set (design/checkout.md section 11). */
export function solvePalette(colours: BrandColours, scheme: Scheme = schemesOf(colours)[0] ?? "light"): Tokens {
  const given = (name: BrandColour): string => normalColour(colours[name] ?? OWN_COLOURS[name]);
  const background = colours.backgroundColor === null && scheme === "dark" ? DARK_BACKGROUND : given("backgroundColor");
  const ink = inkOn(background);
  const surface = surfaceOf(background, ink);
  const readable = (colour: string) => away(colour, ink, [background, surface], TEXT_RATIO);
  const primary = primaryOn(given("mainColor"), ink, [background, surface]);
  const text = textOn(background, ink, [background, surface]);
  const muted = readable(mixed(text, background, MUTED_SHARE));
  const link = readable(given("secondaryColor"));
  const attention = readable(given("attentionColor"));
  const error = readable(given("errorColor"));
  const success = readable(given("successColor"));
  const tinted = (tone: string) => tintOf(tone, [tone, text, muted, link], background, surface);
  return {
    background,
    surface,
    text,
    muted,
    primary,
    onPrimary: inkOn(primary),
    link,
    attention,
    error,
    success,
    errorSurface: tinted(error),
    attentionSurface: tinted(attention),
    successSurface: tinted(success),
    border: away(mixed(background, ink, MUTED_SHARE), ink, [background, surface], CONTROL_RATIO),
    focusInner: ink === BLACK ? WHITE : BLACK,
    focusOuter: ink,
  };
}

/**
 * Lightness moves away from the background in steps, hue stays and chroma gives way, until the ratio holds on all of
 * them. `ink` holds it, so this always ends.
 */
function away(colour: string, ink: string, grounds: readonly string[], ratio: number): string {
  const lights = grounds.map(luminance);
  const holds = (candidate: string) => {
    const light = luminance(candidate);
    return lights.every((ground) => ratioOf(light, ground) >= ratio);
  };
  if (holds(colour)) return colour;
  const { l, c, h } = toOklch(colour);
  const step = ink === BLACK ? -LIGHTNESS_STEP : LIGHTNESS_STEP;
  const at = (steps: number) => fromOklch({ l: l + steps * step, c, h });
  // Further is never worse, so the nearest step that holds lies between one that does not and the end that does.
  let [fails, passes] = [0, Math.ceil((ink === BLACK ? l : 1 - l) / LIGHTNESS_STEP)];
  let found = ink;
  while (passes - fails > 1) {
    const middle = Math.floor((fails + passes) / 2);
    const candidate = at(middle);
    if (holds(candidate)) [passes, found] = [middle, candidate];
    else fails = middle;
  }
  return found;
}

/** A button must be seen on the page; black or white on it can be read whatever it is. */
const primaryOn = (colour: string, ink: string, grounds: readonly string[]): string =>
  away(colour, ink, grounds, CONTROL_RATIO);

/** A little towards the text, but never so far that black or white could no longer be read on it. */
function surfaceOf(background: string, ink: string): string {
  const surface = mixed(background, ink, SURFACE_SHARE);
  return contrast(ink, surface) >= TEXT_RATIO ? surface : background;
}

/** A touch of the tone, as long as everything that stands on it can be read; the plain panel otherwise. */
function tintOf(tone: string, texts: readonly string[], background: string, surface: string): string {
  const tint = mixedFlat(background, tone, TINT_SHARE);
  return texts.every((text) => contrast(text, tint) >= TEXT_RATIO) ? tint : surface;
}

/** The background's own hue, nearly black or nearly white, as long as it reads well. */
function textOn(background: string, ink: string, grounds: readonly string[]): string {
  const { c, h } = toOklch(background);
  const tinted = fromOklch({ l: ink === BLACK ? 0.2 : 0.96, c: Math.min(c, 0.03), h });
  return grounds.every((ground) => contrast(tinted, ground) >= AIMED_TEXT_RATIO) ? tinted : ink;
}

/** `share` of the way from one to the other, in OKLab. */
function mixed(from: string, to: string, share: number): string {
  const [a, b] = [toOklch(from), toOklch(to)];
  const at = (x: number, y: number) => x + (y - x) * share;
  const [ax, bx] = [a.c * Math.cos(a.h), b.c * Math.cos(b.h)];
  const [ay, by] = [a.c * Math.sin(a.h), b.c * Math.sin(b.h)];
  const [x, y] = [at(ax, bx), at(ay, by)];
  return fromOklch({ l: at(a.l, b.l), c: Math.hypot(x, y), h: Math.atan2(y, x) });
}

export interface UsedColour {
  field: BrandColour;
  /** As it was set; null takes Trilho's own. */
  asked: string | null;
  used: string;
  /** Of the colour used, against the worse of page and panel; for the background, of the text on it. */
  ratio: number;
  needed: number;
  isChanged: boolean;
}
export interface ColourAdjustment extends UsedColour {
  asked: string;
}

const USES = [
  ["mainColor", "primary", CONTROL_RATIO],
  ["secondaryColor", "link", TEXT_RATIO],
  ["attentionColor", "attention", TEXT_RATIO],
  ["errorColor", "error", TEXT_RATIO],
  ["successColor", "success", TEXT_RATIO],
  ["backgroundColor", "background", TEXT_RATIO],
] as const satisfies readonly (readonly [BrandColour, keyof Tokens, number])[];

/** Your colour, the colour used, and the ratio. */
export function usedColours(colours: BrandColours, scheme?: Scheme): UsedColour[] {
  const tokens = solvePalette(colours, scheme);
  const worst = (colour: string) => Math.min(contrast(colour, tokens.background), contrast(colour, tokens.surface));
  return USES.map(([field, token, needed]) => {
    const set = colours[field];
    const asked = set === null ? null : normalColour(set);
    const used = tokens[token];
    const ratio = worst(field === "backgroundColor" ? tokens.text : used);
    return { field, asked, used, ratio, needed, isChanged: asked !== null && asked !== used };
  });
}

/** For every colour that was set. */
export const colourAdjustments = (colours: BrandColours, scheme?: Scheme): ColourAdjustment[] =>
  usedColours(colours, scheme).flatMap(({ asked, ...used }) => (asked === null ? [] : [{ ...used, asked }]));
