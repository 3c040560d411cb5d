import type { DOCUMENT_TYPES } from "@/db/schema/sellers";
import { invalid } from "@/lib/errors";

export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const MEGABYTE = 1024 * 1024;
export const MOST_BYTES = 3 * MEGABYTE;
/** Of all files of one form: servers read no larger request of a page (next.config.ts, scripts/server/page-body.ts). */
export const MOST_BYTES_TOGETHER = 4_000_000;
/** A picture of this many pixels is already larger than any document; more is a trap for whoever opens it. */
const MOST_PIXELS = 50_000_000;

type FileKind = "png" | "jpeg" | "bmp" | "webp" | "heic" | "heif" | "pdf";

const MIME: Readonly<Record<FileKind, string>> = {
  png: "image/png",
  jpeg: "image/jpeg",
  bmp: "image/bmp",
  webp: "image/webp",
  heic: "image/heic",
  heif: "image/heif",
  pdf: "application/pdf",
};

const WITH_PDF: ReadonlySet<DocumentType> = new Set<DocumentType>(["SELFIE", "CNH_FULL"]);

export const takesPdf = (type: DocumentType): boolean => WITH_PDF.has(type);

/** The kinds that a document's type takes, as browsers name them. */
export const acceptOf = (type: DocumentType): string =>
  Object.values(MIME)
    .filter((mime) => mime !== MIME.pdf || takesPdf(type))
    .join(",");

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const HEIC_BRANDS = new Set(["heic", "heix", "hevc", "hevx", "heim", "heis"]);
const HEIF_BRANDS = new Set(["mif1", "msf1", "heif"]);
const ascii = (bytes: Buffer, from: number, to: number): string => bytes.subarray(from, to).toString("latin1");

/** By the content: names and types that senders give may lie. */
export function fileKindOf(bytes: Buffer): FileKind | undefined {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return "png";
  if (bytes.subarray(0, JPEG.length).equals(JPEG)) return "jpeg";
  if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP") return "webp";
  if (ascii(bytes, 0, 2) === "BM" && bytes.length > 26 && bytes.readUInt32LE(2) === bytes.length) return "bmp";
  if (ascii(bytes, 0, 5) === "%PDF-" && bytes.subarray(-1_024).includes("%%EOF")) return "pdf";
  if (ascii(bytes, 4, 8) !== "ftyp") return undefined;
  const brand = ascii(bytes, 8, 12);
  return HEIC_BRANDS.has(brand) ? "heic" : HEIF_BRANDS.has(brand) ? "heif" : undefined;
}

/** Why a file cannot be of a document's type, as far as its first bytes tell. */
export function kindProblemOf(type: DocumentType, given: Buffer): "unknown" | "pdf" | undefined {
  const kind = fileKindOf(given);
  if (kind === undefined) return "unknown";
  return kind === "pdf" && !takesPdf(type) ? "pdf" : undefined;
}

export interface CheckedFile {
  bytes: Buffer;
  mime: string;
}

/**
 * What is kept is never what was sent: pixels of pictures are decoded and written anew, so that places, names and what
 * hides behind the picture stay outside. BMP carries nothing beside its pixels; PDF, HEIC and HEIF are kept as they are.
 */
export async function checkedFile(type: DocumentType, given: Buffer): Promise<CheckedFile> {
  const kind = fileKindOf(given);
  if (kind === undefined) throw invalid("file: must be a PNG, JPEG, BMP, WebP, HEIC or HEIF picture, or a PDF");
  if (kind === "pdf" && !takesPdf(type)) throw invalid(`file: a PDF is taken as ${[...WITH_PDF].join(" and ")} only`);
  if (kind === "pdf" || kind === "heic" || kind === "heif") return { bytes: given, mime: MIME[kind] };
  if (kind === "bmp") return { bytes: checkedBitmap(given), mime: MIME.bmp };
  return { bytes: await redrawn(kind, given), mime: MIME[kind] };
}

async function redrawn(kind: "png" | "jpeg" | "webp", given: Buffer): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  try {
    const picture = sharp(given, { failOn: "error", limitInputPixels: MOST_PIXELS }).rotate();
    if (kind === "png") return await picture.png({ compressionLevel: 9 }).toBuffer();
    return kind === "jpeg"
      ? await picture.jpeg({ quality: 92 }).toBuffer()
      : await picture.webp({ quality: 92 }).toBuffer();
  } catch {
    throw damaged();
  }
}

const BITMAP = { header: 14, leastInfo: 40, mostInfo: 124, masks: 12, color: 4, padding: 4 } as const;
/** Pixels as they are, or by masks: of what is packed, nobody can tell where it ends. */
const UNPACKED = new Set([0, 3]);

/** Its header must describe just these bytes: neither before its pixels nor behind them is there room for anything else. */
function checkedBitmap(given: Buffer): Buffer {
  if (given.length < BITMAP.header + BITMAP.leastInfo) throw damaged();
  const [offset, info, width] = [given.readUInt32LE(10), given.readUInt32LE(14), given.readInt32LE(18)];
  const [height, depth, packing] = [Math.abs(given.readInt32LE(22)), given.readUInt16LE(28), given.readUInt32LE(30)];
  const colors = depth <= 8 ? 2 ** depth : 0;
  const end = offset + Math.ceil((width * depth) / 32) * 4 * height;
  const isSound =
    info >= BITMAP.leastInfo &&
    info <= BITMAP.mostInfo &&
    offset >= BITMAP.header + info &&
    offset <= BITMAP.header + info + BITMAP.masks + BITMAP.color * colors &&
    width > 0 &&
    height > 0 &&
    depth > 0 &&
    width * height <= MOST_PIXELS &&
    UNPACKED.has(packing) &&
    given.length >= end &&
    given.length <= end + BITMAP.padding;
  if (!isSound) throw damaged();
  return given;
}

const damaged = () => invalid("file: the picture is damaged or too large");
