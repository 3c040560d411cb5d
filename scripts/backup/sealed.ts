import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import { createReader, type Reader } from "@/scripts/backup/reader";

/**
 * The outside of a backup: one line that says how the key is made of the passphrase, then frames of at most 64 KiB, each
 * a length of 4 bytes and AES-256-GCM under a counter, bound to that line; the last one is marked, so that a file that
 * was cut, changed or put together of two does not open.
 */
const MAGIC = "TRILHO-BACKUP";
const FRAME_BYTES = 65_536;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const LENGTH_BYTES = 4;
const LOG_COST = 17;
/** A foreign file may not make us take all the memory. */
const HIGHEST_LOG_COST = 20;
const BLOCK = 8;
const PARALLEL = 1;
export const MIN_PASSPHRASE = 16;

const header = z.strictObject({
  version: z.literal(1),
  kdf: z.literal("scrypt"),
  logCost: z.number().int().min(14).max(HIGHEST_LOG_COST),
  salt: z.base64(),
  cipher: z.literal("aes-256-gcm"),
});

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

const keyOf = (passphrase: string, salt: Buffer, logCost: number): Promise<Buffer> => {
  const N = 2 ** logCost;
  return derive(passphrase.normalize("NFKC"), salt, KEY_BYTES, { N, r: BLOCK, p: PARALLEL, maxmem: 256 * N * BLOCK });
};

function nonceOf(frame: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64BE(BigInt(frame), NONCE_BYTES - 8);
  return nonce;
}

const boundTo = (line: string, isLast: boolean): Buffer => Buffer.from(`${line}\n${isLast ? "last" : "more"}`);

/** What is written, of what comes in. */
export async function* seal(
  source: AsyncIterable<Buffer>,
  passphrase: string,
  logCost = LOG_COST,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const head = { version: 1, kdf: "scrypt", logCost, salt: salt.toString("base64"), cipher: "aes-256-gcm" };
  const line = `${MAGIC} ${JSON.stringify(head)}`;
  const key = await keyOf(passphrase, salt, logCost);
  yield Buffer.from(`${line}\n`);
  let frames = 0;
  const frame = (content: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(frames++));
    cipher.setAAD(boundTo(line, isLast));
    const sealed = Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(sealed.length);
    return Buffer.concat([length, sealed]);
  };
  let waiting: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length > FRAME_BYTES) {
      yield frame(waiting.subarray(0, FRAME_BYTES), false);
      waiting = waiting.subarray(FRAME_BYTES);
    }
  }
  yield frame(waiting, true);
}

export class NotABackup extends Error {}

/** The inverse of `seal`. Throws `NotABackup` for another file, another passphrase, or anything that was changed. */
export async function* unseal(source: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const reader = createReader(source);
  const { line, key } = await readHeader(reader, passphrase);
  for (let frames = 0, isLast = false; !isLast; frames++) {
    const length = (await reader.exact(LENGTH_BYTES)).readUInt32BE();
    if (length < TAG_BYTES || length > FRAME_BYTES + TAG_BYTES) throw new NotABackup("The backup is damaged.");
    const sealed = await reader.exact(length);
    isLast = await reader.atEnd();
    const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(frames), { authTagLength: TAG_BYTES });
    decipher.setAAD(boundTo(line, isLast));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    let content: Buffer;
    try {
      content = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
    } catch {
      throw new NotABackup(
        frames === 0
          ? "The backup does not open: the passphrase is another, or the file is damaged."
          : "The backup is damaged, or was cut off.",
      );
    }
    yield content;
  }
}

async function readHeader(reader: Reader, passphrase: string): Promise<{ line: string; key: Buffer }> {
  const line = await reader.line().catch(() => "");
  const text = line.startsWith(`${MAGIC} `) ? line.slice(MAGIC.length + 1) : "";
  const parsed = header.safeParse(jsonOf(text));
  if (!parsed.success) throw new NotABackup("The file is no backup of Trilho, or one of a newer release.");
  const { salt, logCost } = parsed.data;
  return { line, key: await keyOf(passphrase, Buffer.from(salt, "base64"), logCost) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
