import { and, desc, eq, isNull, or, sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { merchants } from "@/db/schema/merchants";
import { payoutFiles, payoutReturns } from "@/db/schema/payout-files";
import { type Context, inSnapshot } from "@/lib/context";
import { namesOf } from "@/lib/operators/names";
import { demand, may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { askedFile, fileable } from "@/lib/payouts/remittances";
import { type MoneyProposal, openProposals, operatorOf } from "@/lib/proposals/service";

/** Files and returns that are listed: the newest. */
const MOST_LISTED = 50;

export interface WaitingFile {
  id: string;
  /** The merchant of a file that is to be made, or a return. */
  subjectId: string;
  who: string | undefined;
  reason: string;
  isOwn: boolean;
  /** What it was asked for is not so any more: it can only be sent away, and asked for again. */
  isStale: boolean;
}

export interface FilePayer {
  merchantId: string;
  merchant: string | null;
  /** Transfers that the next file carries, and their sum. */
  transfers: number;
  amount: number;
  /** Batches that no file can carry. */
  unfit: string[];
  /** With what was asked for. */
  waiting: (WaitingFile & { transfers: number; amount: number }) | undefined;
}

export interface PayoutFilesView {
  payers: FilePayer[];
  files: {
    id: string;
    sequence: number;
    merchant: string | null;
    transfers: number;
    amount: number;
    createdAt: Date;
  }[];
  returns: {
    id: string;
    name: string;
    merchant: string | null;
    transfers: number;
    createdAt: Date;
    isTaken: boolean;
    isWaiting: boolean;
  }[];
}

export async function waitingFile(
  ctx: Context,
  { id, subjectId, askedBy, reason }: MoneyProposal,
  isStale: boolean,
): Promise<WaitingFile> {
  const names = await namesOf(systemDb(), ctx.account.id, [askedBy]);
  return { id, subjectId, who: names.get(askedBy), reason, isOwn: askedBy === operatorOf(ctx), isStale };
}

/** What goes to banks by file and what came back, of every merchant that pays its sellers so. */
export async function payoutFilesView(ctx: Context, role: OperatorRole): Promise<PayoutFilesView> {
  demand(role, "payouts.see");
  return inSnapshot(ctx, async (inside) => {
    const { db, account } = inside;
    const paying = await db
      .select({ id: merchants.id, name: merchants.name })
      .from(merchants)
      .where(
        and(
          eq(merchants.clientId, account.id),
          isNull(merchants.deletedAt),
          or(
            eq(merchants.payoutRail, "file"),
            sql`exists (select from payout_transfers t where t.merchant_id = ${merchants.id} and t.rail = 'file'
              and t.status = 'created') or exists (select from payout_files f where f.merchant_id = ${merchants.id})`,
          ),
        ),
      )
      .orderBy(merchants.name, merchants.id);
    const proposals = may(role, "payouts.mark")
      ? await openProposals(inside, { kinds: ["payout_file", "payout_return"] })
      : [];
    const proposalOf = (subjectId: string) => proposals.find((each) => each.subjectId === subjectId);
    const payers: FilePayer[] = [];
    for (const { id, name } of paying) {
      const next = await fileable(inside, id);
      const proposal = proposalOf(id);
      const asked = proposal && askedFile(proposal, next);
      payers.push({
        merchantId: id,
        merchant: name,
        transfers: next.ready.length,
        amount: next.amount,
        unfit: next.unfit,
        waiting: asked && { ...(await waitingFile(ctx, proposal, asked.isStale)), ...asked },
      });
    }
    const files = await db
      .select({
        id: payoutFiles.id,
        sequence: payoutFiles.sequence,
        merchant: merchants.name,
        transfers: payoutFiles.transfers,
        amount: payoutFiles.amount,
        createdAt: payoutFiles.createdAt,
      })
      .from(payoutFiles)
      .innerJoin(merchants, eq(merchants.id, payoutFiles.merchantId))
      .where(eq(payoutFiles.clientId, account.id))
      .orderBy(desc(payoutFiles.createdAt), desc(payoutFiles.id))
      .limit(MOST_LISTED);
    const returns = await db
      .select({
        id: payoutReturns.id,
        name: payoutReturns.name,
        merchant: merchants.name,
        transfers: payoutReturns.transfers,
        takenAt: payoutReturns.takenAt,
        createdAt: payoutReturns.createdAt,
      })
      .from(payoutReturns)
      .innerJoin(merchants, eq(merchants.id, payoutReturns.merchantId))
      .where(eq(payoutReturns.clientId, account.id))
      .orderBy(desc(payoutReturns.createdAt), desc(payoutReturns.id))
      .limit(MOST_LISTED);
    return {
      payers,
      files,
      returns: returns.map(({ takenAt, ...file }) => ({
        ...file,
        isTaken: takenAt !== null,
        isWaiting: takenAt === null && proposalOf(file.id) !== undefined,
      })),
    };
  });
}
