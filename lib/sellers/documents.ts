import { createHmac } from "node:crypto";
import { and, asc, desc, eq, gt, gte, inArray, isNull, or, type SQL } from "drizzle-orm";
import { sellerDocuments } from "@/db/schema/sellers";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now, publicKeyOf } from "@/lib/context";
import { DomainError, invalid, notFound } from "@/lib/errors";
import { directionOf, offsetOf, type Paged } from "@/lib/http/pagination";
import { limitSellerFiles } from "@/lib/http/rate-limit";
import { newId } from "@/lib/ids";
import { serverSecret } from "@/lib/secrets";
import { sealFile } from "@/lib/sellers/document-content";
import type { DocumentFilters } from "@/lib/sellers/document-schema";
import { type CheckedFile, checkedFile, type DocumentType, MOST_BYTES } from "@/lib/sellers/file-kinds";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** Without what it holds. */
const COLUMNS = {
  id: sellerDocuments.id,
  sellerId: sellerDocuments.sellerId,
  type: sellerDocuments.type,
  status: sellerDocuments.status,
  mime: sellerDocuments.mime,
  size: sellerDocuments.size,
  expiresAt: sellerDocuments.expiresAt,
  erasedAt: sellerDocuments.erasedAt,
  createdByKey: sellerDocuments.createdByKey,
  createdAt: sellerDocuments.createdAt,
};
export type SellerDocumentRow = Pick<typeof sellerDocuments.$inferSelect, keyof typeof COLUMNS>;

const UNUSED_SECONDS = 7 * DAY_SECONDS;

const live = (ctx: Context): SQL | undefined =>
  and(
    eq(sellerDocuments.clientId, ctx.account.id),
    isNull(sellerDocuments.deletedAt),
    or(isNull(sellerDocuments.expiresAt), gt(sellerDocuments.expiresAt, now(ctx))),
  );

/** A file that may be stored. */
export interface CheckedUpload extends CheckedFile {
  type: DocumentType;
  digest: Buffer;
}

/** The picture is drawn anew, before any transaction. */
export async function checkedUpload(
  ctx: Context,
  { type, file }: { type: DocumentType; file: Buffer | undefined },
): Promise<CheckedUpload> {
  if (!file) throw invalid("file: is required");
  if (file.length > MOST_BYTES) throw new DomainError("document_too_large", "a document has at most 3 MB");
  if (ctx.principal.kind === "seller") await limitSellerFiles(ctx.principal.accessId);
  const digest = createHmac("sha256", serverSecret("seller document")).update(file).digest();
  return { type, digest, ...(await checkedFile(type, file)) };
}

export const uploadDocument = async (
  ctx: Context,
  given: { type: DocumentType; file: Buffer | undefined },
): Promise<SellerDocumentRow> => storeUpload(ctx, await checkedUpload(ctx, given));

/** The same file again is the same row. */
export async function storeUpload(
  ctx: Context,
  { type, digest, bytes, mime }: CheckedUpload,
): Promise<SellerDocumentRow> {
  const id = newId();
  const at = now(ctx);
  const key = publicKeyOf(ctx) ?? null;
  return inTransaction(ctx, async (inside) => {
    const isSame = and(
      live(inside),
      eq(sellerDocuments.type, type),
      eq(sellerDocuments.digest, digest),
      eq(sellerDocuments.status, "uploaded"),
      key === null ? isNull(sellerDocuments.createdByKey) : eq(sellerDocuments.createdByKey, key),
    );
    const [known] = await inside.db.select(COLUMNS).from(sellerDocuments).where(isSame);
    if (known) return known;
    await inside.db
      .update(sellerDocuments)
      .set({ deletedAt: at })
      .where(
        and(
          eq(sellerDocuments.clientId, inside.account.id),
          eq(sellerDocuments.digest, digest),
          eq(sellerDocuments.status, "uploaded"),
          isNull(sellerDocuments.deletedAt),
          eq(sellerDocuments.type, type),
        ),
      );
    const [made] = await inside.db
      .insert(sellerDocuments)
      .values({
        id,
        clientId: inside.account.id,
        type,
        status: "uploaded",
        mime,
        size: bytes.length,
        digest,
        ...sealFile(inside.account.id, id, bytes),
        expiresAt: addSeconds(at, UNUSED_SECONDS),
        createdByKey: key,
        createdAt: at,
        updatedAt: at,
      })
      .onConflictDoNothing()
      .returning(COLUMNS);
    const [twin] = made ? [made] : await inside.db.select(COLUMNS).from(sellerDocuments).where(isSame);
    if (!twin) throw new Error("the document was neither written nor found");
    return twin;
  });
}

