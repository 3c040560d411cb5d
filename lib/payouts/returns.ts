import { createHash } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import { merchants } from "@/db/schema/merchants";
import { payoutFiles, payoutReturns } from "@/db/schema/payout-files";
import { payoutBatches, payoutTransfers } from "@/db/schema/payouts";
import { audit } from "@/lib/audit";
import { isCivilDate, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { sumOf } from "@/lib/money";
import { FILE_HEADER } from "@/lib/payouts/cnab240/layout";
import { readRecord } from "@/lib/payouts/cnab240/records";
import { BadReturn, type ReturnedPayment, readReturn } from "@/lib/payouts/cnab240/return-file";
import { failTransfer, moveTransfer, returnTransfer, settleTransfer, type TransferRow } from "@/lib/payouts/results";
import { keepUnknown } from "@/lib/payouts/unknown";
import { endProposal, propose } from "@/lib/proposals/service";
import { type Difference, keepBreaks } from "@/lib/settlement/breaks";

export const LARGEST_RETURN_BYTES = 3 * 1_024 * 1_024;
const LONGEST_NAME = 200;

/**
 * Brings what a bank answered: `known` when it was taken before. One that is foreign, truncated or contradicts what is
 * known is a `BadReturn`, and nothing of it is kept but the discrepancy of a transfer that ended otherwise here.
 */
export async function bringReturn(
  ctx: Context,
  merchantId: string,
  file: { name: string; bytes: Uint8Array },
  reason: string,
): Promise<"proposed" | "done" | "known"> {
  try {
    return await bring(ctx, merchantId, file, reason);
  } catch (thrown) {
    if (thrown instanceof EndedOtherwise) await keepEnd(ctx, merchantId, thrown.difference);
    throw thrown;
  }
}

/** The bank says another end than the books have: somebody may be paid twice, or not at all. */
class EndedOtherwise extends BadReturn {
  constructor(
    line: number,
    readonly difference: Difference,
  ) {
    super("contradicts", line);
  }
}

const keepEnd = (ctx: Context, merchantId: string, difference: Difference): Promise<void> =>
  inTransaction(ctx, (inside) => keepBreaks(inside, merchantId, "transfer_contradicted", [difference], []));

const bring = (
  ctx: Context,
  merchantId: string,
  { name, bytes }: { name: string; bytes: Uint8Array },
  reason: string,
): Promise<"proposed" | "done" | "known"> =>
  inTransaction(ctx, async (inside) => {
    const [merchant] = await inside.db
      .select({ id: merchants.id })
      .from(merchants)
      .where(and(eq(merchants.clientId, inside.account.id), eq(merchants.id, merchantId)));
    if (!merchant) throw notFound("merchant");
    const content = contentOf(bytes);
    const told = await judge(inside, merchantId, content);
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
        transfers: told.length,
        createdAt: now(inside),
      })
      .onConflictDoNothing();
    const [kept] = await inside.db
      .select({ id: payoutReturns.id, takenAt: payoutReturns.takenAt })
      .from(payoutReturns)
      .where(and(eq(payoutReturns.merchantId, merchantId), eq(payoutReturns.digest, digest)));
    if (!kept) throw notFound("return file");
    if (kept.takenAt) return "known";
    const details = { transfers: told.length, amount: sumOf(told.map(({ payment }) => payment.amount)) };
    const wanted = { kind: "payout_return", merchantId, subjectId: kept.id, details, reason } as const;
    return propose(inside, wanted, (acting) => take(acting, kept.id));
  });

export const endReturn = (
  ctx: Context,
  id: string,
  proposalId: string,
  outcome: "approved" | "refused",
): Promise<void> =>
  endProposal(ctx, { id: proposalId, subjectId: id }, ["payout_return"], outcome, (inside) => take(inside, id));

async function take(ctx: Context, id: string): Promise<void> {
  const [file] = await ctx.db
    .select()
    .from(payoutReturns)
    .where(and(eq(payoutReturns.clientId, ctx.account.id), eq(payoutReturns.id, id)))
    .for("update");
  if (!file) throw notFound("return file");
  if (file.takenAt) throw new DomainError("invalid_status_transition", "the return was taken before");
  const told = await judgeAgain(ctx, file.merchantId, file.content);
  for (const one of told) await apply(ctx, one);
  await ctx.db
    .update(payoutReturns)
    .set({ takenAt: now(ctx) })
    .where(eq(payoutReturns.id, id));
  await keepUnknown(ctx, file.merchantId);
  const after = Object.fromEntries(
    ["paid", "failed", "returned", "accepted", "unknown"].map((kind) => [
      kind,
      told.filter(({ payment }) => payment.said.kind === kind).length,
    ]),
  );
  await audit(ctx, { action: "payout.return_take", object: "payout_return", objectId: id, after });
}

