import { and, eq } from "drizzle-orm";
import { sellerDocuments } from "@/db/schema/sellers";
import type { Context } from "@/lib/context";
import { KEPT } from "@/lib/purposes";
import { newDataKey, open, type Sealed, seal, unwrap, wrap } from "@/lib/secrets";

export interface SealedFile extends Sealed {
  wrappedKey: Buffer;
}

const boundTo = (clientId: string, id: string): string => `${clientId}|${id}`;

/** Under a key of its own, which the key-encryption key seals; bound to its row and its account. */
export function sealFile(clientId: string, id: string, bytes: Buffer): SealedFile {
  const key = newDataKey();
  const bound = boundTo(clientId, id);
  const sealed = { ...seal(key, bytes, bound), wrappedKey: wrap(KEPT.sellerDocument, key, bound) };
  key.fill(0);
  return sealed;
}

export interface FileContent {
  type: string;
  file: Buffer;
  mime: string;
}

/** For a provider, or for a person whose look is written down. Undefined once it is erased. */
export async function contentOf({ db, account }: Context, id: string): Promise<FileContent | undefined> {
  const [row] = await db
    .select()
    .from(sellerDocuments)
    .where(and(eq(sellerDocuments.clientId, account.id), eq(sellerDocuments.id, id)));
  if (!row?.ciphertext || !row.nonce || !row.wrappedKey) return undefined;
  const bound = boundTo(account.id, id);
  const key = unwrap(KEPT.sellerDocument, row.wrappedKey, bound);
  const file = open(key, { nonce: row.nonce, ciphertext: row.ciphertext }, bound);
  key.fill(0);
  return { type: row.type, file, mime: row.mime };
}
