import {
  closePath,
  fill,
  lineTo,
  moveTo,
  PDFDocument,
  type PDFFont,
  type PDFPage,
  PDFString,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  rgb,
  StandardFonts,
  setDashPattern,
  setFillingGrayscaleColor,
  setLineWidth,
  stroke,
} from "pdf-lib";
import QRCode from "qrcode";
import type { Locale } from "@/lib/i18n/locales";
import { elementsOf } from "@/lib/payment-documents/interleaved";

export const A4 = { width: 595.28, height: 841.89 } as const;
export const MARGIN = 42;
/** Points of a millimetre. */
export const MM = 72 / 25.4;

const HAIRLINE = 0.5;
const BLACK = rgb(0, 0, 0);
const GREY = rgb(0.35, 0.35, 0.35);
const LINE_HEIGHT = 1.3;
/** Of a link, around the foot of its text. */
const LINK_ABOVE = 10;
const LINK_BELOW = 4;

export interface WrittenLine {
  size: number;
  isBold?: boolean;
  isMuted?: boolean;
  align?: "left" | "right" | "center";
  /** What does not fit is cut with an ellipsis. */
  width?: number;
}

/** A place that a link leads to. */
export interface Spot {
  page: number;
  y: number;
}

/** A4 pages; the last one is written on, from coordinates counted from its top left corner. */
export interface Sheet {
  nextPage(): void;
  /** This height of the page that is written on. */
  spot(y: number): Spot;
  /** The area around a line of text becomes a link: to an address, or to a spot of the document. */
  link(from: Spot, x: number, width: number, to: string | Spot): void;
  text(text: string, x: number, y: number, written: WrittenLine): void;
  /** Answers the height it took; what is beyond `mostLines` is cut. */
  paragraph(text: string, x: number, y: number, written: WrittenLine & { width: number; mostLines: number }): number;
  line(fromX: number, fromY: number, toX: number, toY: number, dashed?: boolean): void;
  barcode(digits: string, x: number, y: number, width: number, height: number): void;
  /** A QR code of that size, without its quiet zone. */
  qr(text: string, x: number, y: number, size: number): void;
  bytes(): Promise<Uint8Array>;
}

export async function newSheet({
  title,
  locale,
  at,
}: {
  title: string;
  locale: Locale;
  /** The moment of what is documented, so that the same document is the same bytes. */
  at: Date;
}): Promise<Sheet> {
  const pdf = await PDFDocument.create();
  pdf.setTitle(title, { showInWindowTitleBar: true });
  pdf.setLanguage(locale);
  pdf.setProducer("Trilho");
  pdf.setCreator("Trilho");
  pdf.setCreationDate(at);
  pdf.setModificationDate(at);
  const fonts = {
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  };
  const pages = [pdf.addPage([A4.width, A4.height])];
  const last = (): PDFPage => pages[pages.length - 1] ?? pdf.addPage([A4.width, A4.height]);
  const up = (y: number) => A4.height - y;
  const text: Sheet["text"] = (given, x, y, { size, isBold = false, isMuted = false, align = "left", width }) => {
    const font = isBold ? fonts.bold : fonts.plain;
    const fitting = cut(font, size, printable(font, given), width);
    const taken = font.widthOfTextAtSize(fitting, size);
    const left = align === "left" ? x : align === "right" ? x - taken : x - taken / 2;
    last().drawText(fitting, { x: left, y: up(y), size, font, color: isMuted ? GREY : BLACK });
  };
  return {
    nextPage() {
      pages.push(pdf.addPage([A4.width, A4.height]));
    },
    spot: (y) => ({ page: pages.length - 1, y }),
    link(from, x, width, to) {
      const [source, target] = [pages[from.page], typeof to === "string" ? undefined : pages[to.page]];
      if (!source) throw new Error("a link on a page that is not there");
      const leads =
        target && typeof to !== "string"
          ? { Dest: [target.ref, "XYZ", null, up(to.y - LINK_ABOVE), null] }
          : { A: { Type: "Action", S: "URI", URI: PDFString.of(typeof to === "string" ? to : "") } };
      const area = [x, up(from.y + LINK_BELOW), x + width, up(from.y - LINK_ABOVE)];
      source.node.addAnnot(
        pdf.context.register(
          pdf.context.obj({ Type: "Annot", Subtype: "Link", Rect: area, Border: [0, 0, 0], ...leads }),
        ),
      );
    },
    text,
    paragraph(given, x, y, { mostLines, ...written }) {
      const font = written.isBold ? fonts.bold : fonts.plain;
      const most = mostCharacters(written.size, written.width) * (mostLines + 1);
      const lines = given
        .slice(0, most)
        .split("\n")
        .slice(0, mostLines + 1)
        .flatMap((part) => wrapped(font, written.size, printable(font, part), written.width));
      const shown = lines.slice(0, mostLines);
      if (lines.length > mostLines) shown[mostLines - 1] = `${shown[mostLines - 1]}…`;
      const step = written.size * LINE_HEIGHT;
      shown.forEach((line, index) => {
        text(line, x, y + index * step, written);
      });
      return shown.length * step;
    },
    line(fromX, fromY, toX, toY, dashed = false) {
      last().pushOperators(
        pushGraphicsState(),
        setLineWidth(HAIRLINE),
        setDashPattern(dashed ? [3, 3] : [], 0),
        moveTo(fromX, up(fromY)),
        lineTo(toX, up(toY)),
        closePath(),
        stroke(),
        popGraphicsState(),
      );
    },
    barcode: (digits, x, y, width, height) => bars(last(), elementsOf(digits), x, up(y) - height, width, height),
    qr: (given, x, y, size) => modules(last(), given, x, up(y), size),
    bytes: () => pdf.save(),
  };
}

