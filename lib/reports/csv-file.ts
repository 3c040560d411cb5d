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

/** Each piece is handed to another thread and back: few large ones cost less. */
const PIECE = 262_144;

/** A file of lines that are CSV already, after its header. */
export function csvFile({ labels, delimiter, bom }: SheetOptions) {
  const gzip = createGzip({ level: LEVEL, chunkSize: PIECE });
  const stored: Buffer[] = [];
  gzip.on("data", (chunk: Buffer) => stored.push(chunk));
  const digest = createHash("sha256");
  let bytes = 0;
  let [waiting, size]: [Buffer[], number] = [[], 0];
  /** Of the piece before: it is compressed while the next one is made. */
  let packed: Promise<unknown> = Promise.resolve();
  const pack = async (): Promise<void> => {
    if (size === 0) return;
    const piece = Buffer.concat(waiting, size);
    [waiting, size] = [[], 0];
    await packed;
    packed = gzip.write(piece) ? Promise.resolve() : once(gzip, "drain");
    // Whoever waits for it next hears of a failure.
    packed.catch(() => undefined);
  };
  const put = async (lines: Buffer): Promise<void> => {
    bytes += lines.length;
    digest.update(lines);
    waiting.push(lines);
    size += lines.length;
    if (size >= PIECE) await pack();
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
      await pack();
      await packed;
      const over = once(gzip, "end");
      gzip.end();
      await over;
      return { content: Buffer.concat(stored), bytes, sha256: digest.digest("hex") };
    },
  };
}
