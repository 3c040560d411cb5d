import { createHash } from "node:crypto";
import { once } from "node:events";
import { createGzip } from "node:zlib";
import { csvCell, type Delimiter } from "@/lib/csv";
import type { ColumnKind } from "@/lib/reports/types/type";

/** The content as it is stored, and what is said of the plain file. */
export interface WrittenFile {
  content: Buffer;
  bytes: number;
  sha256: string;
}

/** Writes one file, row after row; a row is the text of its cells, null for an empty one. */
export interface SheetFile {
  /** Resolves when more may be written. */
  write(rows: readonly (readonly (string | null)[])[]): Promise<void>;
  end(): Promise<WrittenFile>;
}

export interface SheetOptions {
  labels: readonly string[];
  kinds: readonly ColumnKind[];
  delimiter: Delimiter;
  bom: boolean;
}

/** Fast: what is left to gain is little beside what the rows cost. */
const LEVEL = 3;

export function csvFile({ labels, kinds, delimiter, bom }: SheetOptions): SheetFile {
  const gzip = createGzip({ level: LEVEL });
  const stored: Buffer[] = [];
  gzip.on("data", (chunk: Buffer) => stored.push(chunk));
  const digest = createHash("sha256");
  let bytes = 0;
  // Numbers stand bare: −5 is no formula where every cell is a number of ours.
  const isBare = kinds.map((kind) => kind === "number" || kind === "amount");
  const cellOf = (cell: string | null, at: number): string => {
    if (cell === null) return "";
    if (!isBare[at]) return csvCell(cell, delimiter);
    // A decimal comma in a file of commas.
    return cell.includes(delimiter) ? `"${cell}"` : cell;
  };
  const put = async (text: string): Promise<void> => {
    const chunk = Buffer.from(text);
    bytes += chunk.length;
    digest.update(chunk);
    if (!gzip.write(chunk)) await once(gzip, "drain");
  };
  const begun = put(`${bom ? "\uFEFF" : ""}${labels.map((label) => csvCell(label, delimiter)).join(delimiter)}\r\n`);
  return {
    async write(rows) {
      await begun;
      let text = "";
      for (const row of rows) {
        for (let at = 0; at < kinds.length; at++) {
          if (at > 0) text += delimiter;
          text += cellOf(row[at] ?? null, at);
        }
        text += "\r\n";
      }
      await put(text);
    },
    async end() {
      await begun;
      const over = once(gzip, "end");
      gzip.end();
      await over;
      return { content: Buffer.concat(stored), bytes, sha256: digest.digest("hex") };
    },
  };
}