export async function documentAt(ctx: Context, id: string): Promise<SellerDocumentRow> {
  const [row] = await ctx.db
    .select(COLUMNS)
    .from(sellerDocuments)
    .where(and(live(ctx), eq(sellerDocuments.id, id)));
  if (!row) throw notFound("document");
  return row;
}

export async function listDocuments(ctx: Context, filters: DocumentFilters): Promise<Paged<SellerDocumentRow>> {
  const key = publicKeyOf(ctx);
  const where = and(
    live(ctx),
    key === undefined ? undefined : eq(sellerDocuments.createdByKey, key),
    filters.status && inArray(sellerDocuments.status, filters.status),
    filters.type && inArray(sellerDocuments.type, filters.type),
    filters.createdAt ? gte(sellerDocuments.createdAt, filters.createdAt) : undefined,
  );
  const order = directionOf(filters) === "asc" ? asc : desc;
  const items = await ctx.db
    .select(COLUMNS)
    .from(sellerDocuments)
    .where(where)
    .orderBy(order(sellerDocuments.createdAt), order(sellerDocuments.id))
    .limit(filters.limit)
    .offset(offsetOf(filters));
  return { items, totalItems: await ctx.db.$count(sellerDocuments, where) };
}

/** Its bytes go at once. */
export async function deleteDocument(ctx: Context, id: string): Promise<void> {
  const document = await documentAt(ctx, id);
  const at = now(ctx);
  const deleted = await ctx.db
    .update(sellerDocuments)
    .set({ deletedAt: at, erasedAt: at, ciphertext: null, nonce: null, wrappedKey: null, updatedAt: at })
    .where(and(live(ctx), eq(sellerDocuments.id, id), eq(sellerDocuments.status, "uploaded")))
    .returning({ id: sellerDocuments.id });
  if (deleted.length === 0) throw new DomainError("document_in_use", "the document belongs to a seller");
  await audit(ctx, {
    action: "seller_document.delete",
    object: "seller_document",
    objectId: id,
    before: { type: document.type },
  });
}

/** Uploaded ones become the seller's, in the transaction that names them; those it has already are no fault. */
export async function attachDocuments(ctx: Context, sellerId: string, ids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  const attached = await ctx.db
    .update(sellerDocuments)
    .set({ sellerId, status: "attached", expiresAt: null, updatedAt: now(ctx) })
    .where(and(live(ctx), inArray(sellerDocuments.id, wanted), eq(sellerDocuments.status, "uploaded")))
    .returning({ id: sellerDocuments.id });
  const own = await ctx.db
    .select({ id: sellerDocuments.id })
    .from(sellerDocuments)
    .where(and(live(ctx), inArray(sellerDocuments.id, wanted), eq(sellerDocuments.sellerId, sellerId)));
  const missing = wanted.filter((id) => !own.some((one) => one.id === id));
  if (missing.length > 0) {
    throw new DomainError("document_not_found", "a document does not exist, or is another seller's", {
      details: missing,
    });
  }
  return wanted.filter((id) => attached.some((one) => one.id === id));
}

/** Of those that can be named. */
export async function documentTypesOf(ctx: Context, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .select({ type: sellerDocuments.type })
    .from(sellerDocuments)
    .where(and(live(ctx), inArray(sellerDocuments.id, [...ids])));
  return rows.map(({ type }) => type);
}
