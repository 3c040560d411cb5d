import { loadAccount } from "@/lib/accounts/service";
import { ranOut } from "@/lib/charges/history";
import { type ChargeRow, getCharge } from "@/lib/charges/queries";
import { type Context, inTransaction, now, systemContext } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { forceStatus } from "@/lib/providers/sandbox/api/force";
import { payPix } from "@/lib/providers/sandbox/api/tools";
import { awaitsBuyer, walletPaymentOf } from "@/lib/providers/sandbox/wallets";

/** A payment at the simulated wallet. */
export interface WalletVisit {
  readonly ctx: Context;
  readonly charge: ChargeRow;
  /** Where the wallet was told that its buyers go on. */
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
  /** The buyer may still decide. */
  readonly isOpen: boolean;
  /** The buyer did not, until its time was over. */
  readonly hasRunOut: boolean;
}

export async function visitWallet(transactionId: string): Promise<WalletVisit | undefined> {
  const found = await walletPaymentOf(transactionId);
  if (!found) return undefined;
  const ctx = systemContext(await loadAccount(found.clientId), newId());
  const payment = await inTransaction(ctx, (inside) => getCharge(inside, found.chargeId));
  const { row } = payment;
  const isOpen = row.status === "pending" && (await awaitsBuyer(found, transactionId, now(ctx)));
  const { returnUrl, cancelUrl } = found;
  return { ctx, charge: row, returnUrl, cancelUrl, isOpen, hasRunOut: ranOut(payment) };
}

/** What a buyer does at a wallet; the product hears of it by asking, as it would in production. */
const ACTS = {
  pay: (ctx: Context, id: string) => payPix(ctx, id, {}),
  decline: (ctx: Context, id: string) => forceStatus(ctx, id, "failed"),
  cancel: (ctx: Context, id: string) => forceStatus(ctx, id, "canceled"),
} as const;
export type WalletAct = keyof typeof ACTS;

export const isWalletAct = (text: string | null): text is WalletAct => text !== null && Object.hasOwn(ACTS, text);

/** False where the payment was over already, or ended at this moment in another way. */
export async function actAtWallet({ ctx, charge, isOpen }: WalletVisit, act: WalletAct): Promise<boolean> {
  if (!isOpen) return false;
  try {
    await ACTS[act](ctx, charge.id);
    return true;
  } catch (thrown) {
    if (thrown instanceof DomainError) return false;
    throw thrown;
  }
}
