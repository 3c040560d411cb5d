import { createHash } from "node:crypto";
import { once } from "node:events";
import { crc32, createDeflateRaw } from "node:zlib";
import { fromBytes, zipped } from "@/lib/reports/archive";
import type { SheetOptions, WrittenFile } from "@/lib/reports/csv-file";

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The parts of a workbook of one sheet (ECMA-376, part 1). */
const PARTS: Readonly<Record<string, string>> = {
  "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="Trilho" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
};

const LEVEL = 3;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** Characters that no XML can say, and halves of characters. */
const isUnsayable = (code: number): boolean =>
  (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) ||
  (code >= 0xd800 && code <= 0xdfff) ||
  code === 0xfffe ||
  code === 0xffff;
const PLAIN = /^[ -%'-;=?-~\u00a0-\ud7ff]*$/;

function escaped(text: string): string {
  if (PLAIN.test(text)) return text;
  let said = "";
  for (const character of text)
    said += isUnsayable(character.codePointAt(0) ?? 0) ? "\ufffd" : (ENTITIES[character] ?? character);
  return said;
}

const words = (text: string): string => `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

/** A sheet of an Excel workbook: text stands as text, so no cell of it is ever a formula. */
export function xlsxFile({ labels, kinds }: SheetOptions) {
  const deflate = createDeflateRaw({ level: LEVEL });
  const stored: Buffer[] = [];
  deflate.on("data", (chunk: Buffer) => stored.push(chunk));
  const isNumber = kinds.map((kind) => kind === "number" || kind === "amount");
  let [crc, size] = [0, 0];
  const put = async (text: string): Promise<void> => {
    const chunk = Buffer.from(text);
    crc = crc32(chunk, crc);
    size += chunk.length;
    if (!deflate.write(chunk)) await once(deflate, "drain");
  };
  const begun = put(`${XML}<worksheet xmlns="${SHEET}"><sheetData><row>${labels.map(words).join("")}</row>`);
  return {
    /** A row is the text of its cells, null for an empty one; resolves when more may be written. */
    async write(rows: readonly (readonly (string | null)[])[]): Promise<void> {
      await begun;
      let text = "";
      for (const row of rows) {
        text += "<row>";
        for (let at = 0; at < kinds.length; at++) {
          const cell = row[at] ?? null;
          text += cell === null ? "<c/>" : isNumber[at] ? `<c><v>${cell}</v></c>` : words(cell);
        }
        text += "</row>";
      }
      await put(text);
    },
    async end(): Promise<WrittenFile> {
      await begun;
      await put("</sheetData></worksheet>");
      const over = once(deflate, "end");
      deflate.end();
      await over;
      const sheet = { name: "xl/worksheets/sheet1.xml", deflated: Buffer.concat(stored), crc, size };
      const parts = Object.entries(PARTS).map(([name, text]) => fromBytes(name, Buffer.from(XML + text)));
      const pieces: Buffer[] = [];
      for await (const piece of zipped([...parts, sheet])) pieces.push(piece);
      const content = Buffer.concat(pieces);
      return { content, bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
    },
  };
}
