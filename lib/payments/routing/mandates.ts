import type { Context } from "@/lib/context";
import { lackOf } from "@/lib/payments/routing/decide";
import type { PaymentNeeds } from "@/lib/payments/routing/facts";
import { type ProviderRow, providersOf, toRouted } from "@/lib/payments/routing/provider";
import { isAntifraudKind } from "@/lib/providers/kinds";
import { providerFor } from "@/lib/providers/registry";

/** What the credentials of a provider that could keep mandates lack for it. */
export function mandateLack(row: ProviderRow): string | undefined {
  if (!row.routable || isAntifraudKind(row.kind)) return undefined;
  return providerFor(row.kind).mandates?.lacks?.(toRouted(row).credentials());
}

/** Whether anybody of the merchant could keep such a mandate now. */
export async function hasMandateKeeper(
  ctx: Context,
  merchantId: string,
  mandate: NonNullable<PaymentNeeds["mandate"]>,
): Promise<boolean> {
  const needs: PaymentNeeds = {
    method: "pix",
    currency: "BRL",
    installments: 1,
    split: false,
    threeDS: false,
    authOnly: false,
    mandate,
  };
  return (await providersOf(ctx, merchantId)).some(
    (row) =>
      row.routable &&
      row.pausedAt === null &&
      !isAntifraudKind(row.kind) &&
      lackOf(row, needs) === null &&
      mandateLack(row) === undefined,
  );
}
