import { providerNames } from "@/app/(dashboard)/dashboard/flows/words";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import { type Context, inSnapshot } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";

/** Of connections to providers, by id, as flows name them among all of the account; one that was removed has none. */
export async function connectionNames(
  ctx: Context,
  role: OperatorRole,
  ids: readonly string[],
): Promise<Record<string, string>> {
  if (ids.length === 0) return {};
  const merchants = await merchantsToChoose(ctx, role);
  return inSnapshot(ctx, (inside) => providerNames(inside, { merchantIds: merchants.map(({ id }) => id), ids }));
}
