import { ACCOUNT_DIMENSIONS, type ACCOUNT_KINDS, type AccountKind, type ledgerAccounts } from "@/db/schema/ledger";
import { derivedId } from "@/lib/ids";

type KindOf<Dimension> = {
  [Kind in AccountKind]: (typeof ACCOUNT_KINDS)[Kind] extends Dimension ? Kind : never;
}[AccountKind];

/** An account of a merchant. A card that settles in no arrangement, a voucher for example, has null there. */
export type AccountName =
  | { kind: KindOf<null> }
  | { kind: KindOf<"seller">; sellerId: string }
  | { kind: KindOf<"arrangement">; arrangement: string | null };

export type AccountRow = typeof ledgerAccounts.$inferSelect;

export const isMemo = ({ kind }: AccountName): boolean => kind.startsWith("memo:");

/** Whose money it is: a seller, or null for the merchant itself. */
export type Party = string | null;

export const pendingOf = (party: Party): AccountName =>
  party === null ? { kind: "merchant_pending" } : { kind: "seller_pending", sellerId: party };

export const availableOf = (party: Party): AccountName =>
  party === null ? { kind: "merchant_available" } : { kind: "seller_available", sellerId: party };

interface Books {
  clientId: string;
  merchantId: string;
  currency: string;
}

/** The row of an account. Its id is made from its dimensions, so no look-up comes before a posting. */
export function accountOf({ clientId, merchantId, currency }: Books, name: AccountName): AccountRow {
  const row = {
    clientId,
    merchantId,
    kind: name.kind,
    sellerId: "sellerId" in name ? name.sellerId : null,
    arrangement: "arrangement" in name ? name.arrangement : null,
    currency,
    memo: isMemo(name),
  };
  return { id: derivedId("ledger", ...ACCOUNT_DIMENSIONS.map((dimension) => row[dimension] ?? "")), ...row };
}
