/** Colours on the way between sRGB and OKLCH (Björn Ottosson's OKLab), and what WCAG 2.2 says of two of them. */

export interface Oklch {
  /** Lightness, 0 to 1. */
  l: number;
  /** Chroma, 0 for greys. */
  c: number;
  /** Hue, in radians. */
  h: number;
}

type Triple = readonly [number, number, number];

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

export const isColour = (text: string): boolean => HEX.test(text);

/** "#rgb" and "#rrggbb" as "#rrggbb", lower case. */
export function normalColour(text: string): string {
  if (!isColour(text)) throw new RangeError(`"${text}" is not a colour`);
  const digits = text.slice(1).toLowerCase();
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits}`;
}

function channels(colour: string): Triple {
  const value = Number.parseInt(normalColour(colour).slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** Of each of the 256 values a channel has. */
const LINEAR = Float64Array.from({ length: 256 }, (_, channel) => {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
});
const linear = (channel: number): number => LINEAR[channel] ?? 0;

const encoded = (part: number): number => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);

export function luminance(colour: string): number {
  const [r, g, b] = channels(colour);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/** Of two luminances: from 1 to 21. */
export const ratioOf = (a: number, b: number): number => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

export const contrast = (a: string, b: string): number => ratioOf(luminance(a), luminance(b));

export function toOklch(colour: string): Oklch {
  const [r, g, b] = channels(colour);
  const [lr, lg, lb] = [linear(r), linear(g), linear(b)];
  const long = Math.cbrt(0.4122214708 * lr + 0.5363325363 * lg + 0.0514459929 * lb);
  const medium = Math.cbrt(0.2119034982 * lr + 0.6806995451 * lg + 0.1073969566 * lb);
  const short = Math.cbrt(0.0883024619 * lr + 0.2817188376 * lg + 0.6299787005 * lb);
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const bb = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return { l, c: Math.hypot(a, bb), h: Math.atan2(bb, a) };
}

function toLinear({ l, c, h }: Oklch): Triple {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

const ROUNDING = 1e-4;
const isShown = (part: number): boolean => part >= -ROUNDING && part <= 1 + ROUNDING;

/** Finer than the 256 values of a channel. */
const CHROMA_STEPS = 12;

/** As "#rrggbb": lightness and hue stay, chroma is halved towards grey until the screen can show the colour. */
export function fromOklch(colour: Oklch): string {
  if (colour.l <= 0) return "#000000";
  if (colour.l >= 1) return "#ffffff";
  let [low, high] = [0, colour.c];
  if (!toLinear(colour).every(isShown)) {
    for (let step = 0; step < CHROMA_STEPS; step++) {
      const middle = (low + high) / 2;
      if (toLinear({ ...colour, c: middle }).every(isShown)) low = middle;
      else high = middle;
    }
    high = low;
  }
  const parts = toLinear({ ...colour, c: high }).map((part) =>
    Math.round(Math.min(1, Math.max(0, encoded(Math.min(1, Math.max(0, part))))) * 255),
  );
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** `share` of the way from one to the other, channel by channel: what `color-mix(in srgb, …)` shows. */
export function mixedFlat(from: string, to: string, share: number): string {
  const [a, b] = [channels(from), channels(to)];
  return `#${a.map((channel, index) => hex(channel + ((b[index] ?? 0) - channel) * share)).join("")}`;
}
const hex = (channel: number): string => Math.round(channel).toString(16).padStart(2, "0");
