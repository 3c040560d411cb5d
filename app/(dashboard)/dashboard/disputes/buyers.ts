import { payerOf } from "@/app/(dashboard)/dashboard/payments/words";
import { payersOf } from "@/lib/charges/payer";
import { paymentsOf } from "@/lib/charges/search";
import { type Context, inSnapshot } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";

/** Whose payments these are, by the ids of the charges; as much of them as the role sees. */
export const buyersOf = (
  ctx: Context,
  role: OperatorRole,
  chargeIds: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  inSnapshot(ctx, async (inside) => {
    const ids = [...new Set(chargeIds)];
    const [rows, payers] = [await paymentsOf(inside, role, ids), await payersOf(inside, role, ids)];
    return new Map(
      rows.flatMap((row): [string, string][] => {
        const name = payerOf({ ...row, kind: "charge" }) ?? payers.get(row.id)?.email;
        return name ? [[row.id, name]] : [];
      }),
    );
  });
