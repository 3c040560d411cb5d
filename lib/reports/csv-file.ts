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

export interface SheetOptions {
  labels: readonly string[];
  kinds: readonly ColumnKind[];
  delimiter: Delimiter;
  bom: boolean;
}

/** Fast: what is left to gain is little beside what the rows cost. */
const LEVEL = 1;

/** A file of lines that are CSV already, after its header. */
export function csvFile({ labels, delimiter, bom }: SheetOptions) {
  const gzip = createGzip({ level: LEVEL });
  const stored: Buffer[] = [];
  gzip.on("data", (chunk: Buffer) => stored.push(chunk));
  const digest = createHash("sha256");
  let bytes = 0;
  const put = async (lines: Buffer): Promise<void> => {
    bytes += lines.length;
    digest.update(lines);
    if (!gzip.write(lines)) await once(gzip, "drain");
  };
  const header = labels.map((label) => csvCell(label, delimiter)).join(delimiter);
  const begun = put(Buffer.from(`${bom ? "\uFEFF" : ""}${header}\r\n`));
  return {
    /** Resolves when more may be written. */
    async write(lines: Buffer): Promise<void> {
      await begun;
      await put(lines);
    },
    async end(): Promise<WrittenFile> {
      await begun;
      const over = once(gzip, "end");
      gzip.end();
      await over;
      return { content: Buffer.concat(stored), bytes, sha256: digest.digest("hex") };
    },
  };
}
