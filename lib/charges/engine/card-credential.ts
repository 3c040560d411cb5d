import { and, eq, lt } from "drizzle-orm";
import { cardCredentials } from "@/db/schema/customers";
import { insertion, type Write } from "@/db/writes";
import type { Charge, ChargeRow } from "@/lib/charges/queries";
import { type Context, inTransaction, now } from "@/lib/context";
import type { AttemptRow } from "@/lib/payments/attempts";

const LATER: readonly unknown[] = ["subsequent", "unscheduled"];

/** Whether the buyer is absent and the network wants to know the payment by which the card was first agreed to. */
export const namesFirstPayment = ({ paymentMethod }: Pick<ChargeRow, "paymentMethod">): boolean =>
  LATER.includes(paymentMethod.recurrence);

/** Kept once for a card that may be used again, in the transaction that records the approval. */
export function credentialKept(
  ctx: Context,
  { row, brand }: Charge,
  { providerId }: AttemptRow,
  networkTransactionId: string,
): Write[] {
  const mayComeAgain = row.paymentMethod.recurrence !== undefined || row.customerId !== null;
  if (!row.cardId || !providerId || !mayComeAgain) return [];
  const credential = {
    clientId: ctx.account.id,
    cardId: row.cardId,
    merchantId: row.merchantId,
    brand: brand ?? "",
    networkTransactionId,
    providerId,
    at: now(ctx),
  };
  return [insertion(cardCredentials, credential, { skip: true })];
}

/** As it was known when the attempt was made, so that a replay says the same. */
export async function credentialOf(ctx: Context, row: ChargeRow, attempt: AttemptRow): Promise<string | undefined> {
  const { cardId, merchantId } = row;
  if (!cardId || !namesFirstPayment(row)) return undefined;
  const [known] = await inTransaction(ctx, ({ db, account }) =>
    db
      .select({ id: cardCredentials.networkTransactionId })
      .from(cardCredentials)
      .where(
        and(
          eq(cardCredentials.clientId, account.id),
          eq(cardCredentials.cardId, cardId),
          eq(cardCredentials.merchantId, merchantId),
          lt(cardCredentials.at, attempt.createdAt),
        ),
      ),
  );
  return known?.id;
}
