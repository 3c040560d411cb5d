import type { AccountName } from "@/lib/ledger/accounts";
import type { Draft } from "@/lib/ledger/post";
import type { PlanBody } from "@/lib/plans/schema";

/** What would be booked. */
export const journalsOf = (drafts: readonly Draft[]): PlanBody["journals"] =>
  drafts
    .filter(({ transfers }) => transfers.length > 0)
    .map(({ type, currency, transfers }) => ({
      type,
      currency,
      transfers: transfers.map(({ debit, credit, amount }) => ({ debit: said(debit), credit: said(credit), amount })),
    }));

/** `seller_pending:<seller>`; an account that is one of a kind by its kind. */
const said = (account: AccountName): string =>
  [
    account.kind,
    "sellerId" in account ? account.sellerId : undefined,
    "arrangement" in account ? account.arrangement : undefined,
  ]
    .filter(Boolean)
    .join(":");
