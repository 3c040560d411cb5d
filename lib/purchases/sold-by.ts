import { getCharge } from "@/lib/charges/queries";
import type { Context } from "@/lib/context";
import { RequestError } from "@/lib/errors";
import { getPurchase } from "@/lib/purchases/queries";

/** What a payment was for, whether it was one card or several. */
export interface SaleBehind {
  object: "charge" | "purchase";
  id: string;
  originalAmount: number;
  orderId: string | null;
  description: string | null;
  merchantId: string;
  installments: number | null;
}

/** Of a charge or a purchase; another client's does not exist. */
export async function soldBy(ctx: Context, id: string): Promise<SaleBehind> {
  const charge = await unlessMissing(getCharge(ctx, id));
  if (charge) return { object: "charge", ...charge.row };
  const { row } = await getPurchase(ctx, id);
  return { object: "purchase", ...row, originalAmount: row.amount, installments: null };
}

/** Undefined for what does not exist. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof RequestError && thrown.status === 404) return undefined;
    throw thrown;
  }
}
