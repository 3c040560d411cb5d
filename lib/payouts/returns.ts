import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { merchants } from "@/db/schema/merchants";
import { payoutReturns } from "@/db/schema/payout-files";
import { audit } from "@/lib/audit";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { BadReturn } from "@/lib/payouts/cnab240/return-file";
import { type JudgedPayment, judgeReturn, newsOf, RETURN_VERDICTS } from "@/lib/payouts/judged-return";
import { failTransfer, moveTransfer, returnTransfer, settleTransfer } from "@/lib/payouts/results";
import { keepUnknown } from "@/lib/payouts/unknown";
import { endProposal, type MoneyProposal, propose } from "@/lib/proposals/service";
import { keepBreaks } from "@/lib/settlement/breaks";

export const LARGEST_RETURN_BYTES = 3 * 1_024 * 1_024;
const LONGEST_NAME = 200;

export type ReturnRow = typeof payoutReturns.$inferSelect;

/**
 * Keeps what a bank answered, to be looked at; nothing of it is taken yet. The same file again is the same row. A line
 * that contradicts the books is a discrepancy from here on, whatever becomes of the file: somebody may have been paid
 * twice. Answers its id. `BadReturn`: no file that could be taken, and nothing is kept.
 */
export const keepReturn = (
  ctx: Context,
  merchantId: string,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<string> =>
  inTransaction(ctx, async (inside) => {
    const [merchant] = await inside.db
      .select({ id: merchants.id })
      .from(merchants)
      .where(and(eq(merchants.clientId, inside.account.id), eq(merchants.id, merchantId)));
    if (!merchant) throw notFound("merchant");
    const content = contentOf(bytes);
    const judged = await judgeReturn(inside, merchantId, content);
    const digest = createHash("sha256").update(bytes).digest("hex");
    await inside.db
      .insert(payoutReturns)
      .values({
        id: newId(),
        clientId: inside.account.id,
        merchantId,
        name: name.slice(0, LONGEST_NAME),
        digest,
        content,
        transfers: own(judged).length,
        createdAt: now(inside),
      })
      .onConflictDoNothing();
    const [kept] = await inside.db
      .select({ id: payoutReturns.id, takenAt: payoutReturns.takenAt })
      .from(payoutReturns)
      .where(and(eq(payoutReturns.merchantId, merchantId), eq(payoutReturns.digest, digest)));
    if (!kept) throw notFound("return file");
    if (!kept.takenAt) await keepDifferences(inside, merchantId, judged);
    return kept.id;
  });

const own = (judged: readonly JudgedPayment[]) => judged.filter(({ verdict }) => verdict !== "elsewhere");

const keepDifferences = (ctx: Context, merchantId: string, judged: readonly JudgedPayment[], agreeing: string[] = []) =>
  keepBreaks(
    ctx,
    merchantId,
    "transfer_contradicted",
    judged.flatMap(({ difference }) => difference ?? []),
    agreeing,
  );

const seenDetails = z.object({ transfers: z.int(), contradicting: z.int(), digest: z.string() });
type Seen = z.output<typeof seenDetails>;

/** What somebody looked at: of other transfers, or with another end, it is not what was asked for. */
function seenOf(judged: readonly JudgedPayment[]): Seen {
  const lines = own(judged).map(({ transfer, verdict }) => [transfer?.id, verdict]);
  return {
    transfers: lines.length,
    contradicting: judged.filter(({ verdict }) => verdict === "contradicts").length,
    digest: createHash("sha256").update(JSON.stringify(lines)).digest("hex"),
  };
}

/** Whether the lines would end otherwise than when somebody asked for it: then it cannot be approved. */
export const isStaleReturn = ({ details }: Pick<MoneyProposal, "details">, judged: readonly JudgedPayment[]): boolean =>
  seenOf(judged).digest !== seenDetails.parse(details).digest;

/** Asks that it be taken, or takes it at once while nobody else could approve it. */
export const proposeReturn = (ctx: Context, id: string, reason: string): Promise<"proposed" | "done"> =>
  inTransaction(ctx, async (inside) => {
    const { merchantId, content, takenAt } = await returnAt(inside, id);
    if (takenAt) throw takenBefore();
    const details = seenOf(await judgeReturn(inside, merchantId, content));
    const wanted = { kind: "payout_return", merchantId, subjectId: id, details, reason } as const;
    return propose(inside, wanted, (acting) => take(acting, id, details));
  });

export const endReturn = (
  ctx: Context,
  id: string,
  proposalId: string,
  outcome: "approved" | "refused",
): Promise<void> =>
  endProposal(ctx, { id: proposalId, subjectId: id }, ["payout_return"], outcome, (inside, { details }) =>
    take(inside, id, seenDetails.parse(details)),
  );

export async function returnAt({ account, db }: Context, id: string, lock?: "update"): Promise<ReturnRow> {
  const asked = db
    .select()
    .from(payoutReturns)
    .where(and(eq(payoutReturns.clientId, account.id), eq(payoutReturns.id, id)));
  const [file] = await (lock ? asked.for(lock) : asked);
  if (!file) throw notFound("return file");
  return file;
}

const takenBefore = () => new DomainError("invalid_status_transition", "the return was taken before");

/** Its good lines; those that contradict the books change nothing, and stay discrepancies. */
async function take(ctx: Context, id: string, seen: Seen): Promise<void> {
  const { merchantId, content, takenAt } = await returnAt(ctx, id, "update");
  if (takenAt) throw takenBefore();
  const judged = await judgeReturn(ctx, merchantId, content, { lock: "update" });
  if (seenOf(judged).digest !== seen.digest) {
    throw new DomainError("invalid_status_transition", "what is known has changed since it was asked for");
  }
  for (const one of judged) await apply(ctx, one);
  await ctx.db
    .update(payoutReturns)
    .set({ takenAt: now(ctx) })
    .where(eq(payoutReturns.id, id));
  await keepUnknown(ctx, merchantId);
  await keepDifferences(ctx, merchantId, judged, judged.flatMap(agreeing));
  const after = Object.fromEntries(
    RETURN_VERDICTS.map((verdict) => [verdict, judged.filter((one) => one.verdict === verdict).length]),
  );
  await audit(ctx, { action: "payout.return_take", object: "payout_return", objectId: id, after });
}

/** What the books learn from this file agrees with it; a line that tells nothing new may be older than the discrepancy. */
const agreeing = ({ transfer, verdict }: JudgedPayment): string[] =>
  transfer && (verdict === "paid" || verdict === "failed" || verdict === "returned") ? [transfer.id] : [];

async function apply(ctx: Context, { payment, transfer, verdict }: JudgedPayment): Promise<void> {
  if (!transfer || verdict === "contradicts") return;
  const { said, paidOn, bankNumber } = payment;
  const news = newsOf(payment, transfer);
  if (news === "paid") {
    const bankReference = bankNumber === "" ? transfer.bankReference : bankNumber;
    await settleTransfer(ctx, transfer, { sentOn: paidOn ?? transfer.sentOn, bankReference });
  } else if (news === "failed" && "reason" in said) await failTransfer(ctx, transfer, said.reason);
  else if (news === "returned" && "reason" in said) await returnTransfer(ctx, transfer, said.reason);
  else if (news === "unknown") await moveTransfer(ctx, transfer, "bank.silent");
}

/** Banks write them in one byte a character. */
function contentOf(bytes: Uint8Array): string {
  if (bytes.length === 0 || bytes.length > LARGEST_RETURN_BYTES || bytes.includes(0)) {
    throw new BadReturn("not_a_return", 1);
  }
  return new TextDecoder("windows-1252").decode(bytes);
}
