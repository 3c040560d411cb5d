import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { type LineVerdict, statementFiles } from "@/db/schema/settlement";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError, invalid, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { operatorOf } from "@/lib/proposals/service";
import { type JudgedFile, judgeStatement, takeStatement } from "@/lib/settlement/upload";

export type StatementFileRow = typeof statementFiles.$inferSelect;

/** What the file of a month has room in. */
export const LARGEST_STATEMENT_BYTES = 3 * 1_024 * 1_024;
const LONGEST_NAME = 200;

/**
 * Keeps a statement that a person brings, with what would become of its lines; nothing is booked before somebody takes
 * it. The same file again is the same row. Answers its id.
 */
export const keepStatement = (
  ctx: Context,
  providerId: string,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<string> =>
  inTransaction(ctx, async (inside) => {
    const content = textOf(bytes);
    // Locks the provider: the same file from two people is kept once.
    const { merchantId, ...judged } = await judgeStatement(inside, providerId, content);
    const digest = createHash("sha256").update(bytes).digest("hex");
    const [same] = await inside.db
      .select({ id: statementFiles.id })
      .from(statementFiles)
      .where(and(eq(statementFiles.providerId, providerId), eq(statementFiles.digest, digest)));
    if (same) return same.id;
    const id = newId();
    const seen = { verdicts: countsOf(judged), net: judged.net };
    await inside.db.insert(statementFiles).values({
      id,
      clientId: inside.account.id,
      merchantId,
      providerId,
      name: name.slice(0, LONGEST_NAME),
      digest,
      content,
      ...seen,
      uploadedBy: operatorOf(inside),
      createdAt: now(inside),
    });
    await audit(inside, { action: "statement.upload", object: "statement_file", objectId: id, after: seen });
    return id;
  });

/** Books it, whole or not at all (`invalid` names the refused lines); taken once. */
export const takeKeptStatement = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const file = await keptAt(inside, id, "update");
    if (file.takenAt) throw new DomainError("invalid_status_transition", "the statement was taken before");
    const judged = await takeStatement(inside, file.providerId, file.content);
    const seen = { verdicts: countsOf(judged), net: judged.net };
    await inside.db
      .update(statementFiles)
      .set({ ...seen, takenBy: operatorOf(inside), takenAt: now(inside) })
      .where(eq(statementFiles.id, id));
    await audit(inside, { action: "statement.take", object: "statement_file", objectId: id, after: seen });
  });

export async function keptAt({ account, db }: Context, id: string, lock?: "update"): Promise<StatementFileRow> {
  const asked = db
    .select()
    .from(statementFiles)
    .where(and(eq(statementFiles.clientId, account.id), eq(statementFiles.id, id)));
  const [file] = await (lock ? asked.for(lock) : asked);
  if (!file) throw notFound("statement");
  return file;
}

function countsOf({ lines }: Pick<JudgedFile, "lines">): Partial<Record<LineVerdict, number>> {
  const counts: Partial<Record<LineVerdict, number>> = {};
  for (const { verdict } of lines) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

/** As UTF-8, or as the tables of Windows write it. */
function textOf(bytes: Uint8Array): string {
  if (bytes.length === 0) throw invalid("the file is empty");
  if (bytes.length > LARGEST_STATEMENT_BYTES) throw invalid("the file is too large");
  if (bytes.includes(0)) throw invalid("the file is not a text");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