/** Between the two people something else may have been learned: then neither of them decided on this. */
async function judgeAgain(ctx: Context, merchantId: string, content: string): Promise<Told[]> {
  try {
    return await judge(ctx, merchantId, content, "update");
  } catch (thrown) {
    if (!(thrown instanceof BadReturn)) throw thrown;
    throw new DomainError("invalid_status_transition", `line ${thrown.line} contradicts what is known by now`);
  }
}

interface Told {
  payment: ReturnedPayment;
  transfer: TransferRow;
}

/** By the machine's own ways: what is there already stays as it is. */
async function apply(ctx: Context, { payment: { said, paidOn, bankNumber }, transfer }: Told): Promise<void> {
  const isOpen = transfer.status === "sent" || transfer.status === "unknown";
  if (said.kind === "paid" && isOpen) {
    const bankReference = bankNumber === "" ? transfer.bankReference : bankNumber;
    await settleTransfer(ctx, transfer, { sentOn: paidOn ?? transfer.sentOn, bankReference });
  } else if ((said.kind === "failed" || said.kind === "returned") && isOpen) {
    await failTransfer(ctx, transfer, said.reason);
  } else if (said.kind === "returned" && transfer.status === "settled") {
    await returnTransfer(ctx, transfer, said.reason);
  } else if (said.kind === "unknown" && transfer.status === "sent") {
    await moveTransfer(ctx, transfer, "bank.silent");
  }
}

async function judge(ctx: Context, merchantId: string, content: string, lock?: "update"): Promise<Told[]> {
  const { payments, ...header } = readReturn(content);
  const seen = new Set<string>();
  for (const { ourNumber, line } of payments) {
    if (seen.has(ourNumber)) throw new BadReturn("doubled", line);
    seen.add(ourNumber);
  }
  const asked = ctx.db
    .select({
      transfer: payoutTransfers,
      paymentDate: payoutBatches.paymentDate,
      header: sql<string>`left(${payoutFiles.content}, 240)`,
    })
    .from(payoutTransfers)
    .innerJoin(payoutBatches, eq(payoutBatches.id, payoutTransfers.batchId))
    .innerJoin(payoutFiles, eq(payoutFiles.id, payoutTransfers.fileId))
    .where(
      and(
        eq(payoutTransfers.clientId, ctx.account.id),
        eq(payoutTransfers.merchantId, merchantId),
        inArray(payoutTransfers.fileNumber, [...seen, ""]),
      ),
    )
    .orderBy(payoutTransfers.id);
  const rows = await (lock ? asked.for(lock, { of: payoutTransfers }) : asked);
  const known = new Map(rows.map((row) => [row.transfer.fileNumber, row]));
  const today = saoPauloDay(now(ctx));
  return payments.map((payment) => {
    const { line, said, paidOn, paidAmount } = payment;
    const row = known.get(payment.ourNumber);
    if (!row) throw new BadReturn("foreign", line);
    const sent = readRecord(FILE_HEADER, row.header);
    if (sent.bank !== header.bank || sent.payerDocument !== header.payerDocument || sent.agreement !== header.agreement)
      throw new BadReturn("foreign", 1);
    const { transfer } = row;
    const isPaid = said.kind === "paid";
    const isElsewhen = paidOn !== undefined && (!isCivilDate(paidOn) || paidOn < row.paymentDate || paidOn > today);
    if (
      payment.amount !== transfer.amount ||
      (isPaid && paidAmount !== 0 && paidAmount !== transfer.amount) ||
      (isPaid && isElsewhen)
    )
      throw new BadReturn("contradicts", line);
    if (!CONTRADICTED_BY[said.kind].includes(transfer.status)) return { payment, transfer };
    const difference = endOtherwise(transfer, said.kind);
    throw difference ? new EndedOtherwise(line, difference) : new BadReturn("contradicts", line);
  });
}

/** What is known of a transfer that cannot be true beside what the bank says now. */
const CONTRADICTED_BY: Readonly<Record<ReturnedPayment["said"]["kind"], readonly TransferRow["status"][]>> = {
  paid: ["created", "failed"],
  accepted: ["created"],
  failed: ["created", "settled", "returned"],
  returned: ["created"],
  unknown: ["created"],
};

function endOtherwise(
  { id, status, amount, sentOn }: TransferRow,
  said: ReturnedPayment["said"]["kind"],
): Difference | undefined {
  const [isPaidHere, isPaidThere] = [status === "settled", said === "paid"];
  if (sentOn === null || isPaidHere === isPaidThere) return undefined;
  const figures = { expected: isPaidHere ? amount : 0, found: isPaidThere ? amount : 0 };
  return { subject: id, chargeId: null, day: sentOn, ...figures };
}

/** Banks write them in one byte a character. */
function contentOf(bytes: Uint8Array): string {
  if (bytes.length === 0 || bytes.length > LARGEST_RETURN_BYTES || bytes.includes(0)) {
    throw new BadReturn("not_a_return", 1);
  }
  return new TextDecoder("windows-1252").decode(bytes);
}
