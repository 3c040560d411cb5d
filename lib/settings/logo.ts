import type { Sharp } from "sharp";
import type { Context } from "@/lib/context";
import { invalid } from "@/lib/errors";
import { keepFile } from "@/lib/storage/files";
import { ownName } from "@/lib/storage/names";

export const MOST_LOGO_BYTES = 2 * 1024 * 1024;
const MOST_PIXELS = 1_000;
/** Twice the box it is shown in, for dense screens (design/checkout.md section 2). */
const SHOWN_WIDTH = 480;
const SHOWN_HEIGHT = 160;
const AIMED_BYTES = 10 * 1024;

/** Smaller and plainer until the page's budget holds; the last one is taken whatever it weighs. */
const ATTEMPTS = [
  { scale: 1, colours: 256, quality: 82 },
  { scale: 1, colours: 64, quality: 70 },
  { scale: 0.75, colours: 64, quality: 70 },
  { scale: 0.75, colours: 32, quality: 55 },
  { scale: 0.5, colours: 32, quality: 55 },
] as const;

export interface EncodedLogo {
  kind: "png" | "jpg";
  bytes: Buffer;
  width: number;
  height: number;
}

export interface KeptLogo {
  /** Own name without its folder: the last part of its address. */
  file: string;
  /** In the file store. */
  name: string;
  width: number;
  height: number;
}

/** What is served is never what was sent: pixels are decoded and written anew, and everything else is left behind. */
export async function encodeLogo(given: Buffer): Promise<EncodedLogo> {
  if (isHeic(given)) throw invalid("logo: must be a PNG or JPEG picture, and is HEIC");
  if (given.length > MOST_LOGO_BYTES) throw invalid("logo: at most 2 MB");
  const kind = kindOf(given);
  if (kind === undefined) throw invalid("logo: must be a PNG or JPEG picture");
  // The decoder fills up what is missing of a PNG; one that was cut off lacks its last chunk.
  if (kind === "png" && !given.includes(PNG_END)) throw invalid("logo: the picture is damaged");
  const { default: sharp } = await import("sharp");
  const open = (): Sharp => sharp(given, { failOn: "warning", limitInputPixels: MOST_PIXELS * MOST_PIXELS });
  // The header alone is read here, so whatever size it claims costs nothing.
  await checkSize(sharp(given, { limitInputPixels: false }));
  try {
    const { data, info } = await smallest(open, kind);
    return { kind, bytes: data, width: info.width, height: info.height };
  } catch {
    throw invalid("logo: the picture is damaged");
  }
}

const SIGNATURES = [
  ["png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ["jpg", Buffer.from([0xff, 0xd8, 0xff])],
] as const;

const PNG_END = Buffer.from("49454e44ae426082", "hex");

/** By content: names and declared types are the sender's word. */
const kindOf = (bytes: Buffer) =>
  SIGNATURES.find(([, signature]) => bytes.subarray(0, signature.length).equals(signature))?.[0];

/** Of phones' photos: what such a file begins with, and the names that its kind has there. */
const HEIC = /^ftyp(?:hei[cfmsx]|hev[cmsx]|mif1|msf1)$/;
const isHeic = (bytes: Buffer): boolean => HEIC.test(bytes.toString("latin1", 4, 12));

/** What was sent, measured, for saying why it cannot be taken. */
export async function measureLogo(given: Buffer): Promise<{
  problem: "heavy" | "heic" | "kind" | "large" | "damaged" | undefined;
  bytes: number;
  width: number;
  height: number;
}> {
  const bytes = given.length;
  const nothing = { bytes, width: 0, height: 0 };
  // Made smaller it would still not be taken.
  if (isHeic(given)) return { ...nothing, problem: "heic" };
  if (bytes > MOST_LOGO_BYTES) return { ...nothing, problem: "heavy" };
  if (kindOf(given) === undefined) return { ...nothing, problem: "kind" };
  const { default: sharp } = await import("sharp");
  const { width, height } = await sharp(given, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ width: 0, height: 0 }));
  const isLarge = width > MOST_PIXELS || height > MOST_PIXELS;
  return { bytes, width, height, problem: width === 0 ? "damaged" : isLarge ? "large" : undefined };
}

async function checkSize(picture: Sharp): Promise<void> {
  const { width, height } = await picture.metadata().catch(() => ({ width: undefined, height: undefined }));
  if (!width || !height) throw invalid("logo: the picture is damaged");
  if (width > MOST_PIXELS || height > MOST_PIXELS)
    throw invalid(`logo: at most ${MOST_PIXELS} × ${MOST_PIXELS} pixels`);
}

async function smallest(open: () => Sharp, kind: "png" | "jpg") {
  let made = await encoded(open(), kind, ATTEMPTS[0]);
  for (const attempt of ATTEMPTS.slice(1)) {
    if (made.data.length <= AIMED_BYTES) break;
    made = await encoded(open(), kind, attempt);
  }
  return made;
}

function encoded(picture: Sharp, kind: "png" | "jpg", { scale, colours, quality }: (typeof ATTEMPTS)[number]) {
  const fitted = picture.rotate().resize({
    width: Math.round(SHOWN_WIDTH * scale),
    height: Math.round(SHOWN_HEIGHT * scale),
    fit: "inside",
    withoutEnlargement: true,
  });
  const shown = fitted.toColourspace("srgb");
  const written =
    kind === "png"
      ? shown.png({ palette: true, colours, compressionLevel: 9, effort: 7 })
      : shown.jpeg({ quality, mozjpeg: true });
  return written.toBuffer({ resolveWithObject: true });
}

/** Stored before the transaction that points to it. */
export async function keepLogo(ctx: Context, given: Buffer): Promise<KeptLogo> {
  const { kind, bytes, width, height } = await encodeLogo(given);
  const name = ownName("logo", kind);
  await keepFile(ctx, name, bytes);
  return { name, file: name.slice(name.indexOf("/") + 1), width, height };
}
