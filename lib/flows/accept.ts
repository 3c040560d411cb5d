import type { FlowMethod } from "@/db/schema/flows";
import type { Context } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { providersNamed } from "@/lib/flows/queries";
import { checkFlow } from "@/lib/flows/rules/check";
import { namedIn } from "@/lib/flows/rules/named";
import type { FlowNode } from "@/lib/flows/rules/nodes";
import { readRoot } from "@/lib/flows/rules/read";
import { offersMethod } from "@/lib/payments/routing/decide";
import { isAntifraudKind } from "@/lib/providers/kinds";

/** Reads a flow and checks it against the account's providers: all that is wrong with it is told at once. */
export async function acceptRoot(
  ctx: Context,
  given: unknown,
  { paymentMethod, merchantIds }: { paymentMethod: FlowMethod; merchantIds: readonly string[] },
): Promise<FlowNode[]> {
  const { root, faults } = readRoot(given);
  const rows = await providersNamed(ctx, namedIn(root));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const unavailable = checkFlow(root, faults, {
    paymentMethod,
    provider(id) {
      const row = byId.get(id);
      if (!row) return undefined;
      const { kind, routable, merchantId } = row;
      return {
        kind,
        isAntifraud: isAntifraudKind(kind),
        isAvailable: routable,
        takesMethod: routable && offersMethod(kind, paymentMethod),
        isOfMerchants: merchantIds.includes(merchantId),
      };
    },
  });
  if (faults.size > 0) {
    throw new DomainError("flow_invalid", "the flow cannot be used as it is", {
      details: [...faults].map(([at, why]) => `${at}: ${why}`),
    });
  }
  if (unavailable.size > 0) {
    throw new DomainError("provider_kind_not_available", "provider kind not available in this installation", {
      details: [...unavailable],
    });
  }
  return root.filter((node) => node !== undefined);
}
