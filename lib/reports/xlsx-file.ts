import { createHash } from "node:crypto";
import { type CellValue, writeXlsxStream } from "hucre/xlsx";
import type { SheetOptions, WrittenFile } from "@/lib/reports/csv-file";

/** Not even as a code can XML say these. */
const UNSAYABLE = /[\ufffe\uffff]/g;
/** Text that Excel would read as the code of a character, as which the library writes control characters. */
const CODE = /_(?=x[0-9a-f]{4}_)/gi;

const words = (text: string): string => text.replace(UNSAYABLE, "\ufffd").replace(CODE, "_x005F_");

/** A sheet of an Excel workbook: text stands as text, so no cell of it is ever a formula. */
export function xlsxFile({ labels, kinds }: SheetOptions) {
  const isNumber = kinds.map((kind) => kind === "number" || kind === "amount");
  const rows = new TransformStream<CellValue[][], CellValue[][]>();
  const writer = rows.writable.getWriter();
  const book = writeXlsxStream(each(rows.readable), {
    name: "Trilho",
    columns: labels.map((header) => ({ header })),
    freezePane: { rows: 1 },
  });
  const stored: Uint8Array[] = [];
  const written = (async () => {
    for await (const chunk of book) stored.push(chunk);
  })();
  // What failed is told by the next write, or at the end.
  written.catch(() => undefined);
  return {
    /** A row is the text of its cells, null for an empty one; resolves when more may be written. */
    async write(lines: readonly (readonly (string | null)[])[]): Promise<void> {
      await writer.write(
        lines.map((row) =>
          kinds.map((_, at) => {
            const cell = row[at] ?? null;
            return cell === null ? null : isNumber[at] ? Number(cell) : words(cell);
          }),
        ),
      );
    },
    async end(): Promise<WrittenFile> {
      await writer.close();
      await written;
      const content = Buffer.concat(stored);
      return { content, bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
    },
  };
}

async function* each(batches: ReadableStream<CellValue[][]>): AsyncGenerator<CellValue[]> {
  for await (const batch of batches) yield* batch;
}
