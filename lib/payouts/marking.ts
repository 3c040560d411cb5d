import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { payoutTransfers, TRANSFER_REASONS } from "@/db/schema/payouts";
import { audit } from "@/lib/audit";
import { addDays, isBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, inTransaction, now } from "@/lib/context";
import { DomainError, invalid, notFound } from "@/lib/errors";
import { day, text } from "@/lib/http/fields";
import type { BatchRow } from "@/lib/payouts/queries";
import {
  failTransfer,
  moveTransfer,
  RETURN_DAYS,
  returnTransfer,
  settleTransfer,
  type TransferRow,
} from "@/lib/payouts/results";
import { batchAt } from "@/lib/payouts/service";
import { isGivenUp, keepUnknown } from "@/lib/payouts/unknown";
import { endProposal, type MoneyProposal, openProposals, propose } from "@/lib/proposals/service";

/** What a person knows of a transfer that no bank tells us of. */
export const markInput = z.discriminatedUnion("how", [
  z.object({
    how: z.literal("paid"),
    /** The bank's own name of the transfer. */
    bankReference: text(64),
    paidOn: day,
  }),
  z.object({ how: z.literal("failed"), error: z.enum(TRANSFER_REASONS) }),
  z.object({ how: z.literal("returned"), error: z.enum(TRANSFER_REASONS) }),
]);
export type TransferMark = z.output<typeof markInput>;
export type MarkHow = TransferMark["how"];

const KINDS = ["payout_paid", "payout_failed", "payout_returned"] as const;
const KIND_OF = { paid: "payout_paid", failed: "payout_failed", returned: "payout_returned" } as const;

/**
 * What a person may say of it: where no bank is connected whatever becomes of what no file carries, and elsewhere how a
 * transfer ended that its bank was asked about for three bank days. Sooner the bank may still pay what somebody called failed, and the
 * seller would be paid twice.
 */
export function marksOf(transfer: TransferRow, at: Date): readonly MarkHow[] {
  const { rail, status, sentOn } = transfer;
  if (status === "unknown" ? isGivenUp(sentOn, at) : rail !== "sandbox" && status === "created")
    return ["paid", "failed"];
  const isRecent = sentOn !== null && sentOn >= addDays(saoPauloDay(at), -RETURN_DAYS);
  return rail !== "sandbox" && status === "settled" && isRecent ? ["returned"] : [];
}

export interface Markable {
  merchantId: string;
  transfer: TransferRow | undefined;
  marks: readonly MarkHow[];
  waiting: MoneyProposal | undefined;
}

/** The transfer of a batch, what may be said of it, and what a colleague said that waits for a second person. */
export const markableOf = (ctx: Context, batchId: string): Promise<Markable> =>
  inTransaction(ctx, async (inside) => {
    const { id, merchantId } = await batchAt(inside, batchId);
    const transfer = await transferOf(inside, id);
    const [waiting] = await openProposals(inside, { kinds: KINDS, subjectId: batchId });
    return { transfer, merchantId, marks: transfer ? marksOf(transfer, now(inside)) : [], waiting };
  });

/** Asks for a mark, or makes it at once while nobody else could approve it. */
export const proposeMark = (
  ctx: Context,
  batchId: string,
  mark: TransferMark,
  reason: string,
): Promise<"proposed" | "done"> =>
  inTransaction(ctx, async (inside) => {
    const batch = await batchAt(inside, batchId);
    await markable(inside, batch, mark);
    const { how, ...details } = mark;
    const wanted = { kind: KIND_OF[how], merchantId: batch.merchantId, subjectId: batchId, details, reason };
    return propose(inside, wanted, (acting) => carryOut(acting, batchId, mark));
  });

/** The second person's word. */
export const endMark = (
  ctx: Context,
  batchId: string,
  proposalId: string,
  outcome: "approved" | "refused",
): Promise<void> =>
  endProposal(ctx, { id: proposalId, subjectId: batchId }, KINDS, outcome, (inside, proposal) =>
    carryOut(inside, batchId, markOf(proposal)),
  );

/** What was asked for. */
export const markOf = ({ kind, details }: Pick<MoneyProposal, "kind" | "details">): TransferMark =>
  markInput.parse({ ...details, how: kind.slice("payout_".length) });

async function carryOut(ctx: Context, batchId: string, mark: TransferMark): Promise<void> {
  const batch = await batchAt(ctx, batchId);
  const transfer = await markable(ctx, batch, mark);
  await make(ctx, transfer, mark);
  await ctx.db
    .update(payoutTransfers)
    .set({ markedAt: now(ctx) })
    .where(eq(payoutTransfers.id, transfer.id));
  await keepUnknown(ctx, batch.merchantId);
  const { how, ...after } = mark;
  const before = { status: transfer.status };
  await audit(ctx, { action: ACTIONS[how], object: "payment_batch", objectId: batchId, before, after });
}

const ACTIONS: Readonly<Record<MarkHow, string>> = {
  paid: "payout.mark_paid",
  failed: "payout.mark_failed",
  returned: "payout.mark_returned",
};

async function make(ctx: Context, transfer: TransferRow, mark: TransferMark): Promise<void> {
  if (mark.how === "failed") return failTransfer(ctx, transfer, mark.error);
  if (mark.how === "returned") return returnTransfer(ctx, transfer, mark.error);
  const sent = { sentOn: mark.paidOn, bankReference: mark.bankReference };
  if (transfer.status !== "created") return settleTransfer(ctx, transfer, sent);
  await moveTransfer(ctx, transfer, "bank.accepted", sent);
  await settleTransfer(ctx, { ...transfer, status: "sent" }, sent);
}

/** Locked, so that what a bank answers meanwhile comes before or after. */
async function markable(ctx: Context, batch: BatchRow, mark: TransferMark): Promise<TransferRow> {
  const today = saoPauloDay(now(ctx));
  const transfer = await transferOf(ctx, batch.id, "update");
  if (!transfer) throw notFound("transfer");
  if (!marksOf(transfer, now(ctx)).includes(mark.how)) {
    throw new DomainError("invalid_status_transition", `a transfer that is ${transfer.status} cannot be ${mark.how}`);
  }
  if (mark.how === "paid") {
    const { paidOn } = mark;
    if (!isBankDay(paidOn)) throw invalid("paidOn: banks are closed on that day");
    if (paidOn < batch.paymentDate || paidOn > today) {
      throw invalid(`paidOn: a day from ${batch.paymentDate} to ${today}`);
    }
  }
  return transfer;
}

async function transferOf({ account, db }: Context, batchId: string, lock?: "update") {
  const asked = db
    .select()
    .from(payoutTransfers)
    .where(and(eq(payoutTransfers.clientId, account.id), eq(payoutTransfers.batchId, batchId)));
  const [found] = await (lock ? asked.for(lock) : asked);
  return found;
}
