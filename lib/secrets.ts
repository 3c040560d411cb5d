import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/env";
import { KEY_ID_BYTES, type Kek, kekWithId, keyFor, writingKek } from "@/lib/kek";
import type { Purpose } from "@/lib/purposes";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

const derived = new Map<string, Buffer>();

/** A server key for one purpose, derived from TRILHO_SECRET: HMACs of different purposes never meet. */
export function serverSecret(purpose: string): Buffer {
  const kept = derived.get(purpose);
  if (kept) return kept;
  const key = Buffer.from(hkdfSync("sha256", Buffer.from(env().TRILHO_SECRET), "trilho", purpose, KEY_BYTES));
  derived.set(purpose, key);
  return key;
}

export interface Sealed {
  nonce: Buffer;
  /** Ciphertext followed by its tag. */
  ciphertext: Buffer;
}

/** AES-256-GCM; `bound` is authenticated with it, so a row copied elsewhere does not open. */
export function seal(key: Buffer, plain: Buffer, bound: string): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(bound));
  return { nonce, ciphertext: Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]) };
}

export function open(key: Buffer, { nonce, ciphertext }: Sealed, bound: string): Buffer {
  const end = ciphertext.length - TAG_BYTES;
  const cipher = createDecipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(bound));
  cipher.setAuthTag(ciphertext.subarray(end));
  return Buffer.concat([cipher.update(ciphertext.subarray(0, end)), cipher.final()]);
}

export const newDataKey = (): Buffer => randomBytes(KEY_BYTES);

/** The key was taken out of TRILHO_KEK while something still needs it. */
export class KeyNotGiven extends Error {
  override readonly name = "KeyNotGiven";

  constructor(readonly keyId: string) {
    super(`key ${keyId} is not in TRILHO_KEK: put it back into the list`);
  }
}

/** Sealed by the first key of TRILHO_KEK: its id, the nonce and the ciphertext in one value. */
export function wrap(purpose: Purpose, plain: Buffer, bound: string): Buffer {
  const kek = writingKek();
  const { nonce, ciphertext } = seal(keyFor(kek, purpose), plain, bound);
  return Buffer.concat([kek.id, nonce, ciphertext]);
}

/** Opens with whichever key of TRILHO_KEK the value names; throws KeyNotGiven when it is not there. */
export function unwrap(purpose: Purpose, wrapped: Buffer, bound: string): Buffer {
  const sealed = {
    nonce: wrapped.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES),
    ciphertext: wrapped.subarray(KEY_ID_BYTES + NONCE_BYTES),
  };
  return open(keyFor(kekOfWrapped(wrapped), purpose), sealed, bound);
}

function kekOfWrapped(wrapped: Buffer): Kek {
  const id = wrapped.subarray(0, KEY_ID_BYTES);
  const kek = kekWithId(id);
  if (!kek) throw new KeyNotGiven(id.toString("hex"));
  return kek;
}

/** The same under the first key of TRILHO_KEK. */
export function rewrap(purpose: Purpose, wrapped: Buffer, bound: string): Buffer {
  const plain = unwrap(purpose, wrapped, bound);
  const again = wrap(purpose, plain, bound);
  plain.fill(0);
  return again;
}

export const sealText = (purpose: Purpose, text: string, bound: string): Buffer =>
  wrap(purpose, Buffer.from(text), bound);

export const openText = (purpose: Purpose, sealed: Buffer, bound: string): string =>
  unwrap(purpose, sealed, bound).toString("utf8");
