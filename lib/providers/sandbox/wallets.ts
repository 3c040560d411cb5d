import { systemSql } from "@/db/client";
import { movementsOf, type Transaction, transactionById } from "@/lib/providers/sandbox/store";
import { viewOf } from "@/lib/providers/sandbox/view";

/** Whose payment the wallet's page is for; the buyer's address holds nothing but the transaction. */
export interface WalletPayment {
  clientId: string;
  providerId: string;
  chargeId: string;
  returnUrl: string | null;
  cancelUrl: string | null;
}

export async function walletPaymentOf(transactionId: string): Promise<WalletPayment | undefined> {
  const [found] = await systemSql()<WalletPayment[]>`
    select client_id as "clientId", provider_id as "providerId", charge_id as "chargeId",
           details ->> 'returnUrl' as "returnUrl", details ->> 'cancelUrl' as "cancelUrl" from sandbox_transactions
     where id = ${transactionId} and method in ('nupay', 'drip', 'picpay', 'apple_pay', 'click_to_pay')`;
  return found;
}

/** The wallet still waits for its buyer, by its own record. */
export async function awaitsBuyer(payment: WalletPayment, transactionId: string, now: Date): Promise<boolean> {
  const tx: Transaction | undefined = await transactionById(systemSql(), payment, transactionId);
  return tx !== undefined && viewOf(tx, await movementsOf(systemSql(), [tx.id]), now).state === "pending";
}
