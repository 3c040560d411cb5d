import { inflateSync } from "node:zlib";

export interface DrawnText {
  text: string;
  x: number;
  y: number;
}

/** What a PDF of ours draws, read back from its bytes as any reader would. */
export interface Drawn {
  texts: DrawnText[];
  /** All texts, from top to bottom and left to right. */
  lines: string;
  areas: { x: number; y: number; width: number; height: number }[];
  pages: number;
}

export function readPdf(bytes: Uint8Array): Drawn {
  const file = Buffer.from(bytes);
  const streams = streamsOf(file);
  const contents = streams.filter((text) => /(?:^|\s)(?:BT|re)\s/.test(text)).join("\n");
  const texts = Array.from(
    contents.matchAll(/1 0 0 1 (\S+) (\S+) Tm\s+<([0-9A-F]*)> Tj/g),
    ([, x = "", y = "", hex = ""]) => ({ text: winAnsi(hex), x: Number(x), y: Number(y) }),
  );
  const areas = Array.from(contents.matchAll(/(\S+) (\S+) (\S+) (\S+) re/g), ([, x, y, width, height]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
  }));
  const sorted = texts.toSorted((a, b) => b.y - a.y || a.x - b.x);
  const objects = streams.join("\n") + file.toString("latin1");
  return {
    texts,
    areas,
    lines: sorted.map(({ text }) => text).join("\n"),
    pages: objects.match(/\/Type \/Page\b/g)?.length ?? 0,
  };
}

function streamsOf(file: Buffer): string[] {
  const found: string[] = [];
  for (let from = 0; ; ) {
    const start = file.indexOf("stream\n", from);
    if (start < 0) return found;
    const begin = start + "stream\n".length;
    const end = file.indexOf("endstream", begin);
    from = end + "endstream".length;
    try {
      found.push(inflateSync(file.subarray(begin, end)).toString("latin1"));
    } catch {
      // Not compressed: none of ours.
    }
  }
}

const winAnsi = (hex: string): string => new TextDecoder("windows-1252").decode(Buffer.from(hex, "hex"));

const WIDE_OF_FIVE: Readonly<Record<string, string>> = Object.fromEntries(
  ["00110", "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010"].map((code, digit) => [
    code,
    String(digit),
  ]),
);

/** Tall areas; those of a QR code are squares. */
export const barsOf = (areas: Drawn["areas"]): Drawn["areas"] =>
  areas.filter(({ width, height }) => height > 2 * width);

/** The digits of the bars that are drawn, read as a scanner reads Interleaved 2 of 5. */
export function scan({ areas }: Drawn): string {
  const bars = barsOf(areas).toSorted((a, b) => a.x - b.x);
  const narrow = Math.min(...bars.map(({ width }) => width));
  const isWide = (size: number) => (size > narrow * 2 ? "1" : "0");
  let elements = "";
  bars.forEach((bar, index) => {
    const next = bars[index + 1];
    elements += isWide(bar.width) + (next ? isWide(next.x - bar.x - bar.width) : "");
  });
  if (!elements.startsWith("0000") || !elements.endsWith("100")) throw new Error("no start or stop");
  const middle = elements.slice(4, -3);
  let digits = "";
  for (let at = 0; at < middle.length; at += 10) {
    const pair = middle.slice(at, at + 10);
    const half = (offset: number) => Array.from({ length: 5 }, (_, i) => pair[i * 2 + offset]).join("");
    digits += (WIDE_OF_FIVE[half(0)] ?? "?") + (WIDE_OF_FIVE[half(1)] ?? "?");
  }
  return digits;
}
