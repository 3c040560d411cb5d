import { encryptionKey, newDataKey, open, type Sealed, seal } from "@/lib/secrets";

const NONCE_BYTES = 12;

/** Nonce and ciphertext in one value, as wrapped keys are stored. */
export function wrap(secret: Buffer, purpose: string, bound: string): Buffer {
  const { nonce, ciphertext } = seal(encryptionKey(purpose), secret, bound);
  return Buffer.concat([nonce, ciphertext]);
}

export const unwrap = (wrapped: Buffer, purpose: string, bound: string): Buffer =>
  open(
    encryptionKey(purpose),
    { nonce: wrapped.subarray(0, NONCE_BYTES), ciphertext: wrapped.subarray(NONCE_BYTES) },
    bound,
  );

export interface SealedRecord extends Sealed {
  wrappedKey: Buffer;
}

const DATA_KEY = "vault data key";

/** One data key for each record, itself sealed under the key-encryption key; both are bound to client and record. */
export function sealRecord(text: string, bound: string): SealedRecord {
  const dataKey = newDataKey();
  const sealed = seal(dataKey, Buffer.from(text), bound);
  const wrappedKey = wrap(dataKey, DATA_KEY, bound);
  dataKey.fill(0);
  return { ...sealed, wrappedKey };
}

export function openRecord(record: SealedRecord, bound: string): string {
  const dataKey = unwrap(record.wrappedKey, DATA_KEY, bound);
  const text = open(dataKey, record, bound).toString("utf8");
  dataKey.fill(0);
  return text;
}

export const boundTo = (clientId: string, id: string): string => `${clientId}|${id}`;