/** Drawn as areas, so that it is sharp at any size and on any printer. */
function bars(page: PDFPage, elements: readonly number[], x: number, y: number, width: number, height: number): void {
  const narrow = width / elements.reduce((total, element) => total + element, 0);
  page.pushOperators(pushGraphicsState(), setFillingGrayscaleColor(0));
  let at = x;
  elements.forEach((element, index) => {
    if (index % 2 === 0) page.pushOperators(rectangle(at, y, element * narrow, height));
    at += element * narrow;
  });
  page.pushOperators(fill(), popGraphicsState());
}

/** `top` is counted from the bottom of the page. */
function modules(page: PDFPage, text: string, x: number, top: number, size: number): void {
  const { modules: code } = QRCode.create(text, { errorCorrectionLevel: "M" });
  const one = size / code.size;
  page.pushOperators(pushGraphicsState(), setFillingGrayscaleColor(0));
  for (let row = 0; row < code.size; row++) {
    for (let column = 0; column < code.size; column++) {
      if (code.get(row, column)) page.pushOperators(rectangle(x + column * one, top - (row + 1) * one, one, one));
    }
  }
  page.pushOperators(fill(), popGraphicsState());
}

const characters = new WeakMap<PDFFont, ReadonlySet<number>>();

/** The built-in fonts know the letters of western Europe: others lose their accents, or become a question mark. */
function printable(font: PDFFont, text: string): string {
  const known = characters.get(font) ?? new Set(font.getCharacterSet());
  characters.set(font, known);
  const isKnown = (character: string) => known.has(character.codePointAt(0) ?? 0);
  return Array.from(text.normalize("NFC").replace(/\s/gu, " "), (character) => {
    if (isKnown(character)) return character;
    const plain = character.normalize("NFKD").replace(/\p{M}/gu, "");
    return plain !== "" && Array.from(plain).every(isKnown) ? plain : /\p{C}|\p{M}/u.test(character) ? "" : "?";
  }).join("");
}

/** Upper bound: no letter is narrower than a fifth of its size. */
const mostCharacters = (size: number, width: number): number => Math.ceil(width / (size * 0.2));

function cut(font: PDFFont, size: number, text: string, width: number | undefined): string {
  if (width === undefined) return text;
  let kept = text.slice(0, mostCharacters(size, width));
  if (kept === text && font.widthOfTextAtSize(text, size) <= width) return text;
  while (kept !== "" && font.widthOfTextAtSize(`${kept}…`, size) > width) kept = kept.slice(0, -1);
  return `${kept.trimEnd()}…`;
}

function wrapped(font: PDFFont, size: number, text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (font.widthOfTextAtSize(longer, size) <= width) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    // A word longer than the line is broken where it must be.
    while (font.widthOfTextAtSize(line, size) > width) {
      let fits = line.length - 1;
      while (fits > 1 && font.widthOfTextAtSize(line.slice(0, fits), size) > width) fits -= 1;
      lines.push(line.slice(0, fits));
      line = line.slice(fits);
    }
  }
  return [...lines, line];
}
