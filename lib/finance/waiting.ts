import { inArray } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { merchants } from "@/db/schema/merchants";
import { payoutReturns } from "@/db/schema/payout-files";
import { payoutBatches } from "@/db/schema/payouts";
import type { ProposalKind } from "@/db/schema/proposals";
import { sellers } from "@/db/schema/sellers";
import { type Context, inSnapshot, onAccountClock } from "@/lib/context";
import { namesOf } from "@/lib/operators/names";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { type MoneyProposal, openProposals, operatorOf, PROPOSAL_RIGHTS } from "@/lib/proposals/service";
import { shownSeller } from "@/lib/sellers/operator-queries";

export interface WaitingDecision {
  id: string;
  kind: ProposalKind;
  subjectId: string;
  /** The seller, the merchant, or the file of the bank. */
  about: string | undefined;
  /** Cents at stake; undefined where it is many amounts. */
  amount: number | undefined;
  who: string | undefined;
  isOwn: boolean;
  /** On the account's clock. */
  askedAt: Date;
  until: Date;
}

/** Decisions on money that wait for a second person, the oldest first: those that the role may decide on. */
export async function waitingDecisions(
  ctx: Context,
  role: OperatorRole,
  kinds: readonly ProposalKind[],
): Promise<WaitingDecision[]> {
  const seen = kinds.filter((kind) => may(role, PROPOSAL_RIGHTS[kind]));
  if (seen.length === 0) return [];
  return inSnapshot(ctx, async (inside) => {
    const proposals = await openProposals(inside, { kinds: seen });
    if (proposals.length === 0) return [];
    const subjects = proposals.map(({ subjectId }) => subjectId);
    const batches = await inside.db
      .select({ id: payoutBatches.id, amount: payoutBatches.finalBalance, sellerId: payoutBatches.sellerId })
      .from(payoutBatches)
      .where(inArray(payoutBatches.id, subjects));
    const batchOf = new Map(batches.map((batch) => [batch.id, batch]));
    const people = await inside.db
      .select()
      .from(sellers)
      .where(inArray(sellers.id, [...subjects, ...batches.flatMap(({ sellerId }) => sellerId ?? [])]));
    const returns = await inside.db
      .select({ id: payoutReturns.id, name: payoutReturns.name })
      .from(payoutReturns)
      .where(inArray(payoutReturns.id, subjects));
    const shops = await inside.db
      .select({ id: merchants.id, name: merchants.name })
      .from(merchants)
      .where(
        inArray(
          merchants.id,
          proposals.map(({ merchantId }) => merchantId),
        ),
      );
    const named = new Map<string, string | null>(
      [...shops, ...returns, ...people.map((seller) => shownSeller(role, seller))].map(({ id, name }) => [id, name]),
    );
    const names = await namesOf(
      systemDb(),
      ctx.account.id,
      proposals.map(({ askedBy }) => askedBy),
    );
    const me = operatorOf(ctx);
    return proposals.map((proposal): WaitingDecision => {
      const { id, kind, subjectId, merchantId, askedBy, createdAt, expiresAt } = proposal;
      const batch = batchOf.get(subjectId);
      const about = named.get(batch?.sellerId ?? subjectId) ?? named.get(merchantId);
      return {
        id,
        kind,
        subjectId,
        about: about ?? undefined,
        amount: batch?.amount ?? amountOf(proposal),
        who: names.get(askedBy),
        isOwn: askedBy === me,
        askedAt: onAccountClock(inside, createdAt),
        until: onAccountClock(inside, expiresAt),
      };
    });
  });
}

/** As it was asked for. */
function amountOf({ kind, details }: MoneyProposal): number | undefined {
  const { amount, expected, found } = details;
  if (kind === "break_closed") return Number(found) - Number(expected);
  return typeof amount === "number" ? amount : undefined;
}
