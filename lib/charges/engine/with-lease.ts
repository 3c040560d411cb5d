import { ChargeBusy, claimCharge, releaseLease } from "@/lib/charges/engine/lease";
import { type Charge, withParts } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { type AttemptRow, isOpen } from "@/lib/payments/attempts";
import { providerById, type RoutedProvider } from "@/lib/payments/routing/provider";
import { recordedRoute } from "@/lib/payments/routing/record";

/** Claims the charge, works on it, and releases it; ChargeBusy when another worker holds it, or has taken it over. */
export async function withChargeLease<T>(
  ctx: Context,
  chargeId: string,
  work: (charge: Charge) => Promise<T>,
): Promise<T> {
  const row = await claimCharge(ctx, chargeId);
  if (!row) throw new ChargeBusy();
  const charge = await inTransaction(ctx, async (inside) => withRoute(inside, await withParts(inside, row)));
  let isCutOff = true;
  try {
    const done = await work(charge);
    isCutOff = false;
    return done;
  } catch (thrown) {
    isCutOff = !(thrown instanceof DomainError);
    throw thrown;
  } finally {
    await releaseLease(ctx, row, { isCutOff });
  }
}

/** With what was decided for it when it was made, for as long as its authorization is under way. */
export async function withRoute(ctx: Context, charge: Charge): Promise<Charge> {
  if (charge.row.operation !== "authorize" || charge.row.cardId === null) return charge;
  const { fraudProvider, ...route } = await recordedRoute(ctx, charge.row.id);
  return { ...charge, ...route, analyst: fraudProvider };
}

export const openAttempt = ({ attempts }: Charge): AttemptRow | undefined =>
  attempts.find((attempt) => attempt.kind !== "notice" && isOpen(attempt));

/** The provider a charge is at; before it is at one, the first that was decided for it. */
export async function acquirerOf(ctx: Context, { row, providers = [] }: Charge): Promise<RoutedProvider> {
  if (row.providerId) return providerById(ctx, row.providerId);
  const [first] = providers;
  if (!first) throw new Error("a charge that no provider was decided for");
  return first;
}
