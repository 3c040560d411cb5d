import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { encodeLogo } from "@/lib/settings/logo";

const noise = (width: number, height: number) => {
  // The same "noise" in every run.
  const bytes = Buffer.from(Array.from({ length: width * height * 3 }, (_, n) => (n * 2_654_435_761) % 251));
  return sharp(bytes, { raw: { width, height, channels: 3 } });
};
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#1b4dff" } });

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}
function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc(named));
  return Buffer.concat([length, named, sum]);
}
/** A picture that says it is of any size, with almost nothing in it. */
function claimedPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(10))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("what is served is decoded and written anew", () => {
  test.each([
    ["PNG", () => plain(400, 100).png().toBuffer(), "png"],
    ["JPEG", () => plain(400, 100).jpeg().toBuffer(), "jpeg"],
    ["CMYK JPEG", () => plain(400, 100).toColourspace("cmyk").jpeg().toBuffer(), "jpeg"],
    ["a picture of a thousand by a thousand", () => plain(1000, 1000).png().toBuffer(), "png"],
  ] as const)("%s", async (_what, make, format) => {
    const { bytes, width, height } = await encodeLogo(await make());
    const shown = await sharp(bytes).metadata();
    expect(shown).toMatchObject({ format, width, height, space: "srgb" });
    expect(width <= 480 && height <= 160).toBe(true);
  });

  test("noise of a thousand by a thousand still fits the page's budget, or nearly", async () => {
    const { bytes } = await encodeLogo(await noise(500, 160).jpeg().toBuffer());
    expect(bytes.length).toBeLessThan(16 * 1024);
  });

  test("what hides behind or inside a picture is gone: archives, scripts, metadata", async () => {
    const hidden = "<script>alert(document.domain)</script>";
    const tagged = await plain(100, 100)
      .withExif({ IFD0: { ImageDescription: hidden } })
      .jpeg()
      .toBuffer();
    const polyglot = Buffer.concat([await plain(100, 100).png().toBuffer(), Buffer.from(`PK\u0003\u0004${hidden}`)]);
    for (const given of [tagged, polyglot]) {
      expect(given.includes(hidden)).toBe(true);
      const { bytes } = await encodeLogo(given);
      expect(bytes.includes("script") || bytes.includes("PK\u0003\u0004")).toBe(false);
      expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    }
  });

  test("a picture lying on its side stands up", async () => {
    const { width, height } = await encodeLogo(await plain(100, 50).withMetadata({ orientation: 6 }).jpeg().toBuffer());
    expect([width, height]).toEqual([50, 100]);
  });
});

const half = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2));

describe("400", () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  test.each([
    ["an SVG", async () => svg, "PNG or JPEG"],
    ["a page", async () => Buffer.from("<!doctype html><script>alert(1)</script>"), "PNG or JPEG"],
    ["a GIF", () => plain(10, 10).gif().toBuffer(), "PNG or JPEG"],
    ["a phone's photo", async () => Buffer.from("\0\0\0\x18ftypmif1\0\0\0\0heic"), "PNG or JPEG"],
    ["a WebP", () => plain(10, 10).webp().toBuffer(), "PNG or JPEG"],
    [
      "text behind a PNG's first bytes",
      async () => Buffer.concat([(await plain(9, 9).png().toBuffer()).subarray(0, 8), svg]),
      "damaged",
    ],
    ["half a PNG", async () => half(await noise(300, 300).png().toBuffer()), "damaged"],
    ["half a JPEG", async () => half(await noise(300, 300).jpeg().toBuffer()), "damaged"],
    ["a picture that says it is of 65,535 by 65,535", async () => claimedPng(65_535, 65_535), "logo: "],
    ["1001 by 1000", () => plain(1001, 1000).png().toBuffer(), "1000 × 1000"],
    ["1000 by 1001", () => plain(1000, 1001).jpeg().toBuffer(), "1000 × 1000"],
    [
      "more than 2 MB",
      async () => Buffer.concat([await plain(9, 9).png().toBuffer(), Buffer.alloc(2 * 1024 * 1024)]),
      "2 MB",
    ],
    ["nothing", async () => Buffer.alloc(0), "PNG or JPEG"],
  ] as const)("%s", async (_what, make, why) => {
    const given = await make();
    await expect(encodeLogo(given)).rejects.toMatchObject({ status: 400, details: [expect.stringContaining(why)] });
  });
});
