import { createHash } from "node:crypto";
import { z } from "zod";
import { createReader, type Reader } from "@/scripts/backup/reader";

/**
 * The inside of a backup: a line of JSON that says what schema it is of, then parts, then a line with the manifest. A
 * part is a line of JSON and its content in blocks: a length of 4 bytes and as many bytes; length 0 ends it.
 */
const LENGTH_BYTES = 4;
const LARGEST_BLOCK = 16_777_216;
const LINE_FEED = 10;

const version = z.strictObject({ major: z.number().int(), minor: z.number().int() });

export const head = z.strictObject({
  kind: z.literal("head"),
  madeAt: z.iso.datetime(),
  schema: version,
  /** The migrations that made the schema, with their digests. */
  migrations: z.array(z.strictObject({ tag: z.string(), hash: z.string() })),
});
export type Head = z.infer<typeof head>;

const part = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("table"),
    schema: z.string(),
    name: z.string(),
    columns: z.array(z.string()).min(1),
  }),
  z.strictObject({ kind: z.literal("file"), name: z.string().regex(/^[\w.-]+$/) }),
]);
export type Part = z.infer<typeof part>;

/** Of one part's content: rows of a table, else line feeds. */
const digest = z.strictObject({ part: z.string(), bytes: z.number(), lines: z.number(), sha256: z.string() });
export type Digest = z.infer<typeof digest>;

export const manifest = z.strictObject({
  kind: z.literal("manifest"),
  parts: z.array(digest),
  sequences: z.array(z.strictObject({ schema: z.string(), name: z.string(), value: z.string() })),
  secrets: z.record(z.string(), z.string()),
});
export type Manifest = z.infer<typeof manifest>;

export const nameOf = (of: Part): string => (of.kind === "table" ? `${of.schema}.${of.name}` : `file ${of.name}`);
export const lineOf = (value: Head | Part | Manifest): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

/** Counts and digests what passes. */
export function createMeter(of: Part) {
  const hash = createHash("sha256");
  let [bytes, lines] = [0, 0];
  return {
    add(content: Buffer): void {
      hash.update(content);
      bytes += content.length;
      for (let at = content.indexOf(LINE_FEED); at >= 0; at = content.indexOf(LINE_FEED, at + 1)) lines++;
    },
    end: (): Digest => ({ part: nameOf(of), bytes, lines, sha256: hash.digest("hex") }),
  };
}

export async function* blocksOf(of: Part, content: AsyncIterable<Buffer>, done: (digest: Digest) => void) {
  const meter = createMeter(of);
  yield lineOf(of);
  for await (const block of content) {
    if (block.length === 0) continue;
    meter.add(block);
    yield Buffer.concat([lengthOf(block.length), block]);
  }
  yield lengthOf(0);
  done(meter.end());
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes);
  return length;
}

/** Reads a backup from its beginning to its end; `take` must read the content it is given to its end. */
export async function readContents(
  source: AsyncIterable<Buffer>,
  take: { head(of: Head): Promise<void>; part(of: Part, content: AsyncIterable<Buffer>): Promise<void> },
): Promise<Manifest> {
  const reader = createReader(source);
  await take.head(head.parse(JSON.parse(await reader.line())));
  for (;;) {
    const said: unknown = JSON.parse(await reader.line());
    const last = manifest.safeParse(said);
    if (last.success) {
      if (!(await reader.atEnd())) throw new Error("The backup goes on behind its end.");
      return last.data;
    }
    await take.part(part.parse(said), contentOf(reader));
  }
}

async function* contentOf(reader: Reader): AsyncGenerator<Buffer> {
  for (;;) {
    const length = (await reader.exact(LENGTH_BYTES)).readUInt32BE();
    if (length === 0) return;
    if (length > LARGEST_BLOCK) throw new Error("The backup is damaged.");
    yield await reader.exact(length);
  }
}
