import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/env";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

const derived = new Map<string, Buffer>();

/** A server key for one purpose, derived from TRILHO_SECRET: HMACs of different purposes never meet. */
export const serverSecret = (purpose: string): Buffer => derive("TRILHO_SECRET", purpose);

/** The key-encryption key of one purpose, derived from TRILHO_KEK. */
export const encryptionKey = (purpose: string): Buffer => derive("TRILHO_KEK", purpose);

function derive(name: "TRILHO_SECRET" | "TRILHO_KEK", purpose: string): Buffer {
  const id = `${name}:${purpose}`;
  const kept = derived.get(id);
  if (kept) return kept;
  const source = Buffer.from(env()[name], name === "TRILHO_KEK" ? "base64" : "utf8");
  const key = Buffer.from(hkdfSync("sha256", source, "trilho", purpose, KEY_BYTES));
  derived.set(id, key);
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

/** Both in one value, for columns that hold a small secret. */
export function sealText(purpose: string, text: string, bound: string): Buffer {
  const { nonce, ciphertext } = seal(encryptionKey(purpose), Buffer.from(text), bound);
  return Buffer.concat([nonce, ciphertext]);
}

export const openText = (purpose: string, sealed: Buffer, bound: string): string =>
  open(
    encryptionKey(purpose),
    { nonce: sealed.subarray(0, NONCE_BYTES), ciphertext: sealed.subarray(NONCE_BYTES) },
    bound,
  ).toString("utf8");
