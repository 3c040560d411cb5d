import { crc32, deflateRawSync } from "node:zlib";

/** One file of an archive, deflated already (RFC 1951). */
export interface ArchivedFile {
  name: string;
  deflated: Buffer;
  crc: number;
  /** Of the plain file. */
  size: number;
}

const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const DEFLATED = 8;
/** 1 January 1980, the first day that the format can say: an archive says nothing of when it was made. */
const DATE = 0x0021;
const LARGEST = 0xffffffff;
const GZIP_HEADER_BYTES = 10;
const GZIP_TRAILER_BYTES = 8;

/** What gzip wrote without a name holds all that an archive needs: nothing is compressed again. */
export function fromGzip(name: string, content: Buffer): ArchivedFile {
  const end = content.length - GZIP_TRAILER_BYTES;
  return {
    name,
    deflated: content.subarray(GZIP_HEADER_BYTES, end),
    crc: content.readUInt32LE(end),
    size: content.readUInt32LE(end + 4),
  };
}

export function fromBytes(name: string, content: Buffer): ArchivedFile {
  return { name, deflated: deflateRawSync(content), crc: crc32(content), size: content.length };
}

/** A zip archive (APPNOTE 6.3.3), file after file; one file at a time is in memory. */
export async function* zipped(files: AsyncIterable<ArchivedFile> | Iterable<ArchivedFile>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const file of files) {
    const common = commonOf(file);
    const name = Buffer.from(file.name);
    directory.push(entryOf(common, name, offset));
    const head = Buffer.concat([uint32(0x04034b50), common, name]);
    yield head;
    yield file.deflated;
    offset += head.length + file.deflated.length;
    if (offset > LARGEST) throw new RangeError("an archive holds at most 4 GiB");
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  yield Buffer.concat([entries, end]);
}

/** What stands in front of a file and in the directory alike, from the version to the length of extra fields. */
function commonOf({ name, deflated, crc, size }: ArchivedFile): Buffer {
  const common = Buffer.alloc(26);
  common.writeUInt16LE(VERSION, 0);
  common.writeUInt16LE(FLAGS, 2);
  common.writeUInt16LE(DEFLATED, 4);
  common.writeUInt16LE(DATE, 8);
  common.writeUInt32LE(crc, 10);
  common.writeUInt32LE(deflated.length, 14);
  common.writeUInt32LE(size, 18);
  common.writeUInt16LE(Buffer.byteLength(name), 22);
  return common;
}

function entryOf(common: Buffer, name: Buffer, offset: number): Buffer {
  const begins = Buffer.alloc(6);
  begins.writeUInt32LE(0x02014b50, 0);
  begins.writeUInt16LE(VERSION, 4);
  // Comment, disk and attributes are nothing; then where the file begins.
  const ends = Buffer.alloc(14);
  ends.writeUInt32LE(offset, 10);
  return Buffer.concat([begins, common, ends, name]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
