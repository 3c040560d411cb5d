import { KEPT } from "@/lib/purposes";
import { newDataKey, open, type Sealed, seal, unwrap, wrap } from "@/lib/secrets";

export interface SealedRecord extends Sealed {
  wrappedKey: Buffer;
}

/** One data key for each record, itself sealed under the key-encryption key; both are bound to client and record. */
export function sealRecord(text: string, bound: string): SealedRecord {
  const dataKey = newDataKey();
  const sealed = seal(dataKey, Buffer.from(text), bound);
  const wrappedKey = wrap(KEPT.dataKey, dataKey, bound);
  dataKey.fill(0);
  return { ...sealed, wrappedKey };
}

export function openRecord(record: SealedRecord, bound: string): string {
  const dataKey = unwrap(KEPT.dataKey, record.wrappedKey, bound);
  const text = open(dataKey, record, bound).toString("utf8");
  dataKey.fill(0);
  return text;
}

export const boundTo = (clientId: string, id: string): string => `${clientId}|${id}`;
