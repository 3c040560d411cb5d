import { analystOf } from "@/lib/antifraud/queries";
import { ChargeBusy, claim, release } from "@/lib/charges/engine/lease";
import { type Charge, withParts } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { type AttemptRow, isOpen } from "@/lib/payments/attempts";
import { type PaymentNeeds, providerById, type RoutedProvider, routeOf } from "@/lib/payments/routing";

/** Takes the charge, works on it, and gives it back; ChargeBusy when somebody else has it, or has taken it over. */
export async function taking<T>(ctx: Context, chargeId: string, work: (charge: Charge) => Promise<T>): Promise<T> {
  const row = await claim(ctx, chargeId);
  if (!row) throw new ChargeBusy();
  const charge = await inTransaction(ctx, async (inside): Promise<Charge> => {
    const isAuthorizing = row.operation === "authorize" && row.cardId !== null;
    const analyst = isAuthorizing ? await analystOf(inside, row.merchantId) : undefined;
    return { ...(await withParts(inside, row)), analyst };
  });
  try {
    return await work(charge);
  } finally {
    await release(ctx, row);
  }
}

export const openAttempt = ({ attempts }: Charge): AttemptRow | undefined =>
  attempts.find((attempt) => attempt.kind !== "notice" && isOpen(attempt));

/** The provider a charge is at; before it is at one, the first that could take it. */
export async function acquirerOf(ctx: Context, { row, splits }: Charge): Promise<RoutedProvider> {
  if (row.providerId) return providerById(ctx, row.providerId);
  const [first] = splits;
  const { candidates } = await routeOf(ctx, row.merchantId, {
    // Guarantee: the request schema lets nothing else into the column.
    method: row.paymentType as PaymentNeeds["method"],
    currency: row.currency,
    installments: row.installments ?? 1,
    split: first ? (first.percentageBps === null ? "amount" : "percentage") : false,
    threeDS: row.threeDSecure2 !== null,
    authOnly: !row.capture,
  });
  const [candidate] = candidates;
  if (!candidate) throw new Error("a route without a candidate is refused by routeOf");
  return candidate;
}
