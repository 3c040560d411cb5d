import { type BrandColours, type Scheme, schemesOf, solvePalette, type Tokens } from "@/lib/branding/palette";

const NAMES = {
  background: "--brand-background",
  surface: "--brand-surface",
  text: "--brand-text",
  muted: "--brand-muted",
  primary: "--brand-primary",
  onPrimary: "--brand-on-primary",
  link: "--brand-link",
  attention: "--brand-attention",
  error: "--brand-error",
  success: "--brand-success",
  errorSurface: "--brand-error-surface",
  attentionSurface: "--brand-attention-surface",
  successSurface: "--brand-success-surface",
  border: "--brand-border",
  focusInner: "--brand-focus-inner",
  focusOuter: "--brand-focus-outer",
} as const satisfies Record<keyof Tokens, string>;

/** The solver writes nothing but "#rrggbb", so the text is safe in a style block whatever was set. */
function declarations(tokens: Tokens, scheme: string): string {
  // Guarantee: the table's keys are the tokens.
  const names = Object.entries(NAMES) as [keyof Tokens, string][];
  return [`color-scheme:${scheme}`, ...names.map(([token, name]) => `${name}:${tokens[token]}`)].join(";");
}

/** As one scheme shows it to everybody: what a preview of it wears. */
export const schemeCss = (colours: BrandColours, scheme: Scheme): string =>
  `:root{${declarations(solvePalette(colours, schemesOf(colours).includes(scheme) ? scheme : undefined), scheme)}}`;

/** What a browser puts in the place of every colour when its user asked for their own (forced colours). */
const SYSTEM: Tokens = {
  background: "Canvas",
  surface: "Canvas",
  text: "CanvasText",
  muted: "CanvasText",
  primary: "ButtonFace",
  onPrimary: "ButtonText",
  link: "LinkText",
  attention: "CanvasText",
  error: "CanvasText",
  success: "CanvasText",
  errorSurface: "Canvas",
  attentionSurface: "Canvas",
  successSurface: "Canvas",
  border: "ButtonBorder",
  focusInner: "Canvas",
  focusOuter: "Highlight",
};
export const forcedCss = (scheme: Scheme): string => `:root{${declarations(SYSTEM, scheme)}}`;

/**
 * For the page's own style block: light, and dark where the merchant left the background to us; of the two the one that
 * was asked for, where one was.
 */
export function themeCss(colours: BrandColours, asked: Scheme | null = null): string {
  const ours = schemesOf(colours);
  const [first, second] = asked && ours.includes(asked) ? [asked] : ours;
  const base = `:root{${declarations(solvePalette(colours, first), first ?? "light")}}`;
  if (second === undefined) return base;
  return `${base}@media (prefers-color-scheme:${second}){:root{${declarations(solvePalette(colours, second), second)}}}`;
}
